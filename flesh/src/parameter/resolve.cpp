// Holds the file against the declarations; whatever does not fit is said with its place and the mend.
#include "resolve.hpp"

#include <cereus/text.hpp>

#include <algorithm>
#include <set>

namespace cereus {
namespace {
/// A default that its own declaration forbids is the thorn's mistake, but would else surface in the run.
void check_default(const ParameterSpec& spec, const std::string& thorn, Problems& problems) {
  if (spec.required) return;
  const std::size_t length = spec.default_value.elements().size();
  const bool right_length = !spec.list || (length >= spec.min_length && length <= spec.max_length);
  if (!right_length || !spec.range.contains(spec.default_value))
    problems.add("thorn " + thorn + " is wrong: the default of " + thorn + "." + spec.name + " = " +
                 to_yaml(spec.default_value) + ", but it must be " + requirement(spec));
}

class Resolver {
 public:
  Resolver(const ParameterFile& file, const std::vector<ThornParameters>& known, Problems& problems,
      std::vector<std::string>& warnings)
      : file_(file),
        known_(known),
        problems_(problems),
        warnings_(warnings) {
    for (const ThornParameters& thorn : known) names_.push_back(thorn.name);
  }

  std::map<std::string, Parameters> run() {
    for (const Named& thorn : file_.thorns) check_listed(thorn);
    for (const auto& [name, block] : file_.blocks) check_block(name, block);
    std::map<std::string, Parameters> result;
    for (const ThornParameters& thorn : known_)
      if (thorn.active) result.emplace(thorn.name, parameters(thorn));
    return result;
  }

 private:
  const ThornParameters* find(const std::string& name) const {
    const auto found = std::find_if(known_.begin(), known_.end(), [&](const auto& t) { return t.name == name; });
    return found == known_.end() ? nullptr : &*found;
  }

  void check_listed(const Named& thorn) {
    if (thorn.name == "Cereus") problems_.add(thorn.where, "'Cereus' is the flesh and always there; remove it");
    else if (!find(thorn.name)) no_such_thorn(thorn.name, thorn.where, names_);
  }

  void check_block(const std::string& name, const ThornBlock& block) {
    const ThornParameters* thorn = find(name);
    std::vector<std::string> candidates = names_;
    candidates.insert(candidates.end(), {"thorns", "arrangements"});
    if (!thorn) no_such_thorn(name, block.where, candidates);
    else if (!thorn->active)
      problems_.add(block.where, "'" + name + "' is not active; add it to thorns: or remove this block");
  }

  void no_such_thorn(const std::string& name, const Where& where, const std::vector<std::string>& candidates) {
    problems_.add(where, "no thorn is called '" + name + "'" + did_you_mean(name, candidates));
  }

  Parameters parameters(const ThornParameters& thorn) {
    static const ThornBlock nothing;
    const auto found = file_.blocks.find(thorn.name);
    const ThornBlock& block = found == file_.blocks.end() ? nothing : found->second;
    Parameters result(thorn.name, thorn.specs);
    std::set<std::string> used;
    for (const ParameterSpec& spec : thorn.specs) {
      check_default(spec, thorn.name, problems_);
      if (const Setting* setting = pick(thorn.name, spec, block, used))
        result.set(spec.name, read_value(setting->value, spec, thorn.name, problems_), setting->value.where);
      else if (spec.required)
        problems_.add(block.where.file.empty() ? Where{file_.path} : block.where,
            thorn.name + "." + spec.name + " must be given: " + requirement(spec) + doc_of(spec));
    }
    for (const auto& [key, setting] : block.settings)
      if (!used.count(key)) no_such_parameter(thorn, key, setting.key_where);
    for (const ParameterSpec& spec : thorn.specs) warn_without_effect(spec, result);
    return result;
  }

  /// A file that gives all parameters, as a run writes it, gives defaults.
  void warn_without_effect(const ParameterSpec& spec, const Parameters& values) {
    if (spec.with.empty() || !values.changed(spec.name)) return;
    const std::string value = to_yaml(values[spec.with]);
    if (spec.with_values.empty() ? values.changed(spec.with) : std::ranges::count(spec.with_values, value) > 0) return;
    warnings_.push_back(Problem{values.where(spec.name),
        values.thorn() + "." + spec.name + " has no effect with " + spec.with + ": " + value + ", only with " +
            condition(spec) + (spec.with_values.empty() ? " given" : "") + "; remove one of the two"}
                            .text());
  }

  /// The setting of a parameter under its name or an old one: of several the one with the strongest origin.
  const Setting* pick(
      const std::string& thorn, const ParameterSpec& spec, const ThornBlock& block, std::set<std::string>& used) {
    std::vector<std::string> names{spec.name};
    names.insert(names.end(), spec.aliases.begin(), spec.aliases.end());
    const Setting* best = nullptr;
    std::string best_name;
    for (const std::string& name : names) {
      const auto found = block.settings.find(name);
      if (found == block.settings.end()) continue;
      const Setting& setting = found->second;
      used.insert(name);
      if (name != spec.name)
        warnings_.push_back(
            Problem{setting.key_where, thorn + "." + name + " is now called '" + spec.name + "'; please rename it"}
                .text());
      if (best && best->origin == setting.origin)
        problems_.add(setting.key_where,
            thorn + "." + name + " is the old name of '" + best_name + "', which is given too; remove one of the two");
      if (!best || best->origin < setting.origin) {
        best = &setting;
        best_name = name;
      }
    }
    return best;
  }

  void no_such_parameter(const ThornParameters& thorn, const std::string& key, const Where& where) {
    std::vector<std::string> names;
    for (const ParameterSpec& spec : thorn.specs) names.push_back(spec.name);
    const std::string near = nearest(key, names);
    std::string message = thorn.name + " has no parameter '" + key + "'";
    for (const ParameterSpec& spec : thorn.specs)
      if (spec.name == near) message += "; did you mean '" + near + "'?" + doc_of(spec);
    if (names.empty()) message += "; it has none at all";
    else if (near.empty()) message += "; it has " + join(names, ", ");
    problems_.add(where, message);
  }

  const ParameterFile& file_;
  const std::vector<ThornParameters>& known_;
  Problems& problems_;
  std::vector<std::string>& warnings_;
  std::vector<std::string> names_;
};

}  // namespace

std::map<std::string, Parameters> resolve(const ParameterFile& file, const std::vector<ThornParameters>& known,
    Problems& problems, std::vector<std::string>& warnings) {
  return Resolver(file, known, problems, warnings).run();
}

}  // namespace cereus
