// The schedule as a graph: order implied by data flow, errors that name routines and their mend, and what is fused.
#include <gtest/gtest.h>

#include "schedule/build.hpp"

using namespace cereus;

namespace {
template <class F> struct State { F u, v; };
template <class F> struct Rhs { F u_rhs, v_rhs; };
template <class F> struct Extra { F e; };
template <class F> struct Undeclared { F x; };

template <int dim, class Real> struct CalcRhs {
  Read<State, star<1>, Real> s;
  Write<Rhs, interior, Real> r;
  CEREUS_KERNEL void operator()(auto& p) const { p(r.u_rhs) = p(s.v), p(r.v_rhs) = at<1, 0, 0>(p, s.u); }
};
template <int dim, class Real> struct AddRhs {
  Read<State, pointwise, Real> s;
  Add<Rhs, Real> r;
  CEREUS_KERNEL void operator()(auto& p) const { p(r.u_rhs) += p(s.u); }
};
template <int dim, class Real> struct AddExtra {
  Add<Extra, Real> x;
  CEREUS_KERNEL void operator()(auto& p) const { p(x.e) += Real(1); }
};
template <int order, int dim, class Real> struct Shift {
  Read<Extra, star<order>, Real> from;
  Write<Extra, interior, Real> to;
  CEREUS_KERNEL void operator()(auto& p) const { p(to.e) = at<order, 0, 0>(p, from.e); }
};
template <int dim, class Real> struct RhsAndExtra {
  Read<State, pointwise, Real> s;
  Write<Rhs, interior, Real> r;
  Write<Extra, interior, Real> x;
  CEREUS_KERNEL void operator()(auto& p) const { p(r.u_rhs) = p(r.v_rhs) = p(x.e) = p(s.u); }
};
void nothing(Context&) {}
struct NoIntegrator : TimeIntegrator {
  int registers(bool) const override { return 1; }
  int stages() const override { return 1; }
  int stage(const Simulation&) const override { return 0; }
  Update update(const Simulation&, int, int, double) const override { return {}; }
};

// A run of the thorns A (with state and extra) and MoL, up to the sorted schedule.
struct Built {
  Simulation s;
  Problems problems;
  template <class F>
  explicit Built(
      F&& schedule, int timelevels = 1, bool initial = true, const std::function<void(Declaration&)>& more = {}) {
    ThornRecord a, mol;
    a.name = "A", mol.name = "MoL";
    Declaration d(a), m(mol);
    d.group<State>("state", {"u", "v"}, "State").timelevels(timelevels).rhs<Rhs>();
    d.group<Extra>("extra", {"e"}, "Extra");
    d.scalars("flags", {"flag"}, "Flag").type(ScalarType::int32);
    if (more) more(d);
    m.provides<TimeIntegrator>([](const Parameters&) { return std::make_shared<NoIntegrator>(); });
    s.thorns = {a, mol};
    s.services.add(TimeIntegrator::service_name, std::make_shared<NoIntegrator>(), "MoL");
    collect_groups(s, problems);
    std::vector<std::shared_ptr<Item>> items;
    Schedule in_mol("MoL", items), in_a("A", items);
    in_mol.group("rhs", "Right-hand sides").at(bin::evolve);
    if (initial) in_a.routine("initial", "Initial data", nothing).writes<State>().at(bin::initial);
    schedule(in_a);
    resolve_routines(s, items, problems);
    sort_schedule(s, problems);
    if (problems.empty()) plan_fusion(s);
  }
  std::string order(const std::string& bin) const {
    std::string text;
    for (const auto& n : s.bins.at(bin).children)
      text += (text.empty() ? "" : " ") + n.name.substr(n.name.find("::") + 2);
    return text;
  }
  // As order(), with what lies in groups in brackets.
  std::string tree(const std::string& bin) const { return tree(s.bins.at(bin)); }
  static std::string tree(const Node& node) {
    std::string text;
    for (const auto& n : node.children)
      text +=
          (text.empty() ? "" : " ") + n.name.substr(n.name.find("::") + 2) + (n.routine < 0 ? "[" + tree(n) + "]" : "");
    return text;
  }
  std::string said() const {
    std::string text;
    for (const auto& p : problems.list()) text += p.text() + "\n";
    return text;
  }
  bool says(const std::string& words) const { return said().find(words) != std::string::npos; }
  const Routine& routine(const std::string& name) const {
    for (const auto& r : s.routines)
      if (r.item->full_name() == name) return r;
    throw std::logic_error(name);
  }
};
}  // namespace

