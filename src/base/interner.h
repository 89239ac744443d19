// Interner: text to dense id and back. Ids count up from 0 in order of first appearance and never
// change. Look-up by text is one hash; by id one array access. Views stay valid for the interner's life.
#pragma once

#include <deque>
#include <string>
#include <string_view>

#include <boost/unordered/unordered_flat_map.hpp>

namespace berth {

template <class IdType>
class Interner {
 public:
  Interner() = default;
  Interner(const Interner&) = delete;
  Interner& operator=(const Interner&) = delete;
  Interner(Interner&&) noexcept = default;
  Interner& operator=(Interner&&) noexcept = default;

  IdType intern(std::string_view text) {
    if (const auto found = ids_.find(text); found != ids_.end()) return found->second;
    const IdType id{texts_.size()};
    texts_.emplace_back(text);
    ids_.emplace(std::string_view(texts_.back()), id);
    return id;
  }

  // The id of a text seen before, or none.
  [[nodiscard]] IdType find(std::string_view text) const {
    const auto found = ids_.find(text);
    return found == ids_.end() ? IdType::none() : found->second;
  }

  [[nodiscard]] std::string_view text(IdType id) const { return texts_[id.index()]; }
  [[nodiscard]] std::size_t size() const { return texts_.size(); }

 private:
  std::deque<std::string> texts_;  // a deque never moves its elements
  boost::unordered_flat_map<std::string_view, IdType> ids_;
};

}  // namespace berth
