#include "engine/score/fragmentation.h"

#include <algorithm>
#include <utility>

namespace berth::engine {

TargetWorkload::TargetWorkload(std::vector<TargetShape> shapes) : shapes_(std::move(shapes)) {
  std::vector<ProductId> named;
  for (const TargetShape& shape : shapes_) {
    total_count_ += shape.count;
    named.insert(named.end(), shape.products.begin(), shape.products.end());
  }
  std::ranges::sort(named);
  named.erase(std::unique(named.begin(), named.end()), named.end());
  for (const ProductId product : named) by_product_.push_back(rows_for(product));
  any_other_product_ = rows_for(kUnnamedProduct);
}

TargetWorkload::ProductRows TargetWorkload::rows_for(ProductId product) const {
  ProductRows result{product, {}, {}, 0};
  for (const TargetShape& shape : shapes_) {
    const bool acceptable =
        shape.products.empty() || std::ranges::find(shape.products, product) != shape.products.end();
    result.acceptable.push_back(acceptable || shape.card_count == 0 ? 1 : 0);
    if (shape.card_count == 0 || !acceptable) {
      result.hopeless_count += shape.count;
      continue;
    }
    result.rows.push_back(Row{shape.cpu, shape.card_count, shape.card_milli, shape.count});
  }
  return result;
}

const TargetWorkload::ProductRows& TargetWorkload::rows_of(ProductId product) const {
  const auto known = std::ranges::lower_bound(by_product_, product, {}, &ProductRows::product);
  return known != by_product_.end() && known->product == product ? *known : any_other_product_;
}

std::int64_t TargetWorkload::fragmentation(Amount free_cpu, std::span<const std::int32_t> card_free,
                                           ProductId product) const {
  std::int64_t total = 0;
  for (const std::int32_t milli : card_free) total += milli;
  if (total == 0) return 0;

  const ProductRows& applicable = rows_of(product);
  std::int64_t sum = applicable.hopeless_count * total;
  for (const Row& row : applicable.rows) {
    std::int64_t unusable = total;
    if (row.cpu <= free_cpu) {
      std::int32_t fitting = 0;
      std::int64_t too_small = 0;
      for (const std::int32_t milli : card_free) {
        const bool fits = milli >= row.card_milli;
        fitting += fits ? 1 : 0;
        too_small += fits ? 0 : milli;
      }
      if (fitting >= row.card_count) unusable = too_small;
    }
    sum += row.count * unusable;
  }
  return sum;
}

}  // namespace berth::engine
