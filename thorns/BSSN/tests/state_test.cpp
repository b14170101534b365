// The kernels of BSSN applied to states whose right-hand sides are known.
#include "kernels.hpp"
#include "states.hpp"

const cereus::detail::EmbeddedFile cereus::detail::thorn_source[] = {{nullptr, nullptr}};

namespace {
TEST(BSSN, table_of_rates_order_4) { expect_table<BSSN::CalcRhs, BSSN::Analyse, 4>(); }
TEST(BSSN, table_of_rates_order_6) { expect_table<BSSN::CalcRhs, BSSN::Analyse, 6>(); }
TEST(BSSN, table_of_rates_order_8) { expect_table<BSSN::CalcRhs, BSSN::Analyse, 8>(); }

// Along diagonals the errors are others, of the same order.
template <int order> void expect_order(double within) {
  const auto a = residual<BSSN::CalcRhs, BSSN::Analyse, order>(10),
             b = residual<BSSN::CalcRhs, BSSN::Analyse, order>(20);
  for (int n = 0; n < 7; ++n) EXPECT_NEAR(std::log2(a[n] / b[n]), order, within) << n;
}
TEST(BSSN, kerr_orders) {
  expect_order<4>(0.2);
  expect_order<6>(0.5);
  expect_order<8>(1.2);  // between 8 and 9 at these spacings
}
}  // namespace
