// The run behind a program without a thorn, as far as it depends on neither dimension nor type: view.hpp is its
// surface.
#pragma once
#include <cereus/abi.hpp>
#include <cereus/schedule.hpp>
#include <cereus/services.hpp>
namespace cereus::view {
struct Place {  // in the program's text, for messages
  Place(const char* file = __builtin_FILE(), int line = __builtin_LINE()) : file(file), line(line) {}
  const char* file;
  int line;
};

// One value or a list, as a parameter file has it after `name:`.
struct Setting {
  template <class T>
  requires std::constructible_from<Value, T> Setting(const T& x) : values{Value(x)} {}
  Setting(std::initializer_list<Value> list) : values(list), is_list(true) {}
  template <class T> Setting(const std::vector<T>& list) : values(list.begin(), list.end()), is_list(true) {}
  std::vector<Value> values;
  bool is_list = false;
};
using Settings = std::vector<std::pair<std::string, Setting>>;

struct GroupOptions {
  int timelevels = 1;
  Centre centre = Centre::cell;
  std::string boundary = {};  // what holds outside the domain, in the words of Boundary.overrides: "neumann"
  bool checkpointed = true;
};
struct Step {  // a map's number
  int number;
};
struct Part {  // of the domain, for a map
  Box box;
  Place place;
  KernelTable keep;  // Keep, in the program's dimension and type
};

struct Points {                 // that an assignment sets: the interior's, or
  bool outside = false;         // also those outside the domain
  std::optional<Box> box = {};  // no more than these, by global indices
  Place place = {};
};

class Program;
struct Variable {  // component c of the program's group g
  Program* program = nullptr;
  int group = 0, component = 0;
  friend bool operator==(const Variable&, const Variable&) = default;
};

// A variable becomes what a kernel makes of others.
struct Assignment {
  KernelTable table;
  std::vector<Variable> read;
  Points points;
  KernelTable copy = {};  // of one variable into another; where `table` reads neighbours
};

// What is declared is gathered; the simulation is assembled when somebody first asks for a value or a step, and again
// once more was declared. All but the declarations is collective. A mistake ends the program with one message: exit
// code 1, or 3 for what fails while kernels run.
class Program {
 public:
  Program(int argc, char** argv, int dim, ScalarType, const AbiFacts& built, const Place&);
  Program(const Program&) = delete;
  ~Program();  // ends the run as `cereus run` does: last checkpoint, terminate, shutdown

  void set(const std::string& thorn, const Settings&, const Place&);       // parameters
  void activate(const std::string& thorn, const Settings&, const Place&);  // and the thorn; output has a folder then
  // `members`: of the struct with this key, which has one for each variable.
  int add_group(const std::string& name, std::vector<std::string> variables, std::size_t members, std::string key,
      const GroupOptions&, const Place&);
  // `schedule` puts a kernel of this name into the bin `evolve`, after that of the other name if there is one.
  using Scheduler = std::function<void(Schedule&, const std::string& after)>;
  Step add_map(const std::string& name, Scheduler schedule, const Place&);
  void put_on(Step, const Part&);
  void run(std::vector<Step>, int steps, const Place&);

  void assign(const Variable& target, const Assignment&);
  void reduce(KernelTable, std::span<const Variable> read, void* result);
  Reduction::Norms norms(const Variable&);
  double at(const Variable&, const Index&, const Place&);
  void set(const Variable&, const Index&, double, const Place&);
  using Out = std::function<void(const Box&, const char*)>;
  using In = std::function<void(const Box&, char*)>;
  void copy_out(const Variable&, const Out&);  // calls on rank 0, box by box of the whole; x fastest
  void copy_in(const Variable&, const In&);
  int rank() const;
  int processes() const;
  int iteration();
  double time();

 private:
  struct State;
  std::unique_ptr<State> state_;
};
}  // namespace cereus::view
