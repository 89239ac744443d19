#include "engine/devices/selector_answers.h"

#include <algorithm>

namespace berth::engine::devices {

void AnswerTable::set(SelectorId selector, KindId kind, SelectorAnswer answer) {
  answers_.resize(std::max(answers_.size(), selector.index() + 1));
  std::vector<SelectorAnswer>& row = answers_[selector.index()];
  row.resize(std::max(row.size(), kind.index() + 1));
  row[kind.index()] = answer;
}

SelectorAnswer AnswerTable::answer(SelectorId selector, KindId kind) const {
  if (selector.index() >= answers_.size() || kind.index() >= answers_[selector.index()].size()) return {};
  return answers_[selector.index()][kind.index()];
}

}  // namespace berth::engine::devices
