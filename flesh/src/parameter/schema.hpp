// A JSON schema of parameter files, with which editors complete, explain and check them.
#pragma once

#include "resolve.hpp"

#include <nlohmann/json.hpp>

namespace cereus {

/// Draft-07, which the YAML language server reads. Numbers may also be expressions, which are strings to a schema.
nlohmann::json json_schema(const std::vector<ThornParameters>& thorns, const std::vector<std::string>& arrangements);

}  // namespace cereus
