// Parameters as text: for the terminal, and as the complete parameter file of a run.
#pragma once

#include "resolve.hpp"

#include <map>
#include <string>
#include <vector>

namespace cereus {

/// One parameter: a line with type, range and default, then what it means.
std::string describe_parameter(const ParameterSpec& spec);

/// A thorn: its purpose and all its parameters.
std::string describe_thorn(const ThornParameters& thorn);

/// A parameter file without arrangements that gives all values of all active thorns; it reads back to the same values.
/// Thorns come in the order given, which decides ties in the schedule; by name if none is given.
std::string resolved_yaml(const std::map<std::string, Parameters>& active, std::vector<std::string> thorns = {});

}  // namespace cereus
