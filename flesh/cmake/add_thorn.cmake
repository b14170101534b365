# add_thorn(NAME [USES thorn…] [LIBRARIES lib…] [SOURCES file…] [VARIANTS variant…] [PARTS n] [COLD] [GPL])
#
# Makes lib/cereus/thorns/NAME.so from src/*.cpp and src/*.cu (or from SOURCES, relative to the thorn's folder). A thorn
# with src/kernels.hpp has the loops of its kernels in libraries apart, NAME.d3f64.so and the like, one a dimension and scalar type.
# They are made from src/NAME.cpp: all that CEREUS_VARIANTS names; after VARIANTS, those named there; after VARIANTS none, none.
# A run builds and opens those of its own dimension and type (cereus/kernel_loops.hpp). Loops that take long are compiled in so many PARTS.
# A part costs what NAME.cpp itself takes to compile: worth it for thorns of equations. With CUDA there is one.
# A library of loops keeps of NAME.cpp the loops alone: functions that other sources of the thorn call lie in another file.
# COLD: little of the thorn takes time at run time; in the source tree it is optimised for the time that compilation takes.
# add_thorn also makes the test NAME_tests from tests/*_test.cpp, and installs include/ for other thorns. It sees the headers of the flesh, its own and
# those of the thorns that it USES. The same line works in the source tree and after find_package(Cereus). A GPL thorn is
# built only with -DCEREUS_GPL=ON: its licence then holds for the whole.
#
# add_equations(NAME FILE.edl [USES thorn…] [LIBRARIES lib…] [PARTS n])
#
# The same from a file of equations: `cereus equations` writes the thorn's sources into the build folder.
#
# add_stencil(NAME FILE.stencil)
#
# The same from a stencil program.
#
# add_thorn_headers(NAME [USES thorn…])
#
# The same for a folder that has headers alone: there is nothing to build.
option(CEREUS_GPL "Build thorns that link GPL libraries" OFF)
set(CEREUS_GENERATOR Cereus::cereus CACHE STRING "What writes the sources of thorns of equations: an executable cereus")
set(CEREUS_CMAKE_DIR ${CMAKE_CURRENT_LIST_DIR})
set(CEREUS_VARIANTS d1f32 d1f64 d2f32 d2f64 d3f32 d3f64 CACHE STRING "Dimensions and scalar types for which kernels are compiled")

