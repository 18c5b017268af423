// The command line of the program.
#pragma once

namespace lithe::app {

int read_and_run(int argc, char** argv);

}  // namespace lithe::app
