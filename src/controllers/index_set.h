// IndexSet: a set of completion indexes as a Job's status writes it: "0,2-4". Held as ranges, so that its size does not
// depend on how far they reach.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace berth::controllers {

class IndexSet {
 public:
  // none: the text is not of this form, or not ascending.
  [[nodiscard]] static std::optional<IndexSet> parse(std::string_view text);

  [[nodiscard]] static IndexSet of(std::vector<std::int64_t> indexes);

  void insert(std::int64_t index);
  void insert(const IndexSet& other);
  [[nodiscard]] bool contains(std::int64_t index) const;
  // The first index from `from` on that is not in the set.
  [[nodiscard]] std::int64_t next_missing(std::int64_t from) const;
  // How many indexes below `end` are in the set.
  [[nodiscard]] std::int64_t count_below(std::int64_t end) const;
  // How many indexes below `end` are in both.
  [[nodiscard]] std::int64_t count_common(const IndexSet& other, std::int64_t end) const;

 private:
  struct Range {
    std::int64_t first = 0;
    std::int64_t last = 0;  // included
  };
  std::vector<Range> ranges_;  // ascending, apart from each other
};

}  // namespace berth::controllers
