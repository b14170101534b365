// Factors of states add up to 1 exactly, in both scalar types: else each step would add to what is conserved.
// Mutations that make it fail: 1. / 3 in place of `third`; in_float() without its last factor.
#include "method.hpp"

#include <gtest/gtest.h>

namespace MoL {
TEST(Method, FactorsOfStatesAddUpToOne) {
  for (const char* name : {"Euler", "RK2", "SSPRK2", "RK3", "SSPRK3", "RK4"}) {
    const Method method = make_method(name);
    const Method single = in_float(method);
    for (std::size_t n = 0; n < method.stages.size(); ++n) {
      double sum = 0;
      float sum_in_float = 0;
      for (const Term& t : method.stages[n].terms) sum += t.factor;
      for (const Term& t : single.stages[n].terms) {
        EXPECT_EQ(t.factor, static_cast<float>(t.factor)) << name;
        sum_in_float += static_cast<float>(t.factor);
      }
      EXPECT_EQ(sum, 1) << name << ", stage " << n;
      EXPECT_EQ(sum_in_float, 1) << name << ", stage " << n;
    }
  }
}
}  // namespace MoL