# cereus_compile_together(TARGET [file…]): in the source tree, what these files (all of the target) include is compiled once. In thorns elsewhere
# names of two unnamed namespaces may be the same, or overload a function that the files behind call: they are compiled file by file.
function(cereus_compile_together TARGET)
  set(files ${ARGN})
  if(NOT files)
    get_target_property(files ${TARGET} SOURCES)
  endif()
  list(FILTER files EXCLUDE REGEX "\\.cu$")  # CMake 3.25 compiles them one by one, 3.31 does not
  list(LENGTH files count)
  if(NOT CEREUS_TOGETHER OR count LESS 2)
    return()
  endif()
  set_target_properties(${TARGET} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  math(EXPR groups "(${count} + 12) / 13")
  set(at 0)
  foreach(file IN LISTS files)
    math(EXPR group "${at} * ${groups} / ${count}")
    math(EXPR at "${at} + 1")
    cmake_path(GET file PARENT_PATH folder)
    cmake_path(GET folder STEM folder)
    set_source_files_properties(${file} PROPERTIES UNITY_GROUP ${folder}${group})
  endforeach()
endfunction()

function(add_thorn NAME)
  cmake_parse_arguments(PARSE_ARGV 1 THORN "COLD;GPL" "EQUATIONS;PARTS" "USES;LIBRARIES;SOURCES;VARIANTS")
  if(THORN_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "add_thorn(${NAME}): what is '${THORN_UNPARSED_ARGUMENTS}'?")
  endif()
  if(NOT NAME MATCHES "^[A-Za-z][A-Za-z0-9_]*$")
    message(FATAL_ERROR "add_thorn(${NAME}): a thorn's name is a letter, then letters, digits and underscores")
  endif()
  if(THORN_GPL AND NOT CEREUS_GPL)
    message(STATUS "Thorn ${NAME} uses GPL libraries: skipped (CEREUS_GPL=ON builds it)")
    return()
  endif()
  set(here ${CMAKE_CURRENT_SOURCE_DIR})
  set(there ${CMAKE_CURRENT_BINARY_DIR})
  set(src ${here}/src)
  if(THORN_EQUATIONS)
    set(src ${there}/src)
    set(THORN_SOURCES ${src}/${NAME}.cpp)
    set(generator ${CEREUS_GENERATOR})
    if(TARGET languages AND CEREUS_GENERATOR STREQUAL Cereus::cereus)  # which that opens
      list(APPEND generator languages)
    endif()
    add_custom_command(OUTPUT ${src}/kernels.hpp ${src}/${NAME}.cpp VERBATIM COMMENT "Equations of ${NAME}"
      COMMAND ${CEREUS_GENERATOR} equations ${here}/${THORN_EQUATIONS} --thorn ${NAME} --write ${src}
      DEPENDS ${here}/${THORN_EQUATIONS} ${generator})
    add_custom_target(${NAME}_sources DEPENDS ${src}/kernels.hpp)
  elseif(NOT THORN_SOURCES)
    file(GLOB THORN_SOURCES CONFIGURE_DEPENDS ${src}/*.cpp)
    if(CEREUS_WITH_CUDA)
      file(GLOB device CONFIGURE_DEPENDS ${src}/*.cu)
      list(APPEND THORN_SOURCES ${device})
    endif()
  endif()
  list(TRANSFORM THORN_SOURCES PREPEND ${here}/ REGEX "^[^/]")
  cereus_include_dirs(include_dirs ${THORN_USES})

  if(THORN_EQUATIONS)
    file(STRINGS ${here}/${THORN_EQUATIONS} THORN_VARIANTS REGEX "^dimensions ")  # "dimensions 2, 3"
    list(TRANSFORM THORN_VARIANTS REPLACE "[^123]+([123])" "d\\1f32;d\\1f64;")
  endif()
  set(variants "")
  if((THORN_EQUATIONS OR EXISTS ${src}/kernels.hpp) AND ${src}/${NAME}.cpp IN_LIST THORN_SOURCES)
    set(variants ${CEREUS_VARIANTS})
    foreach(variant IN LISTS CEREUS_VARIANTS)
      if(THORN_VARIANTS AND NOT variant IN_LIST THORN_VARIANTS)
        list(REMOVE_ITEM variants ${variant})
      endif()
    endforeach()
  endif()

  # What kernels are compiled from at run time travels inside the library.
  set(text ${there}/${NAME}_source.cpp)
  set(hashed ${here}/${THORN_EQUATIONS})  # from which the sources are written
  if(NOT THORN_EQUATIONS)
    file(GLOB hashed CONFIGURE_DEPENDS ${src}/*.cpp ${src}/*.hpp ${src}/*.cu)
  endif()
  list(JOIN hashed "|" hashed)
  list(JOIN include_dirs "|" joined)
  add_custom_command(OUTPUT ${text} DEPFILE ${text}.d VERBATIM COMMENT "Embedding the kernels of ${NAME}"
    COMMAND ${CMAKE_COMMAND} -DKERNELS=${src}/kernels.hpp "-DINCLUDE_DIRS=${joined}" -DOUTPUT=${text}
      -DNAME=${NAME} "-DVARIANTS=${variants}" "-DHASHED=${hashed}" -P ${CEREUS_CMAKE_DIR}/embed.cmake
    DEPENDS ${CEREUS_CMAKE_DIR}/embed.cmake $<$<BOOL:${THORN_EQUATIONS}>:${src}/kernels.hpp>)

  set_source_files_properties(${text} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)

  # Objects first, so that the thorn's tests reach what the library hides. NAME.cpp is apart where loops are made from it; a thorn
  # without loops has all of its sources in NAME_declaration.
  add_library(${NAME}_objects OBJECT ${text})
  add_library(${NAME}_declaration OBJECT)
  if(variants)
    list(REMOVE_ITEM THORN_SOURCES ${src}/${NAME}.cpp)
    target_sources(${NAME}_declaration PRIVATE ${src}/${NAME}.cpp)
    target_sources(${NAME}_objects PRIVATE ${THORN_SOURCES})
    cereus_compile_together(${NAME}_objects ${THORN_SOURCES})
  else()
    target_sources(${NAME}_declaration PRIVATE ${THORN_SOURCES})
    cereus_compile_together(${NAME}_declaration ${THORN_SOURCES})
  endif()
  foreach(part objects declaration)
    cereus_compile_thorn(${NAME}_${part} ${src} "${THORN_LIBRARIES}" ${include_dirs})
    cereus_define_variant(${NAME}_${part} apart)
  endforeach()

  if(variants OR THORN_COLD)  # where there are loops, they are elsewhere
    target_compile_options(${NAME}_declaration PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${CEREUS_COLD_FLAGS}>)
  endif()

  add_library(${NAME} MODULE)
  target_link_libraries(${NAME} PRIVATE ${NAME}_objects ${NAME}_declaration Cereus::flesh)
  cereus_runs_anywhere(${NAME})
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CEREUS_THORN_TARGETS ${NAME})
  if(TARGET flesh)  # in the source tree; elsewhere NAME/build/NAME.so, where a search path with NAME's parent looks
    set_property(TARGET ${NAME} PROPERTY LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${CEREUS_THORNS})
  else()
    set_property(TARGET ${NAME} PROPERTY LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  endif()
  if(TARGET flesh)  # a first run builds the thorns that its file names
    install(TARGETS ${NAME} DESTINATION ${CEREUS_THORNS} OPTIONAL)
  else()
    install(TARGETS ${NAME} DESTINATION ${CEREUS_THORNS})
  endif()
  foreach(variant IN LISTS variants)
    cereus_add_loops(${NAME} ${variant} "${THORN_PARTS}" ${src} "${THORN_LIBRARIES}" ${include_dirs})
  endforeach()
  cereus_install_headers(${NAME})
  cereus_thorn_tests(${NAME} ${src} ${include_dirs})
endfunction()

# What all thorns include is compiled beforehand, once in the source tree or in a tree of somebody's own thorns.
function(cereus_precompile_thorn_headers)
  file(CONFIGURE OUTPUT thorn_headers.cpp CONTENT "")
  add_library(thorn_headers OBJECT EXCLUDE_FROM_ALL ${CMAKE_CURRENT_BINARY_DIR}/thorn_headers.cpp)
  get_target_property(dirs Cereus::flesh INTERFACE_INCLUDE_DIRECTORIES)
  cereus_compile_thorn(thorn_headers "" "" ${dirs})
  target_precompile_headers(thorn_headers PRIVATE <cereus/precompiled.hpp>)
endfunction()

# What the code of a target is for: loops of a variant, or "apart" from them.
function(cereus_define_variant NAME MODE)
  if(MODE STREQUAL "apart")
    target_compile_definitions(${NAME} PRIVATE CEREUS_LOOPS_APART)
  else()
    string(SUBSTRING ${MODE} 1 1 dimension)
    target_compile_definitions(${NAME} PRIVATE CEREUS_VARIANT CEREUS_DIMENSION=${dimension}
      CEREUS_REAL=$<IF:$<BOOL:$<FILTER:${MODE},INCLUDE,f32>>,float,double>)
    target_compile_options(${NAME} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fwhole-program>)  # what no loop calls is left out
  endif()
  if(TARGET thorn_headers)
    target_precompile_headers(${NAME} REUSE_FROM thorn_headers)
  endif()
endfunction()

# How the sources of a thorn are compiled.
function(cereus_compile_thorn TARGET SRC LIBRARIES)
  target_include_directories(${TARGET} PUBLIC ${ARGN} ${SRC})
  target_link_libraries(${TARGET} PUBLIC Cereus::flags ${LIBRARIES})
  if(TARGET public_headers)
    add_dependencies(${TARGET} public_headers)
  endif()
  # A mistake in a kernel is one in each of its variants.
  target_compile_options(${TARGET} PRIVATE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fmax-errors=1 -ftemplate-backtrace-limit=14>)
  if(MPI::MPI_C IN_LIST LIBRARIES AND CEREUS_MPI_FLAVOUR AND "${TARGET}" MATCHES "_declaration$")  # where the descriptor is
    target_compile_definitions(${TARGET} PRIVATE "CEREUS_MPI_FLAVOUR=\"${CEREUS_MPI_FLAVOUR}\"")
  endif()
  if(TARGET cereus_warnings)
    target_link_libraries(${TARGET} PRIVATE cereus_warnings)
  endif()
  if(CEREUS_WITH_CUDA)
    target_link_libraries(${TARGET} PUBLIC CUDA::cudart)
  endif()
endfunction()

# NAME.d3f64.so: the loops of a thorn in three dimensions and double. With CUDA, nvcc compiles them, for host and device at once.
function(cereus_add_loops NAME VARIANT PARTS SRC LIBRARIES)
  set(target ${NAME}.${VARIANT})
  set(source ${SRC}/${NAME}.cpp)
  set(sources ${source})
  if(NOT PARTS OR CEREUS_WITH_CUDA)  # nvcc and g++ spell the names of types differently, and would not agree on a kernel's part
    set(PARTS 1)
  endif()
  if(CEREUS_WITH_CUDA OR PARTS GREATER 1)
    set(sources "")
    math(EXPR last "${PARTS} - 1")
    foreach(part RANGE ${last})
      set(file ${CMAKE_CURRENT_BINARY_DIR}/${NAME}.${part}.cpp)
      if(CEREUS_WITH_CUDA)
        string(REGEX REPLACE "cpp$" "cu" file ${file})
      endif()
      list(APPEND sources ${file})
      set(export "")
      if(part GREATER 0)  # the first one exports for all
        set(export "#undef CEREUS_THORN\n#define CEREUS_THORN(...)\n")
      endif()
      file(CONFIGURE OUTPUT ${file} @ONLY CONTENT [[
#include <cereus/thorn.hpp>
@export@static_assert(__cplusplus >= 202002L, "nvcc did not get -std=c++20");
template <class K> struct cereus::detail::ThisPart<K, void> {
  static constexpr bool has(unsigned long hash) { return hash % @PARTS@ == @part@; }
};
#include "@source@"
]])
    endforeach()
  endif()
  add_library(${target} MODULE ${sources})
  if(PARTS GREATER 1 AND NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_link_options(${target} PRIVATE -Wl,-z,muldefs)  # each part has the thorn's functions, which nobody calls
  endif()
  cereus_compile_thorn(${target} ${SRC} "${LIBRARIES}" ${ARGN})
  cereus_define_variant(${target} ${VARIANT})
  target_link_libraries(${target} PRIVATE ${NAME}_objects Cereus::flesh)
  cereus_runs_anywhere(${target})
  set_property(TARGET ${target} PROPERTY LIBRARY_OUTPUT_DIRECTORY $<TARGET_PROPERTY:${NAME},LIBRARY_OUTPUT_DIRECTORY>)
  if(TARGET loops)
    add_dependencies(loops ${target})
  endif()
  if((CEREUS_TESTS OR NOT TARGET flesh) AND VARIANT MATCHES "f32")  # few runs are in float: these build what they need
    set_property(TARGET ${target} PROPERTY EXCLUDE_FROM_ALL ON)
  endif()
  install(TARGETS ${target} DESTINATION ${CEREUS_THORNS} OPTIONAL)
endfunction()

function(add_equations NAME FILE)
  add_thorn(${NAME} EQUATIONS ${FILE} ${ARGN})
endfunction()

function(add_stencil NAME FILE)
  add_thorn(${NAME} EQUATIONS ${FILE} ${ARGN})
endfunction()

function(add_thorn_headers NAME)
  cmake_parse_arguments(PARSE_ARGV 1 THORN "" "" "USES")
  if(THORN_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "add_thorn_headers(${NAME}): what is '${THORN_UNPARSED_ARGUMENTS}'?")
  endif()
  cereus_include_dirs(include_dirs ${THORN_USES})  # sees that all of them are there
  cereus_install_headers(${NAME})
  cereus_thorn_tests(${NAME} ${CMAKE_CURRENT_SOURCE_DIR}/src ${include_dirs})
endfunction()

# Installed, a thorn's headers keep their own folder, and the recipe beside it says what they use.
function(cereus_install_headers NAME)
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/include)
    install(DIRECTORY include DESTINATION ${CEREUS_THORN_HEADERS}/${NAME})
    install(FILES CMakeLists.txt DESTINATION ${CEREUS_THORN_HEADERS}/${NAME})
  endif()
endfunction()

# The folder of a thorn whose headers are used: next door, in the source tree or installed.
function(cereus_folder_of RESULT NAME)
  foreach(folder IN ITEMS ${CMAKE_CURRENT_SOURCE_DIR}/../${NAME} ${CEREUS_THORN_FOLDERS}/${NAME})
    cmake_path(NORMAL_PATH folder)
    if(EXISTS ${folder}/include AND EXISTS ${folder}/CMakeLists.txt)
      set(${RESULT} ${folder} PARENT_SCOPE)
      return()
    endif()
    list(APPEND looked ${folder})
  endforeach()
  list(JOIN looked " nor " looked)
  message(FATAL_ERROR "USES ${NAME}: neither ${looked} is a thorn with a folder include")
endfunction()

# What the recipe in a thorn's folder says after USES.
function(cereus_uses RESULT FOLDER)
  file(READ ${FOLDER}/CMakeLists.txt recipe)
  string(REGEX REPLACE "#[^\n]*" "" recipe "${recipe}")
  string(REGEX MATCH "add_(thorn|thorn_headers|equations)\\([^)]*[ \n]USES[ \n]([^)]*)" _ "${recipe}")
  string(REGEX REPLACE "[ \n](LIBRARIES|SOURCES|VARIANTS|PARTS|COLD|GPL)([ \n].*|$)" "" uses " ${CMAKE_MATCH_2}")
  string(REGEX MATCHALL "[A-Za-z0-9_]+" uses "${uses}")
  set(${RESULT} ${uses} PARENT_SCOPE)
endfunction()

# cereus_include_dirs(RESULT thorn…): where #include <X/…> is looked for, with what those thorns use in turn.
function(cereus_include_dirs RESULT)
  get_target_property(dirs Cereus::flesh INTERFACE_INCLUDE_DIRECTORIES)
  string(REGEX REPLACE "\\$<BUILD_INTERFACE:([^>]*)>" "\\1" dirs "${dirs}")
  list(FILTER dirs EXCLUDE REGEX "\\$<")
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/include)
    list(APPEND dirs ${CMAKE_CURRENT_SOURCE_DIR}/include)
  endif()
  set(todo ${ARGN})
  set(seen "")
  while(todo)
    list(POP_FRONT todo name)
    if(NOT name IN_LIST seen)
      list(APPEND seen ${name})
      cereus_folder_of(folder ${name})
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/CMakeLists.txt)
      list(APPEND dirs ${folder}/include)
      cereus_uses(more ${folder})
      list(APPEND todo ${more})
    endif()
  endwhile()
  list(REMOVE_DUPLICATES dirs)
  set(${RESULT} ${dirs} PARENT_SCOPE)
endfunction()

# A library or test that finds libcereus.so, cudart and its own libraries in the build tree and when installed.
function(cereus_runs_anywhere TARGET)
  set_target_properties(${TARGET} PROPERTIES PREFIX "" LINKER_LANGUAGE CXX INSTALL_RPATH "$ORIGIN/../..")
  if(CEREUS_WITH_CUDA)
    set_target_properties(${TARGET} PROPERTIES
      BUILD_RPATH "$<TARGET_FILE_DIR:CUDA::cudart>" INSTALL_RPATH "$ORIGIN/../..;$<TARGET_FILE_DIR:CUDA::cudart>")
  endif()
endfunction()

# cereus_thorn_tests(NAME SRC dir…): NAME_tests from tests/*_test.cpp; in the source tree it may use what the flesh hides. With CUDA,
# nvrtc_NAME as well, of SRC/kernels.hpp.
function(cereus_thorn_tests NAME SRC)
  if(NOT CEREUS_TESTS)
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/tests/*_test.cpp)
  if(sources)
    find_package(GTest REQUIRED)
    add_executable(${NAME}_tests ${sources})
    target_link_libraries(${NAME}_tests PRIVATE GTest::gtest_main)
    target_compile_options(${NAME}_tests PRIVATE -O1 -Dalways_inline=unused)  # their compilation takes longer than they run
    if(TARGET ${NAME}_objects)
      target_link_libraries(${NAME}_tests PRIVATE ${NAME}_objects ${NAME}_declaration)
    else()  # headers alone
      target_include_directories(${NAME}_tests PRIVATE ${ARGN})
    endif()
    target_link_libraries(${NAME}_tests PRIVATE $<IF:$<TARGET_EXISTS:flesh_inside>,flesh_inside,Cereus::flesh>)
    cereus_runs_anywhere(${NAME}_tests)
    if(TARGET test_headers)
      target_precompile_headers(${NAME}_tests REUSE_FROM test_headers)
    endif()
    add_test(NAME thorn_${NAME} COMMAND ${NAME}_tests)
    set_tests_properties(thorn_${NAME} PROPERTIES LABELS thorn TIMEOUT 300)
    if(TARGET flesh_inside)  # for those that compile something
      set_tests_properties(thorn_${NAME} PROPERTIES ENVIRONMENT CEREUS_SOURCE=${CMAKE_SOURCE_DIR})
    endif()
  endif()
  if(TARGET nvrtc_check AND (EXISTS ${SRC}/kernels.hpp OR SRC MATCHES "^${CMAKE_CURRENT_BINARY_DIR}"))
    add_test(NAME nvrtc_${NAME} COMMAND nvrtc_check sm_90 kernels.hpp ${SRC} ${ARGN})
    set_tests_properties(nvrtc_${NAME} PROPERTIES LABELS nvrtc)
  endif()
endfunction()
