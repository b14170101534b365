// A routine that may do other than it declares; audit mode must catch it.
#include <cereus/thorn.hpp>

namespace Liar {
using namespace cereus;
template <class F> struct Told { F told; };
template <class F> struct Secret { F secret; };
template <class F> struct Twin { F value; };

void declare(Declaration& d) {
  d.describe("Writes what it declares, or not: a test of audit mode");
  d.parameter("lie", "none",
      one_of({{"none", "does what it says"}, {"undeclared", "writes a variable that it did not declare"},
          {"unwritten", "leaves a point unwritten"}, {"ghost", "writes a ghost point"},
          {"asking", "asks for what it did not declare"}, {"twins", "asks for one of two without saying which"}}),
      "Which lie");
  d.group<Told>("told", {"told"}, "What is declared");
  d.group<Secret>("secret", {"secret"}, "What is not");
  d.group<Twin>("castor", {"castor"}, "One of two");
  d.group<Twin>("pollux", {"pollux"}, "The other");
}

void speak(Context& c) {
  const auto& lie = c.parameters().string("lie");
  Simulation& s = c.simulation();
  const int secret = s.group_number("Liar::secret");
  for (const auto& b : c.blocks()) {
    if (lie == "asking") c.write<Secret>(b);
    const auto v = c.write<Told>(b);
    const Box box = b.interior({});
    for_each_point(box, [&](int i, int j, int k) {
      if (lie == "unwritten" && i == 3 && j == 2 && k == 1) return;
      v.told(i, j, k) = i + 10 * j + 100 * k + c.clock().iteration;
    });
    if (lie == "ghost") v.told(box.lo[0] - 1, 4, 5) = 7;
    if (lie == "undeclared")  // behind the back of the context
      reinterpret_cast<double*>(s.fields.address(secret, 0, 0, b.number))[s.fields.layout(b.number).at(5, 6, 7)] = 7;
  }
}

void schedule(Schedule& s, const Parameters& par) {
  if (par.string("lie") == "twins")
    s.routine("twins", "Sets one of two", [](Context& c) { c.write<Twin>(c.blocks().front()); })
        .writes({"castor", "pollux"})
        .at(bin::initial);
  s.routine("keep", "Sets the secret",
       [](Context& c) {
         for (const auto& b : c.blocks()) {
           const auto v = c.write<Secret>(b);
           for_each_point(b.interior({}), [&](int i, int j, int k) { v.secret(i, j, k) = 1; });
         }
       })
      .writes<Secret>()
      .at(bin::initial);
  s.routine("first", "Sets what is told", speak).writes<Told>().at(bin::initial);
  s.routine("look", "Reads neighbours, so that there are ghost points", [](Context&) {})
      .reads<Told>(Region::interior, 1)
      .reads<Secret>(Region::interior, 1)
      .at(bin::postinitial);
  s.routine("speak", "Sets what is told, or lies", speak).writes<Told>().at(bin::evolve);
}
}  // namespace Liar
CEREUS_THORN(Liar, Liar::declare, Liar::schedule)
