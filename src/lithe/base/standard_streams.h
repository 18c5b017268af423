// Programs may be started with their standard streams closed. The next files that are opened would take their numbers,
// and every message of a library would go into a result.
#pragma once

namespace lithe {

// Opens /dev/null in the place of each standard stream that is closed.
void open_closed_streams();

}  // namespace lithe
