# cmake "-DSOURCES=flesh/include|thorns/AcceleratorCUDA/include" "-DHASHED=flesh/include" -DOUTPUT=build/include -DAWK=awk -P public_headers.cmake
#
# What is compiled against are the public headers, and those of a device's loops, which become part of thorns: without comments
# and empty lines. A copy changes only when a declaration does, so a comment rebuilds no thorn, and leaves the hash of the
# ABI and caches of compiled code as they are.
# Also writes cereus/abi_headers.hpp with that hash, of the headers of HASHED: without CUDA no thorn has a device's loops.
cmake_minimum_required(VERSION 3.25)
string(REPLACE "|" ";" SOURCES "${SOURCES}")
string(REPLACE "|" ";" HASHED "${HASHED}")
set(all "")
set(hashed "")
foreach(source IN LISTS SOURCES)
  file(GLOB_RECURSE headers RELATIVE ${source} ${source}/*.hpp)
  list(APPEND all ${headers})
  if(source IN_LIST HASHED)
    list(APPEND hashed ${headers})
  endif()
  foreach(header IN LISTS headers)
    cmake_path(GET header PARENT_PATH folder)
    file(MAKE_DIRECTORY ${OUTPUT}/${folder})
  endforeach()
  # Two slashes begin a comment unless they stand in a literal; /* … */ stays, and public headers have no raw strings.
  execute_process(WORKING_DIRECTORY ${source} COMMAND_ERROR_IS_FATAL ANY COMMAND ${AWK} -v "out=${OUTPUT}/" [=[
    FNR == 1 { if (to) close(to); to = out FILENAME ".new"; print "// Made from the header of this name in the source tree: edit that one." > to }
    {
      quote = ""; end = length($0)
      for (i = 1; i <= end; ++i) {
        c = substr($0, i, 1)
        if (quote != "") { if (c == "\\") ++i; else if (c == quote) quote = "" }
        else if (c == "\"" || (c == "'" && substr($0, i - 1, 1) !~ /[0-9]/)) quote = c
        else if (c == "/" && substr($0, i + 1, 1) == "/") end = i - 1
      }
      line = substr($0, 1, end); sub(/[ \t]+$/, "", line)
      if (line != "") print line > to
    }
  ]=] ${headers})
endforeach()
set(hashes "")
foreach(header IN LISTS all)
  if(header IN_LIST hashed)
    file(SHA256 ${OUTPUT}/${header}.new hash)
    string(APPEND hashes "${header} ${hash}\n")
  endif()
  file(COPY_FILE ${OUTPUT}/${header}.new ${OUTPUT}/${header} ONLY_IF_DIFFERENT)
  file(REMOVE ${OUTPUT}/${header}.new)
endforeach()
string(MD5 CEREUS_HEADERS "${hashes}")
file(CONFIGURE OUTPUT ${OUTPUT}/cereus/abi_headers.hpp @ONLY CONTENT [[
// A hash of all headers beside this one: flesh/cmake/public_headers.cmake.
#pragma once
namespace cereus {
inline constexpr const char* abi_headers = "@CEREUS_HEADERS@";
}
]])
file(GLOB_RECURSE copies RELATIVE ${OUTPUT} ${OUTPUT}/*.hpp)
list(REMOVE_ITEM copies ${all} cereus/abi_headers.hpp)
list(TRANSFORM copies PREPEND ${OUTPUT}/)
if(copies)
  file(REMOVE ${copies})  # of headers that are gone
endif()