// Mutation: data_flow() not called; or its edges turned round.
TEST(Graph, who_writes_comes_before_who_reads) {
  const Built b([](Schedule& s) {
    s.routine("reader", "", nothing).reads<Extra>().at(bin::analysis);
    s.routine("writer", "", nothing).writes<Extra>().at(bin::analysis);
    s.routine("changer", "", nothing).updates<Extra>().at(bin::analysis);
  });
  EXPECT_EQ(b.said(), "");
  EXPECT_EQ(b.order("analysis"), "writer changer reader");
}

// Mutation: the loop of sorted() from the back.
TEST(Graph, ties_keep_the_order_of_declaration) {
  const Built b([](Schedule& s) {
    for (const char* name : {"c", "a", "b", "d"}) s.routine(name, "", nothing).reads<State>().at(bin::analysis);
  });
  EXPECT_EQ(b.order("analysis"), "c a b d");
}

// Mutation: before and after exchanged in link().
TEST(Graph, before_and_after) {
  const Built b([](Schedule& s) {
    s.routine("a", "", nothing).at(bin::analysis).after("c");
    s.routine("b", "", nothing).at(bin::analysis);
    s.routine("c", "", nothing).at(bin::analysis).after("A::b");
    s.routine("d", "", nothing).at(bin::analysis).before("b");
  });
  EXPECT_EQ(b.order("analysis"), "d b c a");
}

// What is said explicitly wins over data flow. Mutation: data_flow() before the explicit edges.
TEST(Graph, what_was_said_wins) {
  const Built b([](Schedule& s) {
    s.routine("writer", "", nothing).writes<Extra>().at(bin::analysis);
    s.routine("reader", "", nothing).reads<Extra>().at(bin::analysis).before("writer");
  });
  EXPECT_EQ(b.said(), "");
  EXPECT_EQ(b.order("analysis"), "reader writer");
}

// Mutation: did_you_mean dropped from any of the messages.
TEST(Graph, unknown_names_are_reported_with_the_nearest) {
  const Built before([](Schedule& s) { s.routine("a", "", nothing).at(bin::initial).before("initail"); });
  EXPECT_TRUE(before.says("A::a is to run before 'A::initail'") && before.says("did you mean 'A::initial'"))
      << before.said();
  const Built in([](Schedule& s) { s.routine("a", "", nothing).in(ScheduleGroup{"MoL::rsh"}); });
  EXPECT_TRUE(in.says("'MoL::rsh', which is no bin") && in.says("did you mean 'MoL::rhs'")) << in.said();
  const Built nowhere([](Schedule& s) { s.routine("a", "", nothing); });
  EXPECT_TRUE(nowhere.says("A::a is scheduled nowhere")) << nowhere.said();
  const Built variable([](Schedule& s) { s.routine("a", "", nothing).reads({"A::uu"}).at(bin::analysis); });
  EXPECT_TRUE(variable.says("A::uu") && variable.says("did you mean")) << variable.said();
  const Built elsewhere([](Schedule& s) { s.routine("a", "", nothing).at(bin::analysis).after("initial"); });
  EXPECT_TRUE(elsewhere.says("that is scheduled in 'initial', not in 'analysis'")) << elsewhere.said();
}

// Mutation: no check in resolve_routines.
TEST(Graph, on_demand_needs_a_bin) {
  const Built b(
      [](Schedule& s) { s.routine("a", "", nothing).writes<Extra>().in(ScheduleGroup{"MoL::rhs"}).on_demand(); });
  EXPECT_TRUE(b.says("A::a runs on demand in the schedule group 'MoL::rhs'")) << b.said();
}

