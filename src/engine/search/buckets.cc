#include "engine/search/buckets.h"

namespace berth::engine {
namespace {

constexpr std::size_t kBits = 64;

std::uint64_t bit(std::size_t position) { return std::uint64_t{1} << (position % kBits); }

}  // namespace

Buckets::Buckets(std::size_t ranks, std::optional<std::int64_t> largest)
    : words_((ranks + kBits - 1) / kBits), summary_((words_ + kBits - 1) / kBits), dense_(largest.has_value()) {
  if (!dense_) return;
  const auto scores = static_cast<std::size_t>(*largest) + 1;
  slot_of_score_.assign(scores, kNoSlot);
  occupied_.assign((scores + kBits - 1) / kBits, 0);
}

std::uint32_t Buckets::slot_of(std::int64_t score) const {
  if (dense_) return slot_of_score_[static_cast<std::size_t>(score)];
  const auto found = by_score_.find(score);
  return found == by_score_.end() ? kNoSlot : found->second;
}

std::uint32_t Buckets::slot_for(std::int64_t score) {
  std::uint32_t& slot =
      dense_ ? slot_of_score_[static_cast<std::size_t>(score)] : by_score_.try_emplace(score, kNoSlot).first->second;
  if (slot != kNoSlot) return slot;
  if (!free_slots_.empty()) {
    slot = free_slots_.back();
    free_slots_.pop_back();
  } else {
    slot = static_cast<std::uint32_t>(buckets_.size());
    buckets_.emplace_back().words.assign(summary_ + words_, 0);
  }
  return slot;
}

void Buckets::insert(std::uint32_t rank, std::int64_t score) {
  Bucket& bucket = buckets_[slot_for(score)];
  const std::size_t word = rank / kBits;
  bucket.words[summary_ + word] |= bit(rank);
  bucket.words[word / kBits] |= bit(word);
  if (bucket.members++ == 0 && dense_) {
    const auto position = static_cast<std::size_t>(score);
    occupied_[position / kBits] |= bit(position);
  }
}

void Buckets::erase(std::uint32_t rank, std::int64_t score) {
  const std::uint32_t slot = slot_of(score);
  Bucket& bucket = buckets_[slot];
  const std::size_t word = rank / kBits;
  bucket.words[summary_ + word] &= ~bit(rank);
  if (bucket.words[summary_ + word] == 0) bucket.words[word / kBits] &= ~bit(word);
  if (--bucket.members != 0) return;
  if (dense_) {
    const auto position = static_cast<std::size_t>(score);
    occupied_[position / kBits] &= ~bit(position);
  } else {
    by_score_.erase(score);
    free_slots_.push_back(slot);
  }
}

std::optional<std::uint32_t> Buckets::first(const Bucket& bucket, std::span<const Mask> masks) const {
  for (std::size_t i = 0; i < summary_; ++i) {
    for (std::uint64_t rest = bucket.words[i]; rest != 0; rest &= rest - 1) {
      const std::size_t word = i * kBits + static_cast<std::size_t>(std::countr_zero(rest));
      const std::uint64_t allowed = masked(bucket.words[summary_ + word], word, masks);
      if (allowed != 0) {
        return static_cast<std::uint32_t>(word * kBits + static_cast<std::size_t>(std::countr_zero(allowed)));
      }
    }
  }
  return std::nullopt;
}

std::optional<Buckets::Best> Buckets::best(std::span<const Mask> masks) const {
  if (!dense_) {
    for (const auto& [score, slot] : by_score_) {
      if (const auto rank = first(buckets_[slot], masks)) return Best{score, *rank};
    }
    return std::nullopt;
  }
  for (std::size_t i = occupied_.size(); i-- > 0;) {
    for (std::uint64_t rest = occupied_[i]; rest != 0;) {
      const auto highest = static_cast<std::size_t>(std::bit_width(rest)) - 1;
      rest &= ~(std::uint64_t{1} << highest);
      const std::size_t score = i * kBits + highest;
      if (const auto rank = first(buckets_[slot_of_score_[score]], masks)) {
        return Best{static_cast<std::int64_t>(score), *rank};
      }
    }
  }
  return std::nullopt;
}

void Buckets::append(std::int64_t score, std::span<const Mask> masks, std::vector<std::uint32_t>& ranks) const {
  const std::uint32_t slot = slot_of(score);
  if (slot == kNoSlot) return;
  const Bucket& bucket = buckets_[slot];
  for (std::size_t word = 0; word < words_; ++word) {
    for (std::uint64_t rest = masked(bucket.words[summary_ + word], word, masks); rest != 0; rest &= rest - 1) {
      ranks.push_back(static_cast<std::uint32_t>(word * kBits + static_cast<std::size_t>(std::countr_zero(rest))));
    }
  }
}

}  // namespace berth::engine
