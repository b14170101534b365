# add_view(NAME source… [USES thorn…] [LIBRARIES lib…])
#
# Makes the program NAME from sources that include <cereus/view.hpp>. Its kernels lie in headers that the first source includes by
# "…": what these hold is what a device compiles time tiles from when the program runs. The same line works in the source
# tree and after find_package(Cereus).
function(add_view NAME)
  cmake_parse_arguments(PARSE_ARGV 1 VIEW "" "" "USES;LIBRARIES")
  set(sources ${VIEW_UNPARSED_ARGUMENTS})
  if(NOT sources)
    message(FATAL_ERROR "add_view(${NAME}): name its sources, as in add_view(${NAME} main.cpp)")
  endif()
  list(TRANSFORM sources PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ REGEX "^[^/]")
  list(GET sources 0 main)
  cmake_path(GET main PARENT_PATH folder)
  set(there ${CMAKE_CURRENT_BINARY_DIR}/${NAME}_view)
  cereus_include_dirs(include_dirs ${VIEW_USES})
  list(APPEND include_dirs ${folder})

  set(text ${there}/source.cpp)
  list(JOIN include_dirs "|" joined)
  add_custom_command(OUTPUT ${text} DEPFILE ${text}.d VERBATIM COMMENT "Embedding the kernels of ${NAME}"
    COMMAND ${CMAKE_COMMAND} -DPROGRAM=${main} -DKERNELS=${there}/kernels.hpp "-DINCLUDE_DIRS=${joined}" -DOUTPUT=${text}
      -P ${CEREUS_CMAKE_DIR}/embed.cmake
    DEPENDS ${CEREUS_CMAKE_DIR}/embed.cmake ${main})
  if(CEREUS_WITH_CUDA)  # kernels are compiled for host and device at once, by nvcc
    list(REMOVE_AT sources 0)
    file(WRITE ${there}/main.cu.new "#include \"${main}\"\n")
    file(COPY_FILE ${there}/main.cu.new ${there}/main.cu ONLY_IF_DIFFERENT)
    list(APPEND sources ${there}/main.cu)
  endif()
  add_executable(${NAME} ${sources} ${text})
  target_include_directories(${NAME} PRIVATE ${include_dirs})
  target_link_libraries(${NAME} PRIVATE Cereus::flags Cereus::view ${VIEW_LIBRARIES})
  target_compile_options(${NAME} PRIVATE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fmax-errors=1 -ftemplate-backtrace-limit=14>)
  set_target_properties(${NAME} PROPERTIES LINKER_LANGUAGE CXX)
  if(CEREUS_WITH_CUDA)
    target_link_libraries(${NAME} PRIVATE CUDA::cudart)
    set_target_properties(${NAME} PROPERTIES BUILD_RPATH "$<TARGET_FILE_DIR:CUDA::cudart>")
  endif()
endfunction()