// Mutation: report_cycles() not called: sorted() would never end.
TEST(Graph, a_cycle_is_named) {
  const Built b([](Schedule& s) {
    s.routine("a", "", nothing).at(bin::analysis).before("b");
    s.routine("b", "", nothing).at(bin::analysis).before("c");
    s.routine("c", "", nothing).at(bin::analysis).before("a");
  });
  EXPECT_TRUE(b.says("'analysis' has a cycle: A::a, A::b, A::c")) << b.said();
}

// Mutation: check_writers() not called; or `reach_` not looked at.
TEST(Graph, two_writers_need_an_order) {
  const auto twice = [](bool ordered) {
    return Built([=](Schedule& s) {
      s.routine("a", "", nothing).writes<Extra>().at(bin::analysis);
      auto b = s.routine("b", "", nothing).writes<Extra>().at(bin::analysis);
      if (ordered) b.before("a");
    });
  };
  EXPECT_TRUE(twice(false).says("A::a and A::b both write A::e in 'analysis', in no order")) << twice(false).said();
  EXPECT_EQ(twice(true).said(), "");
  EXPECT_EQ(twice(true).order("analysis"), "b a");
}

// Mutation: check_written() counts an update as a write; or is not called.
TEST(Graph, a_read_of_what_nobody_writes) {
  const Built b([](Schedule& s) { s.routine("a", "", nothing).reads<Extra>().at(bin::analysis); });
  EXPECT_TRUE(b.says("A::a reads A::e, which no active thorn writes")) << b.said();
}

// Mutation: check_first_pass() is not called; or takes evolve for one of its bins; or looks at what is never due.
TEST(Graph, a_read_before_anything_was_written) {
  const auto with = [](Every e) {
    return Built([=](Schedule& s) {
      s.kernel<CalcRhs>("rhs", "").in(MoL::rhs);
      s.routine("a", "", nothing).reads<Rhs>().at(bin::output).every(e);
    });
  };
  EXPECT_TRUE(with({2}).says("A::a reads A::u_rhs, A::v_rhs, which nothing writes before the first step"))
      << with({2}).said();
  EXPECT_EQ(with({0, 0, true}).said(), "");
}

// Mutation: names compared the other way; or adders taken for two writers.
TEST(Graph, sums_are_added_in_the_order_of_names) {
  const Built b([](Schedule& s) {
    s.kernel<AddRhs>("second", "").in(MoL::rhs);
    s.kernel<AddRhs>("first", "").in(MoL::rhs);
    s.routine("look", "", nothing).reads<Rhs>().in(MoL::rhs);
  });
  EXPECT_EQ(b.said(), "");
  const auto& rhs = b.s.bins.at("evolve").children.at(0);
  EXPECT_EQ(Built::tree(rhs), "clear_state_rhs first second look");
}

// Each place clears for itself. Mutations: the clear at the end of a group; in each group that adds; in the bin alone;
// what is written before is cleared, too; two clears for two adders; not on demand.
TEST(Sums, begin_before_the_first_that_adds) {
  const auto tree = [](const std::string& bin, auto&& schedule) {
    const Built b(schedule);
    EXPECT_EQ(b.said(), "");
    return b.tree(bin);
  };
  EXPECT_EQ(tree("analysis",
                [](Schedule& s) {
                  s.routine("look", "", nothing).reads<Extra>().at(bin::analysis).before("b").before("c");
                  s.kernel<AddExtra>("c", "").at(bin::analysis);
                  s.kernel<AddExtra>("b", "").at(bin::analysis);
                }),
      "look clear_extra b c");
  const auto in_groups = [](bool writer) {
    return [=](Schedule& s) {
      const auto loop = s.group("loop", "").at(bin::analysis).while_("flag");
      const auto sums = s.group("sums", "").in(loop);
      s.group("more", "").in(loop).after("sums");
      s.kernel<AddExtra>("a", "").in(sums);
      s.kernel<AddExtra>("b", "").in(sums);
      if (writer) s.routine("write", "", nothing).writes<Extra>().in(loop).before("sums");
    };
  };
  EXPECT_EQ(tree("analysis", in_groups(false)), "loop[sums[clear_extra a b] more[]]");
  EXPECT_EQ(tree("analysis", in_groups(true)), "loop[write sums[a b] more[]]");
  EXPECT_EQ(tree("analysis",
                [](Schedule& s) {
                  const auto sums = s.group("sums", "").at(bin::analysis);
                  s.kernel<AddExtra>("a", "").in(sums);
                  s.kernel<AddExtra>("b", "").in(sums);
                  s.kernel<AddExtra>("c", "").at(bin::analysis).after("sums");
                }),
      "clear_extra sums[a b] c");
  const Built demand([](Schedule& s) { s.kernel<AddExtra>("a", "").at(bin::analysis).on_demand(); });
  EXPECT_TRUE(demand.routine("A::clear_extra").item->on_demand);
  EXPECT_EQ(demand.routine("A::clear_extra").accesses.size(), 1u);
  EXPECT_EQ(never_run(demand.s), std::vector<bool>({false, false, true, true})) << "nobody reads the sum";
}

