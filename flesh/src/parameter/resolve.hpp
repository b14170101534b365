// Turns what the runner wrote into values, checking every key against what the thorns declare.
#pragma once

#include "parameter_file.hpp"

#include <cereus/parameter.hpp>

#include <map>
#include <string>
#include <vector>

namespace cereus {

/// What is known of one thorn before the run; the flesh's own parameters come as the active thorn `Cereus`.
struct ThornParameters {
  std::string name, description;
  std::vector<ParameterSpec> specs;
  bool active = false;
};

/// The parameters of all active thorns. All mistakes go to `problems`, the use of old names to `warnings`.
std::map<std::string, Parameters> resolve(const ParameterFile& file, const std::vector<ThornParameters>& known,
    Problems& problems, std::vector<std::string>& warnings);

/// What the parameter is for, in brackets: the end of a message about it.
std::string doc_of(const ParameterSpec&);

/// The value that a node gives to a parameter, or a problem and the default. Also used when steering.
Value read_value(const YamlNode& node, const ParameterSpec& spec, const std::string& thorn, Problems& problems);

}  // namespace cereus
