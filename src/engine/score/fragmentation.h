// The fragmentation measure of FGD: how much of a node's free GPU the expected workload could not use.
//
// The target workload is a list of shapes with popularities. For one shape, a node's free milli-GPU is fragmented
//   entirely   if the shape asks for no GPU, if the node's product is not acceptable, or if the shape does not fit;
//   in part    if it fits: the cards with less free room than one share of it.
// The node's fragmentation is the mean over the shapes, weighted by popularity. It is kept as an exact integer: the sum
// over shapes of count * milli, to be divided by total_count() when a number per node is wanted.
//
// Source: Weng et al., "Beware of Fragmentation", USENIX ATC 2023, and the published artifact's results. Memory is not
// part of the measure. Cost of one node: O(shapes * cards).
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "engine/ids.h"

namespace berth::engine {

// Stands for every product that no shape names. Cards that no product is known of have ProductId::none(), which a shape
// may name like any other.
inline constexpr ProductId kUnnamedProduct{std::numeric_limits<ProductId::Value>::max() - 1};

struct TargetShape {
  Amount cpu = 0;                   // milli
  std::int32_t card_count = 0;      // 0: no GPU
  std::int32_t card_milli = 0;      // per card
  std::vector<ProductId> products;  // acceptable; empty: any
  std::int64_t count = 0;           // how often it occurs in the workload
  bool operator==(const TargetShape&) const = default;
};

class TargetWorkload {
 public:
  explicit TargetWorkload(std::vector<TargetShape> shapes);

  [[nodiscard]] std::span<const TargetShape> shapes() const { return shapes_; }
  [[nodiscard]] std::int64_t total_count() const { return total_count_; }

  // By position in shapes(): 1 if a shape may run on cards of this product, or asks for none.
  [[nodiscard]] std::span<const std::uint8_t> acceptable(ProductId product) const {
    return rows_of(product).acceptable;
  }

  // Expected fragmented milli-GPU times total_count().
  [[nodiscard]] std::int64_t fragmentation(Amount free_cpu, std::span<const std::int32_t> card_free,
                                           ProductId product) const;

 private:
  struct Row {  // a shape as the inner loop wants it; shapes that differ in products only keep their own rows
    Amount cpu;
    std::int32_t card_count;
    std::int32_t card_milli;
    std::int64_t count;
  };
  // Rows that a node of this product must look at; the rest of the weight is fragmented entirely.
  struct ProductRows {
    ProductId product;
    std::vector<Row> rows;
    std::vector<std::uint8_t> acceptable;
    std::int64_t hopeless_count = 0;
  };
  [[nodiscard]] const ProductRows& rows_of(ProductId product) const;
  [[nodiscard]] ProductRows rows_for(ProductId product) const;

  std::vector<TargetShape> shapes_;
  std::int64_t total_count_ = 0;
  std::vector<ProductRows> by_product_;  // of every product that some shape names, ascending
  ProductRows any_other_product_;
};

}  // namespace berth::engine
