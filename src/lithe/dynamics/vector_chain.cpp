#include "lithe/dynamics/vector_chain.h"

#include <algorithm>

#include "lithe/base/error.h"
#include "lithe/base/team.h"

namespace lithe {

namespace {

// The blocks whose sums HostPlace adds up by pairs, and how many of them are worth threads.
constexpr int blocks_for_a_team = 32;
constexpr std::size_t chain_block = 2048;

}  // namespace

void VectorChain::run(std::span<const VectorStep> chain) {
  std::size_t size = 0, count = 0;
  for (const VectorStep& step : chain) {
    size = step.y ? step.y->size() : step.products[0].a.size();
    count += step.products.size();
  }
  if (!place_.on_host() || size <= chain_block) {
    for (const VectorStep& step : chain) {
      if (step.y) place_.combine(step.terms, *step.y);
      if (!step.products.empty()) place_.dots(step.products, {step.sums, step.products.size()});
    }
    return;
  }
  const std::size_t blocks = (size + chain_block - 1) / chain_block;
  partial_.resize(std::max(partial_.size(), blocks * count));
  const auto do_block = [&](int block, int) {
    const std::size_t first = block * chain_block, n = std::min(chain_block, size - first);
    double* partial = partial_.data() + block * count;
    for (const VectorStep& step : chain) {
      if (step.y) {
        LITHE_INVARIANT(step.y->size() == size && step.terms.size() <= Place::most_terms);
        const auto part = [&](std::size_t k) -> const Array {
          return step.terms[std::min(k, step.terms.size() - 1)].x.part(first, n);
        };
        const auto factor = [&](std::size_t k) { return k < step.terms.size() ? step.terms[k].factor : 0; };
        const Array x[] = {part(0), part(1), part(2), part(3), part(4)};
        const Term terms[] = {
            {factor(0), x[0]}, {factor(1), x[1]}, {factor(2), x[2]}, {factor(3), x[3]}, {factor(4), x[4]}};
        static_assert(std::size(terms) == Place::most_terms);
        Array y = step.y->part(first, n);
        place_.combine(std::span(terms, step.terms.size()), y);
      }
      for (const Product& product : step.products) {
        const Array a = product.a.part(first, n), b = product.b.part(first, n);
        const Array weight = product.weight ? product.weight->part(first, n) : Array();
        const Product own{product.weight ? &weight : nullptr, a, b};
        place_.dots({&own, 1}, {partial++, 1});
      }
    }
  };
  if (static_cast<int>(blocks) >= blocks_for_a_team) team_.run(static_cast<int>(blocks), do_block);
  else
    for (std::size_t b = 0; b < blocks; ++b) do_block(static_cast<int>(b), 0);
  // Pairs of blocks, pairs of pairs, and so on.
  for (std::size_t stride = 1; stride < blocks; stride *= 2)
    for (std::size_t b = 0; b + stride < blocks; b += 2 * stride)
      for (std::size_t k = 0; k < count; ++k) partial_[b * count + k] += partial_[(b + stride) * count + k];
  const double* sum = partial_.data();
  for (const VectorStep& step : chain)
    for (std::size_t k = 0; k < step.products.size(); ++k) step.sums[k] = *sum++;
}

}  // namespace lithe
