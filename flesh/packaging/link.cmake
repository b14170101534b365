# cpack runs it between the installation and the package: /usr/bin/cereus.
file(MAKE_DIRECTORY ${CPACK_TEMPORARY_DIRECTORY}/usr/bin)
file(CREATE_LINK /opt/cereus/bin/cereus ${CPACK_TEMPORARY_DIRECTORY}/usr/bin/cereus SYMBOLIC)