TEST(Sums, of_unequal_terms) {
  const Built b([](Schedule& s) {
    s.kernel<AddExtra>("a", "").at(bin::analysis).every({2});
    s.kernel<AddExtra>("b", "").at(bin::analysis).every({3});
  });
  EXPECT_TRUE(b.says("A::a and A::b add to A::e, but not equally often")) << b.said();
}

// What counts for groups of one struct. Mutations: the last of several is taken; names do not win over the struct.
TEST(Groups, of_one_struct) {
  const auto twice = [](Declaration& d) { d.group<Extra>("other", {"o"}, "Of the same struct"); };
  const auto built = [&](auto&& schedule) { return Built(schedule, 1, true, twice); };
  const Built which([](Schedule& s) { s.kernel<AddExtra>("a", "").at(bin::analysis); }, 1, true, twice);
  EXPECT_TRUE(which.says("is the struct of 2 groups: A::extra, A::other; say which with .bind<") &&
              which.says("Extra>({\"A::extra\"})"))
      << which.said();
  const Built routine = built([](Schedule& s) { s.routine("a", "", nothing).writes<Extra>().at(bin::analysis); });
  EXPECT_TRUE(routine.says("is the struct of 2 groups")) << routine.said();

  const Built bound = built([](Schedule& s) {
    s.kernel<AddExtra>("a", "").bind<Extra>({"extra"}).at(bin::analysis);
    s.routine("b", "", nothing).writes<Extra>().bind<Extra>({"A::o"}).at(bin::analysis);
    s.kernel<Shift>("c", "")
        .variant(choices<1, 2>{}, Value(std::int64_t{2}))
        .bind<Extra>({"extra"}, 0)
        .bind<Extra>({"other"}, 1)
        .at(bin::analysis)
        .after("b");
  });
  EXPECT_EQ(bound.said(), "");
  const auto touched = [&](const char* name) {
    std::string text;
    for (const auto& a : bound.routine(name).accesses) text += bound.s.variable_name(a.group, a.component) + " ";
    return text;
  };
  EXPECT_EQ(touched("A::a"), "A::e ");
  EXPECT_EQ(touched("A::b"), "A::o ");
  EXPECT_EQ(touched("A::c"), "A::e A::o ");
}

TEST(Groups, that_name_a_variable_twice) {
  const auto said = [](const std::function<void(Declaration&)>& more) {
    return Built([](Schedule&) {}, 1, true, more).said();
  };
  EXPECT_EQ(said([](Declaration& d) {
    d.group("g", {"x", "x"}, "");
  }),
      "A declares the variable 'x' twice, in the group 'g'\n");
  EXPECT_EQ(said([](Declaration& d) {
    d.group("g", {"x", "v"}, "");
  }),
      "A declares the variable 'v' twice, in the groups 'state' and 'g'\n");
}

