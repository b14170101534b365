# `cpack -G DEB`: a package for Debian 12 in /opt/cereus, with /usr/bin/cereus. Not in /usr: the executable finds what it needs relative to itself,
# by the rule of the build tree, and Debian's lib/python3 is Debian's. What the libraries need, dpkg-shlibdeps says.
set(CPACK_PACKAGE_NAME cereus)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_VENDOR Cereus)
set(CPACK_PACKAGE_CONTACT "The Cereus authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Simulations on block-structured grids, from thorns that say what they read and write")
set(CPACK_PACKAGING_INSTALL_PREFIX /opt/cereus)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_THREADS 0)  # of the compression
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/${CEREUS_LIB})
set(CPACK_DEBIAN_PACKAGE_DEPENDS "openmpi-bin, fonts-dejavu-core")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++, python3, python3-h5py, python3-matplotlib, python3-numpy, python3-yaml")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "graphviz, slurm-client")
# The link is made when the package is: an installation by `cmake --install` has none outside its prefix.
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/flesh/packaging/link.cmake)
include(CPack)
