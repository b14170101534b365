# Decides whether kernels are compiled for devices: sets CEREUS_WITH_CUDA and enables the language.
# Included by the source tree and, through CereusConfig.cmake, by projects outside it.
set(CEREUS_WITH_CUDA OFF)
if(NOT CEREUS_CUDA STREQUAL "OFF")
  find_program(CEREUS_NVCC nvcc HINTS ENV CUDACXX ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin)
  mark_as_advanced(CEREUS_NVCC)
  if(CEREUS_NVCC)
    set(CEREUS_WITH_CUDA ON)
  elseif(NOT CEREUS_CUDA STREQUAL "AUTO")
    message(FATAL_ERROR "CEREUS_CUDA=${CEREUS_CUDA}, but nvcc was not found: "
      "put it on PATH, set CUDACXX, or say CEREUS_CUDA=OFF")
  endif()
endif()
if(CEREUS_WITH_CUDA)
  if(NOT CMAKE_CUDA_COMPILER)
    set(CMAKE_CUDA_COMPILER ${CEREUS_NVCC})
  endif()
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 90)
  endif()
  set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)  # one runtime for all thorns: streams and allocations are shared
  enable_language(CUDA)
  find_package(CUDAToolkit REQUIRED)
endif()
