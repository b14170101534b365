// A parameter file or an arrangement, as a stranger may have written it.
#include "parameter/parameter_file.hpp"

#include "fuzz.hpp"

void cereus_fuzz(std::string_view bytes) {
  const std::string text(bytes);
  cereus::Problems problems;
  cereus::ParameterFile file = cereus::parameter_file_from(cereus::parse_yaml(text, "file.yaml", problems), problems);
  const cereus::Arrangement arrangement =
      cereus::arrangement_from(cereus::parse_yaml(text, "arrangement.yaml", problems), problems);
  cereus::merge(file, arrangement, problems);
  cereus::apply_set(file, text.substr(0, 200), problems);
  for (const auto& problem : problems.list())
    if (problem.text().empty()) cereus_fuzz_failed("a problem without a text");
}
