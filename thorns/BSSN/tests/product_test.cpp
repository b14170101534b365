// The kernels of the same equations, with mixed differences that are differences of differences, applied to the same
// states.
#include "product/kernels.hpp"
#include "states.hpp"

namespace {
TEST(Product, table_of_rates_order_4) { expect_table<Product::CalcRhs, Product::Analyse, 4>(); }
TEST(Product, table_of_rates_order_8) { expect_table<Product::CalcRhs, Product::Analyse, 8>(); }

template <int order> void expect_residuals(const std::array<double, 7>& coarse, const std::array<double, 7>& fine) {
  const auto a = residual<Product::CalcRhs, Product::Analyse, order>(10);
  const auto b = residual<Product::CalcRhs, Product::Analyse, order>(20);
  for (int n = 0; n < 7; ++n) {
    EXPECT_NEAR(a[n], coarse[n], 0.01 * coarse[n]) << n;
    EXPECT_NEAR(b[n], fine[n], 0.01 * fine[n]) << n;
  }
}
TEST(Product, kerr_order_4) {
  expect_residuals<4>({2.048e-6, 8.952e-6, 2.708e-5, 9.708e-6, 3.142e-5, 1.843e-5, 4.999e-5},
      {1.274e-7, 5.653e-7, 1.747e-6, 6.885e-7, 1.963e-6, 1.158e-6, 3.205e-6});
}
TEST(Product, kerr_order_6) {
  expect_residuals<6>({8.084e-8, 4.407e-7, 5.133e-7, 1.290e-7, 8.724e-7, 2.167e-6, 5.310e-6},
      {1.253e-9, 7.581e-9, 9.953e-9, 3.349e-9, 2.095e-8, 3.447e-8, 8.473e-8});
}
TEST(Product, kerr_order_8) {
  expect_residuals<8>({5.846e-9, 1.100e-8, 8.036e-8, 8.797e-9, 7.062e-8, 7.338e-8, 2.016e-7},
      {2.176e-11, 4.469e-11, 3.243e-10, 5.120e-11, 2.952e-10, 2.191e-10, 7.368e-10});
}
}  // namespace
