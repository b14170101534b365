// Process 0 tells the others one word before each thing that all do.
#include "sampler.hpp"

namespace Horizons {
using namespace cereus;

Sampler::Sampler(Context& c, const Analysis::Communicator& comm) : context_(c), comm_(comm) {
  for (const char* name : {"xx", "xy", "xz", "yy", "yz", "zz"}) {
    metric_.push_back(c.simulation().variable_number(std::string("ADMBase::g") + name));
    curvature_.push_back(c.simulation().variable_number(std::string("ADMBase::k") + name));
  }
}

Sampler::Word Sampler::tell(Word word) const {
  int number = static_cast<int>(word);
  Analysis::check(MPI_Bcast(&number, 1, MPI_INT, 0, comm_.get()), "searching a horizon");
  return static_cast<Word>(number);
}

void Sampler::operator()(std::span<const Vector> points, std::span<Space> space) {
  tell(Word::more);
  interpolate(points, space);
}

std::string Sampler::finish(const std::string& trouble) {
  tell(trouble.empty() ? Word::done : Word::fail);
  return trouble;
}

std::string Sampler::serve() {
  std::string trouble;
  for (;;) switch (tell({})) {
      case Word::done: return "";
      case Word::fail: return trouble;
      case Word::more: try { interpolate({}, {});
        } catch (const Failure& e) {  // on all processes alike
          trouble = e.what();
        }
    }
}

void Sampler::interpolate(std::span<const Vector> points, std::span<Space> space) {
  const std::size_t n = points.size();
  std::vector<double> metric(6 * n), curvature(6 * n);
  std::vector<Vector> slopes(6 * n);
  auto& service = context_.service<Interpolation>();
  service.interpolate(context_.simulation(), metric_, points, metric, slopes);
  service.interpolate(context_.simulation(), curvature_, points, curvature);
  for (std::size_t p = 0; p < n; ++p)
    for (std::size_t c = 0; c < 6; ++c) {
      space[p].metric[c] = metric[c * n + p], space[p].slope[c] = slopes[c * n + p];
      space[p].curvature[c] = curvature[c * n + p];
    }
}
}  // namespace Horizons
