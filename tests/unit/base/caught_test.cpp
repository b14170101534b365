#include <cereus/caught.hpp>
#include <cereus/error.hpp>

#include <gtest/gtest.h>

// Mutation: rethrow() forgets. Without the catch the process ends.
TEST(Caught, what_a_thread_throws_comes_out_of_the_region) {
  cereus::Caught caught;
  int done = 0;
#pragma omp parallel for reduction(+ : done)
  for (int n = 0; n < 100; ++n)
    caught([&] {
      if (n % 10 == 3) throw cereus::Failure("no memory");
      ++done;
    });
  EXPECT_EQ(done, 90);
  EXPECT_THROW(caught.rethrow(), cereus::Failure);
  cereus::Caught nothing;
  nothing([] {});
  EXPECT_NO_THROW(nothing.rethrow());
}
