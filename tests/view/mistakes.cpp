// Programs that are wrong: the first word of the command line says which.
#include <cereus/view.hpp>
#include <cstring>

#include "surface.hpp"

int main(int argc, char** argv) {
  const auto is = [&](const char* what) { return argc > 1 && std::strcmp(argv[1], what) == 0; };
  view::World<2> world(argc, argv, {.cells = {8, is("cells") ? 0 : 8}, .periodic = {!is("boundary") && !is("face")}});
  if (is("thorn")) world.activate("IOHDF6");
  if (is("inactive")) world.set("IOASCII", {{"every", 2}});
  if (is("setting")) world.activate("IOASCII", {{"evry", 2}});
  if (is("value")) world.set("Time", {{"dt", "soon"}});
  if (is("names")) world.group<State>("state", {"u"});
  auto [w] = world.group<Other>("other", {"w"}, {.boundary = is("face") ? "neumann" : ""});
  auto [s] = world.group<Wide>("wide", {"s"}, {.centre = is("centre") ? Centre::vertex : Centre::cell});
  if (is("twins")) world.group<Other>("others", {"o"});
  auto far = world.map<Far>("far");
  if (is("map")) world.map<Double>("far");
  w = 1;
  if (is("order")) world.run({world.map<Double>("twice"), far}, 1);
  if (is("unwritten")) s.sum();
  if (is("index")) w.at(3, 8);
  if (is("face")) w.sum(), w = view::shift<1>(s);
  if (is("box")) w.on({{0, 3}, {8, 9}}) = 2;
  if (is("empty")) w.on({{3, 3}, {5, 3}}) = 2;
  if (is("kept")) s.on({{0, 0}, {8, 1}}) = 2;
  if (is("part")) world.map<Double>("twice").on({{-1, 0}, {8, 8}}), world.run(far, 1);
  if (is("parts")) world.map<Double>("twice").on({{1, 0}, {8, 8}}).on({{2, 0}, {8, 8}});
  if (is("returns")) world.map<Largest>("largest").on({{1, 0}, {8, 8}}), w.sum();
  if (is("centre")) s = w;
  if (is("struct")) world.map<Shift>("shift"), world.run(far, 1);
  if (is("steps")) world.run(far, -1);
  if (is("past")) world.group<State>("state", {"u", "v"}), world.run(world.map<Shift>("shift"), 1);
  world.run(far, 1);
}
