// What a runner asks for: arrangements, thorns, and a block of parameters a thorn; not yet checked.
#pragma once

#include "yaml_file.hpp"

#include <map>
#include <string>
#include <vector>

namespace cereus {

struct Named {
  std::string name;
  Where where;
};

/// Who gave a value; the later ones win.
enum class Origin { arrangement, file, command_line };

struct Setting {
  YamlNode value;
  Where key_where;
  Origin origin = Origin::file;
};

/// The parameters given for one thorn.
struct ThornBlock {
  Where where;
  std::map<std::string, Setting> settings;
};

struct ParameterFile {
  std::string path;
  std::vector<Named> arrangements, thorns;
  std::vector<Named> equations;           ///< texts of thorns, each with the place of its first character
  std::map<std::string, Named> stencils;  ///< texts of stencil programs, by thorn
  std::map<std::string, ThornBlock> blocks;
};

/// A named list of thorns that belong together, with default parameters. Its name is that of the file.
struct Arrangement {
  std::string name, description;
  std::vector<Named> thorns;
  std::map<std::string, ThornBlock> blocks;
};

/// From the document of a file, as load_yaml returns it. An arrangement is called as its file.
ParameterFile parameter_file_from(YamlNode document, Problems& problems);
Arrangement arrangement_from(YamlNode document, Problems& problems);

/// Adds an arrangement's thorns, and its parameters where the file says nothing.
/// Two arrangements that want different values are a problem, unless the file decides.
void merge(ParameterFile& file, const Arrangement& arrangement, Problems& problems);

/// `--set Thorn.key=value`: wins over the file. The value is YAML.
void apply_set(ParameterFile& file, const std::string& assignment, Problems& problems);

}  // namespace cereus
