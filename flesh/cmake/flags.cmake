# One set of flags for the flesh, for the thorns here and, exported with the package, for thorns elsewhere: results must
# not depend on which tree a thorn was built in. Never -ffast-math; -ffp-contract=off keeps a point's bits the same
# whichever loop it was inlined into.
set(CEREUS_HOST_FLAGS -march=${CEREUS_MARCH} -ffp-contract=off -fno-math-errno -fopenmp)
if(CEREUS_SANITIZE)
  # Compilation takes longer than the tests: nothing is optimised.
  list(APPEND CEREUS_HOST_FLAGS -O0 -g1 -fno-omit-frame-pointer -fsanitize=${CEREUS_SANITIZE})
  if(CEREUS_SANITIZE MATCHES undefined)
    # A finding fails the test. The checks that are left out take a third of the compiler's time; a null pointer ends a run anyway.
    list(APPEND CEREUS_HOST_FLAGS -fno-sanitize-recover=undefined -fno-sanitize=null,alignment,vptr,object-size)
  endif()
endif()

add_library(cereus_flags INTERFACE)
add_library(Cereus::flags ALIAS cereus_flags)
set_target_properties(cereus_flags PROPERTIES EXPORT_NAME flags)
target_compile_features(cereus_flags INTERFACE cxx_std_20)
target_compile_definitions(cereus_flags INTERFACE OMPI_SKIP_MPICXX)  # MPI's C++ bindings are long gone
foreach(flag IN LISTS CEREUS_HOST_FLAGS)
  target_compile_options(cereus_flags INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:${flag}>" "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${flag}>")
endforeach()
# A thorn exports one symbol; the flesh, which sets CEREUS_EXPORTS_ALL, all but what is inline, so that its public headers
# need no export macro at every noun.
set(visibility "-fvisibility=$<IF:$<BOOL:$<TARGET_PROPERTY:CEREUS_EXPORTS_ALL>>,default,hidden>")
target_compile_options(cereus_flags INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:${visibility};-fvisibility-inlines-hidden>"
  "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${visibility}>")
target_link_options(cereus_flags INTERFACE -fopenmp)
if(CEREUS_SANITIZE)
  target_link_options(cereus_flags INTERFACE -fsanitize=${CEREUS_SANITIZE})
  target_compile_definitions(cereus_flags INTERFACE CEREUS_DIMENSION=3)  # one dimension a kernel: it compiles for minutes
else()
  target_link_options(cereus_flags INTERFACE LINKER:--no-undefined)  # a missing symbol shows now, not at dlopen
endif()

# 20011, 20014: visitors of a kernel's members are host code that goes through a function for both.
set(CEREUS_CUDA_FLAGS --expt-relaxed-constexpr --diag-suppress=20011,20014)
if(CEREUS_STRICT)
  list(APPEND CEREUS_CUDA_FLAGS -fmad=false)
  target_compile_definitions(cereus_flags INTERFACE CEREUS_STRICT=1)
endif()
if(CEREUS_WITH_CUDA)  # nvcc knows it itself; g++ is told, so that all objects agree in their ABI descriptor
  math(EXPR cudart "${CUDAToolkit_VERSION_MAJOR} * 1000 + ${CUDAToolkit_VERSION_MINOR} * 10")
  target_compile_definitions(cereus_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:CEREUS_CUDART_VERSION=${cudart}>)
endif()
if(CEREUS_WITH_CUDA AND NOT cuda_std_20 IN_LIST CMAKE_CUDA_COMPILE_FEATURES)
  list(APPEND CEREUS_CUDA_FLAGS -std=c++20)  # CMake 3.25 does not know it for nvcc and would silently compile C++17
endif()
target_compile_options(cereus_flags INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:${CEREUS_CUDA_FLAGS}>")
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)

# Of what runs in no loop over points. Headers compiled beforehand come from a target without them: g++ 12 breaks down where
# these were with -O1 and a source is with -O3. There it takes members of a variant for uninitialized.
set(CEREUS_COLD_FLAGS "")
if(CMAKE_BUILD_TYPE STREQUAL Release AND NOT CEREUS_SANITIZE)
  set(CEREUS_COLD_FLAGS -O1 -Wno-maybe-uninitialized)
endif()

add_library(cereus_warnings INTERFACE)  # for our own sources; how others warn themselves is theirs
target_compile_options(cereus_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds>)  # g++ 12 warns of its own std::string
