// Ids of a table whose entries come and go: those that are free are given again, the last one first.
#pragma once

#include <vector>

namespace berth::engine {

// A free id, or that of a new entry behind the last. The entry is whatever it was: set it.
template <class Table, class TableId>
[[nodiscard]] TableId take_slot(Table& table, std::vector<TableId>& free) {
  if (free.empty()) {
    table.emplace_back();
    return static_cast<TableId>(table.size() - 1);
  }
  const TableId id = free.back();
  free.pop_back();
  return id;
}

}  // namespace berth::engine
