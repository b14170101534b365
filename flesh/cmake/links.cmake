# Libraries and executables are linked under another name and then renamed, so that a program which starts beside a build
# finds either the old file or the new one, whole. (A lock that starts share and builds take alone was the other way: each
# process that mpirun starts would have to let it go once its thorns are loaded. A rename needs no such agreement.)
foreach(rule CREATE_SHARED_LIBRARY CREATE_SHARED_MODULE LINK_EXECUTABLE)
  if(NOT CMAKE_CXX_${rule} MATCHES "<TARGET>[.]new")
    string(REPLACE "-o <TARGET>" "-o <TARGET>.new" link "${CMAKE_CXX_${rule}}")
    set(CMAKE_CXX_${rule} "${link}" "mv -f <TARGET>.new <TARGET>")
  endif()
endforeach()
