# What `cmake --install` leaves, and the same data linked into the build tree at the same places.
include(CMakePackageConfigHelpers)
foreach(data arrangements parfiles thorns flesh/tools/new-thorn flesh/tools/copy-thorn flesh/tools/editors)
  cmake_path(GET data FILENAME name)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/${CEREUS_SHARE})
  if(EXISTS ${PROJECT_SOURCE_DIR}/${data})
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${data} ${PROJECT_BINARY_DIR}/${CEREUS_SHARE}/${name} SYMBOLIC)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/${data} DESTINATION ${CEREUS_SHARE})
  endif()
endforeach()
# Python finds the package by PYTHONPATH, the executable the commands that are written in it.
if(NOT EXISTS ${PROJECT_BINARY_DIR}/${CEREUS_LIB}/python3)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/${CEREUS_LIB})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/flesh/python ${PROJECT_BINARY_DIR}/${CEREUS_LIB}/python3 SYMBOLIC)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/flesh/python/ DESTINATION ${CEREUS_LIB}/python3 PATTERN __pycache__ EXCLUDE)

install(TARGETS cereus flesh view cereus_flags EXPORT CereusTargets
  RUNTIME DESTINATION ${CEREUS_BIN} LIBRARY DESTINATION ${CEREUS_LIB})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/flesh/include/ DESTINATION include)
install(EXPORT CereusTargets NAMESPACE Cereus:: DESTINATION ${CEREUS_PACKAGE})

configure_package_config_file(${PROJECT_SOURCE_DIR}/flesh/cmake/CereusConfig.cmake.in ${PROJECT_BINARY_DIR}/CereusConfig.cmake
  INSTALL_DESTINATION ${CEREUS_PACKAGE})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/CereusConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/CereusConfig.cmake ${PROJECT_BINARY_DIR}/CereusConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/flesh/cmake/add_thorn.cmake ${PROJECT_SOURCE_DIR}/flesh/cmake/add_view.cmake
  ${PROJECT_SOURCE_DIR}/flesh/cmake/embed.cmake
  ${PROJECT_SOURCE_DIR}/flesh/cmake/cuda.cmake ${PROJECT_SOURCE_DIR}/flesh/cmake/links.cmake DESTINATION ${CEREUS_PACKAGE})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CITATION.cff DESTINATION share/doc/cereus)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION share/doc/cereus)
