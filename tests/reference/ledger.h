// The naive ledger: a queue tree for one resource, every number worked out anew from the list of charges.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace berth::reference {

struct QueueSpec {
  std::int32_t parent = -1;               // position in the list; -1: the hardware. A circle is allowed
  std::optional<std::int64_t> guarantee;  // none: no guarantee
  std::optional<std::int64_t> lending_limit;
  std::optional<std::int64_t> borrowing_limit;
  std::optional<std::int64_t> cap;
  bool adds_to_children = false;
  bool only_named = false;
  std::int64_t charged = 0;  // to the queue itself
};

class NaiveLedger {
 public:
  NaiveLedger(std::vector<QueueSpec> queues, std::int64_t hardware) : queues_(std::move(queues)), hardware_(hardware) {}

  [[nodiscard]] bool is_broken(std::size_t queue) const;
  // Over the queue and everything below it; -1 is the hardware.
  [[nodiscard]] std::int64_t used(std::int32_t queue) const;
  // What may be charged on top; none: as much as one likes.
  [[nodiscard]] std::optional<std::int64_t> headroom(std::int32_t queue) const;

 private:
  [[nodiscard]] std::int32_t parent(std::size_t queue) const { return is_broken(queue) ? -1 : queues_[queue].parent; }
  [[nodiscard]] std::vector<std::size_t> children(std::int32_t queue) const;
  [[nodiscard]] std::int64_t quota(std::size_t queue) const;
  [[nodiscard]] std::int64_t withheld(std::size_t queue) const;
  [[nodiscard]] std::int64_t kept_below(std::int32_t queue) const;
  [[nodiscard]] std::int64_t drawn(std::int32_t queue) const;
  // Before the caps above it: what is kept for a queue comes on top of those here.
  [[nodiscard]] std::optional<std::int64_t> shared(std::int32_t queue) const;

  std::vector<QueueSpec> queues_;
  std::int64_t hardware_;
};

}  // namespace berth::reference