// every and on_demand are for what runs; a schedule group would ignore them.
template <class T>
concept can_be_rare = requires(T t) {
  t.every(Every{});
}
|| requires(T t) { t.on_demand(); };
static_assert(!can_be_rare<GroupItem> && can_be_rare<RoutineItem> &&
              can_be_rare<KernelItem<AddExtra, detail::Reals, detail::Dimensions>>);

TEST(Graph, names_of_structs_are_readable) {
  const Built b([](Schedule& s) { s.routine("a", "", nothing).reads<Undeclared>().at(bin::analysis); });
  EXPECT_TRUE(b.says("its struct is") && b.says("Undeclared)") && b.says("d.group<")) << b.said();
}

TEST(Graph, two_items_of_one_name) {
  const Built b([](Schedule& s) { s.routine("initial", "", nothing).at(bin::analysis); });
  EXPECT_TRUE(b.says("A::initial is scheduled twice")) << b.said();
}

// Mutation: plan_fusion() never fuses; or buffers of fused right-hand sides are kept.
TEST(Fusion, one_kernel_that_writes_a_right_hand_side) {
  const Built b([](Schedule& s) { s.kernel<CalcRhs>("rhs", "").in(MoL::rhs); });
  EXPECT_EQ(b.said(), "");
  EXPECT_EQ(b.routine("A::rhs").fused, std::vector<int>{b.s.group_number("A::state_rhs")})
      << b.routine("A::rhs").not_fused;
  EXPECT_EQ(buffers_of_groups(b.s, 3)[b.s.group_number("A::state_rhs")], 0);
  EXPECT_EQ(buffers_of_groups(b.s, 3)[b.s.group_number("A::state")], 4);
}

// Each reason for not fusing. Mutation: drop any one line of obstacle().
TEST(Fusion, reasons_for_not_fusing) {
  const auto why = [](const char* name, auto&& schedule) {
    const Built b(schedule);
    EXPECT_EQ(b.said(), "");
    EXPECT_TRUE(b.routine(name).fused.empty());
    return b.routine(name).not_fused;
  };
  EXPECT_EQ(why("A::rhs",
                [](Schedule& s) {
                  s.kernel<CalcRhs>("rhs", "").in(MoL::rhs);
                  s.routine("look", "", nothing).reads<Rhs>().in(MoL::rhs);
                }),
      "A::look reads A::state_rhs");
  EXPECT_EQ(why("A::rhs",
                [](Schedule& s) {
                  s.kernel<CalcRhs>("rhs", "").in(MoL::rhs);
                  s.routine("more", "", nothing).updates<Rhs>().in(MoL::rhs);
                }),
      "A::rhs and A::more write A::state_rhs");
  EXPECT_EQ(why("A::rhs", [](Schedule& s) { s.routine("rhs", "", nothing).writes<Rhs>().in(MoL::rhs); }),
      "A::rhs is a routine, not a kernel");
  EXPECT_EQ(why("A::rhs", [](Schedule& s) { s.kernel<AddRhs>("rhs", "").in(MoL::rhs); }),
      "A::rhs adds to, updates or returns something");
  EXPECT_EQ(
      why("A::rhs", [](Schedule& s) { s.kernel<RhsAndExtra>("rhs", "").in(MoL::rhs); }), "A::rhs also writes A::e");
  EXPECT_EQ(why("A::rhs", [](Schedule& s) { s.kernel<CalcRhs>("rhs", "").at(bin::evolve); }),
      "A::rhs does not run in MoL::rhs");
  EXPECT_EQ(why("A::rhs", [](Schedule& s) { s.kernel<CalcRhs>("rhs", "").in(MoL::rhs).if_("flag"); }),
      "A::rhs is conditional");
}

TEST(Fusion, can_be_forbidden) {
  Built b([](Schedule& s) { s.kernel<CalcRhs>("rhs", "").in(MoL::rhs); });
  for (auto& r : b.s.routines) r.fused.clear();
  b.s.fuse = false;
  plan_fusion(b.s);
  EXPECT_TRUE(b.routine("A::rhs").fused.empty());
}
