// What the readers of JSON and YAML deliver: one Entry per document, or per item where the document is a list, so that
// a list of any size is never held as one tree.
//
// A list is an object with an array `items`, as kubectl writes it, or a bare array. Each item is an entry of its own
// and the rest of the list's object is dropped but for apiVersion and kind where they come before the items.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "text/value.h"

namespace berth::text {

struct Location {
  std::int32_t line = 0;    // 1-based
  std::int32_t column = 0;  // 1-based, in bytes for JSON and in characters for YAML
  bool operator==(const Location&) const = default;
};

struct Entry {
  Value value;
  std::int32_t document = 0;          // 1-based; empty documents are not counted
  std::int32_t item = 0;              // 1-based number in the list; 0: the document is no list
  std::string_view list_api_version;  // of the list, where it came before the items
  std::string_view list_kind;
  Location start;
  std::string_view json;  // the text of the entry where it was JSON

  // Where a value of this entry's tree starts. Linear in the distance from the start of the entry for JSON.
  [[nodiscard]] Location locate(const Value& value) const;
};

// Called in the order of the text. Values are valid during the call only.
class EntryVisitor {
 public:
  virtual ~EntryVisitor() = default;

  virtual void entry(const Entry& entry) = 0;
  // A part of the input that could not be read; the place holds document, line and column but no file. Reading goes on
  // behind it where that is possible.
  virtual void error(const Error& error) = 0;
};

// Paths of members that are dropped while reading, such as {"metadata", "managedFields"}, counted from each entry.
// Arrays on the way are passed through: {"spec", "containers", "env"} drops env of every container.
class SkipPaths {
 public:
  SkipPaths() = default;
  SkipPaths(std::initializer_list<std::initializer_list<std::string_view>> paths);
  void add(std::initializer_list<std::string_view> path);

  struct Node {
    std::string name;
    bool dropped = false;
    std::vector<Node> children;

    [[nodiscard]] const Node* find(std::string_view key) const {
      for (const Node& child : children)
        if (child.name == key) return &child;
      return nullptr;
    }
  };
  [[nodiscard]] const Node* root() const { return root_.children.empty() ? nullptr : &root_; }

 private:
  Node root_;
};

struct ReadOptions {
  const SkipPaths* skip = nullptr;
  std::int32_t max_depth = 200;     // of nested arrays and objects
  std::int32_t first_document = 1;  // number and line of what the source starts with, for sources that are
  std::int32_t first_line = 1;      // the rest of another
  std::int32_t max_errors = 100;    // a source with more is given up
  bool split_lists = true;          // false: a list is one entry, like everything else
  bool keys_as_written = false;  // YAML: a key is its text, also where kubectl reads a boolean or number (n, on, 010)
};

}  // namespace berth::text
