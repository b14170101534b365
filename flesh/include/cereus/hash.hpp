// By content: what files are found or checked by.
#pragma once
#include <string>
#include <string_view>
namespace cereus {
std::string hash_of(std::string_view bytes);  ///< XXH3, 128 bits, as 32 hexadecimal digits
}  // namespace cereus
