# CUDA is optional and lives under backends/cuda alone: on where nvcc is found, else the build says so and goes on.
include(CheckLanguage)
check_language(CUDA)
if(CMAKE_CUDA_COMPILER)
  option(LITHE_WITH_CUDA "Build the CUDA backend" ON)
else()
  option(LITHE_WITH_CUDA "Build the CUDA backend" OFF)
  message(STATUS "No nvcc found: building without the CUDA backend")
endif()
if(LITHE_WITH_CUDA AND NOT CMAKE_CUDA_COMPILER)
  message(FATAL_ERROR "LITHE_WITH_CUDA is ON but no nvcc was found: put nvcc on the PATH, set CUDACXX to it, or "
    "configure with -DLITHE_WITH_CUDA=OFF")
endif()
