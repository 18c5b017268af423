// Python with the thread sanitizer's runtime linked in: clang 14's shared runtime, which an ordinary interpreter would
// have to load first, ends in a segmentation fault at the first thread of OpenMP.
#include <Python.h>

int main(int argc, char** argv) { return Py_BytesMain(argc, argv); }
