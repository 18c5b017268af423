# Linear solvers. LAPACK, CHOLMOD and KLU are required, with what orders and ranks; MUMPS, UMFPACK and SuperLU are on
# where they are found, else the build says so and goes on without. An option that was asked for and cannot be had ends
# the configuration.
find_package(BLAS REQUIRED)
find_package(LAPACK REQUIRED)
find_library(CHOLMOD_LIBRARY cholmod REQUIRED)
find_library(SPQR_LIBRARY spqr REQUIRED)
find_library(KLU_LIBRARY klu REQUIRED)
find_library(AMD_LIBRARY amd REQUIRED)
find_library(COLAMD_LIBRARY colamd REQUIRED)
find_library(BTF_LIBRARY btf REQUIRED)
find_library(METIS_LIBRARY metis REQUIRED)
find_path(SUITESPARSE_INCLUDE cholmod.h PATH_SUFFIXES suitesparse REQUIRED)

find_library(UMFPACK_LIBRARY umfpack)
find_library(SUPERLU_LIBRARY superlu)
find_path(SUPERLU_INCLUDE slu_ddefs.h PATH_SUFFIXES superlu)
# The sequential MUMPS brings its own replacement of MPI, so it is not linked: the program loads it into a scope of its
# own when it is first needed (linalg/mumps.cpp), under the name that the linker would have noted.
find_library(MUMPS_LIBRARY NAMES libdmumps_seq.so)
find_path(MUMPS_INCLUDE dmumps_c.h)
set(mumps_soname "")
if(MUMPS_LIBRARY)
  execute_process(COMMAND ${CMAKE_READELF} -d ${MUMPS_LIBRARY} OUTPUT_VARIABLE text ERROR_QUIET)
  if(text MATCHES "SONAME[^\n]*\\[([^]]+)\\]")
    set(mumps_soname ${CMAKE_MATCH_1})
  endif()
endif()

# NAME of the option, package of Debian, files, variables that must have been found.
function(optional_solver name package files)
  set(found ON)
  foreach(variable IN LISTS ARGN)
    if(NOT ${variable})
      set(found OFF)
    endif()
  endforeach()
  option(LITHE_WITH_${name} "Build the linear solver ${name}" ${found})
  if(LITHE_WITH_${name} AND NOT found)
    message(FATAL_ERROR "LITHE_WITH_${name} is ON but ${name} was not found: install it (Debian: ${package}) or "
      "configure with -DLITHE_WITH_${name}=OFF")
  endif()
  if(LITHE_WITH_${name})
    set_property(GLOBAL APPEND PROPERTY lithe_solver_definitions LITHE_WITH_${name})
  else()
    message(STATUS "Building without the linear solver ${name}: -DLITHE_WITH_${name}=ON (Debian: ${package})")
    set_property(GLOBAL APPEND PROPERTY lithe_solver_files_left_out ${files})
  endif()
endfunction()
optional_solver(MUMPS libmumps-seq-dev mumps.cpp MUMPS_LIBRARY MUMPS_INCLUDE mumps_soname)
optional_solver(UMFPACK libsuitesparse-dev umfpack.cpp UMFPACK_LIBRARY)
optional_solver(SUPERLU libsuperlu-dev superlu.cpp SUPERLU_LIBRARY SUPERLU_INCLUDE)

# Headers and libraries of the target; the registry alone knows what was left out, so that nothing else is compiled
# anew when an option changes.
function(add_linear_solvers target)
  get_property(definitions GLOBAL PROPERTY lithe_solver_definitions)
  set_property(SOURCE src/lithe/linalg/linear_solver.cpp APPEND PROPERTY COMPILE_DEFINITIONS ${definitions})
  target_include_directories(${target} SYSTEM PUBLIC ${SUITESPARSE_INCLUDE})
  target_link_libraries(${target} PRIVATE ${SPQR_LIBRARY} ${CHOLMOD_LIBRARY} ${KLU_LIBRARY} ${AMD_LIBRARY}
    ${COLAMD_LIBRARY} ${BTF_LIBRARY} ${METIS_LIBRARY} LAPACK::LAPACK BLAS::BLAS ${CMAKE_DL_LIBS})
  if(LITHE_WITH_UMFPACK)
    target_link_libraries(${target} PRIVATE ${UMFPACK_LIBRARY})
  endif()
  if(LITHE_WITH_SUPERLU)
    set_property(SOURCE src/lithe/linalg/superlu.cpp APPEND PROPERTY
      COMPILE_OPTIONS -idirafter${SUPERLU_INCLUDE})
    target_link_libraries(${target} PRIVATE ${SUPERLU_LIBRARY})
  endif()
  if(LITHE_WITH_MUMPS)
    set_property(SOURCE src/lithe/linalg/mumps.cpp APPEND PROPERTY
      COMPILE_OPTIONS -idirafter${MUMPS_INCLUDE})
    set_property(SOURCE src/lithe/linalg/mumps.cpp APPEND PROPERTY COMPILE_DEFINITIONS
      LITHE_MUMPS_LIBRARY="${mumps_soname}")
  endif()
endfunction()
