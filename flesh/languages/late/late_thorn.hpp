// How texts become thorns: what the parts of this library know of each other. The flesh knows run/languages.hpp.
#pragma once
#include "run/languages.hpp"
namespace cereus {
namespace equations {
struct Thorn;
}
LateThorns take_late(ParameterFile&, Problems&);
std::string as_yaml(const LateThorns&);
// Throw one Error with all mistakes of the text, which begins at `start`. What a program says of its grid becomes
// parameters of other thorns, where the file says nothing.
LateThorn late_equations(const Where& start, const std::string& text);
LateThorn late_program(const Where& start, const std::string& text, const std::string& name, ParameterFile&);
// The operations are those of the formula, in the same order: the same bits as of a kernel that goes through its steps.
AssignmentThorn late_assignment(const std::string& target, const Formula&);
// Schedules kernels that are not compiled but carried out operation by operation, on the host.
void interpret(std::shared_ptr<const equations::Thorn>, const CompileFor&, Schedule&);
// As group_key says it of a struct template.
std::string struct_key(const std::string& name_space, const std::string& type);
Plugin compile(const LateThorn&, const CompileFor&);
bool is_compiled(const LateThorn&, const CompileFor&);
int check_or_write(const Options&);  // `cereus equations`
}  // namespace cereus
