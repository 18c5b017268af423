#include "lithe/base/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

namespace lithe {

void open_closed_streams() {
  for (int stream = 0; stream <= 2; ++stream)
    if (fcntl(stream, F_GETFD) < 0) (void)!open("/dev/null", O_RDWR);  // takes the lowest free number: this one
}

}  // namespace lithe
