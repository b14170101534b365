// What an editor learns from the schema is what resolve() checks.
#include "parameter/schema.hpp"

#include <gtest/gtest.h>

using namespace cereus;
using nlohmann::json;

namespace {

json schema() {
  const std::vector<ParameterSpec> specs{
      make_parameter("speed", 1.5, above(0), "Wave speed").may_steer().was_called("velocity"),
      make_parameter("order", 4, integers_of({2, 4}), "Order"),
      make_parameter("boundary", "periodic", one_of({{"periodic", "a torus"}, "none"}), "Boundary"),
      make_parameter("verbose", false, any(), "Say more"),
      make_parameter("centre", {0.0, 0.0}, between(-1, 1), "Centre").length(2),
      make_parameter("output", Variables{{"WaveToy::u"}}, any(), "Output"),
      make_parameter("tag", "a1", matching("[a-z][0-9]", "a letter and a digit"), "Tag"),
      make_parameter("mass", 1.0, at_least(0), "Mass").must_be_given(),
  };
  return json_schema({{"Cereus", "The flesh", {}, true}, {"WaveToy", "Waves", specs, true}}, {"Waves"});
}

}  // namespace

TEST(Schema, top_level) {
  const json s = schema();
  EXPECT_EQ(s["$schema"], "http://json-schema.org/draft-07/schema#");
  EXPECT_EQ(s["additionalProperties"], (json{{"type", {"object", "null"}}}));  // thorns of equations
  EXPECT_EQ(s["properties"].size(), 6u);
  EXPECT_EQ(s["properties"]["thorns"]["anyOf"][0]["items"]["anyOf"][0]["enum"], json({"WaveToy"}));
  EXPECT_EQ(s["properties"]["thorns"]["anyOf"][0]["items"]["anyOf"][1]["pattern"], "\\.(edl|stencil)$");
  EXPECT_EQ(s["properties"]["arrangements"]["anyOf"][1]["enum"], json({"Waves"}));
  EXPECT_EQ(s["properties"]["WaveToy"]["description"], "Waves");
  EXPECT_EQ(s["properties"]["WaveToy"]["additionalProperties"], false);
  EXPECT_EQ(s["properties"]["WaveToy"]["required"], json({"mass"}));
}

TEST(Schema, parameters) {
  const json p = schema()["properties"]["WaveToy"]["properties"];
  EXPECT_EQ(p.size(), 9u);
  EXPECT_EQ(p["speed"]["anyOf"][0], (json{{"type", "number"}, {"exclusiveMinimum", 0.0}}));
  EXPECT_EQ(p["speed"]["anyOf"][1]["type"], "string");
  EXPECT_EQ(p["speed"]["default"], 1.5);
  EXPECT_EQ(p["speed"]["description"], "Wave speed\nMay be changed during a run.");
  EXPECT_EQ(p["velocity"]["deprecationMessage"], "Old name of 'speed'; please rename it.");
  EXPECT_EQ(p["order"]["anyOf"][0], (json{{"type", "integer"}, {"enum", {2, 4}}}));
  EXPECT_EQ(p["boundary"]["enum"], json({"periodic", "none"}));
  EXPECT_EQ(p["boundary"]["description"], "Boundary\nperiodic: a torus");
  EXPECT_EQ(p["verbose"]["type"], "boolean");
  EXPECT_EQ(p["centre"]["type"], "array");
  EXPECT_EQ(p["centre"]["minItems"], 2);
  EXPECT_EQ(p["centre"]["maxItems"], 2);
  EXPECT_EQ(p["centre"]["items"]["anyOf"][0]["minimum"], -1.0);
  EXPECT_EQ(p["centre"]["items"]["anyOf"][0]["maximum"], 1.0);
  EXPECT_EQ(p["output"]["anyOf"][0]["items"]["type"], "string");
  EXPECT_EQ(p["output"]["default"], json({"WaveToy::u"}));
  EXPECT_EQ(p["tag"]["pattern"], "^(?:[a-z][0-9])$");
  EXPECT_EQ(p["mass"].count("default"), 0u);
  EXPECT_EQ(p["mass"]["anyOf"][0]["minimum"], 0.0);
}
