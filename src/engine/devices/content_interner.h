// ContentInterner: a dense id per distinct content, counting up from 0. Look-up is one hash; references to contents
// stay valid for the interner's life.
#pragma once

#include <cstddef>
#include <deque>
#include <utility>

#include <boost/unordered/unordered_flat_set.hpp>

namespace berth::engine::devices {

// Hash is a function object from content to std::size_t; equality is operator==.
template <class IdType, class Content, class Hash>
class ContentInterner {
 public:
  ContentInterner() : ids_(0, ByContent{&contents_}, ByContent{&contents_}) {}
  ContentInterner(const ContentInterner&) = delete;
  ContentInterner& operator=(const ContentInterner&) = delete;

  IdType intern(Content content) {
    if (const auto found = ids_.find(content); found != ids_.end()) return *found;
    const IdType id{contents_.size()};
    contents_.push_back(std::move(content));
    ids_.insert(id);
    return id;
  }

  [[nodiscard]] const Content& content(IdType id) const { return contents_[id.index()]; }
  [[nodiscard]] std::size_t size() const { return contents_.size(); }

 private:
  struct ByContent {
    using is_transparent = void;
    const std::deque<Content>* contents;
    std::size_t operator()(const Content& content) const { return Hash{}(content); }
    std::size_t operator()(IdType id) const { return Hash{}((*contents)[id.index()]); }
    bool operator()(IdType left, IdType right) const { return left == right; }
    bool operator()(IdType left, const Content& right) const { return (*contents)[left.index()] == right; }
    bool operator()(const Content& left, IdType right) const { return left == (*contents)[right.index()]; }
  };
  std::deque<Content> contents_;
  boost::unordered_flat_set<IdType, ByContent, ByContent> ids_;
};

}  // namespace berth::engine::devices
