#include "oracle/answers.h"

#include <string_view>

#include "oracle/data_file.h"
#include "text/json_writer.h"

namespace berth::oracle {
namespace {

using text::Value;

bool bool_of(const Value& value, std::string_view name) {
  const Value* member = value.find(name);
  return member != nullptr && member->is_true();
}

std::int64_t integer_of(const Value& value, std::string_view name) {
  const Value* member = value.find(name);
  return member == nullptr ? 0 : member->as_int64().value_or(0);
}

std::vector<std::string> strings_of(const Value& value, std::string_view name) {
  std::vector<std::string> result;
  if (const Value* member = value.find(name)) {
    for (const Value& item : member->items()) result.emplace_back(item.text());
  }
  return result;
}

std::vector<std::int64_t> integers_of(const Value& value, std::string_view name) {
  std::vector<std::int64_t> result;
  if (const Value* member = value.find(name)) {
    for (const Value& item : member->items()) result.push_back(item.as_int64().value_or(0));
  }
  return result;
}

void read_preemption(const Value& value, Answer& answer) {
  if (const Value* candidates = value.find("candidates")) {
    for (const Value& candidate : candidates->items()) {
      answer.candidates.push_back(
          {string_of(candidate, "node"), strings_of(candidate, "victims"), integer_of(candidate, "violations")});
    }
  }
  answer.best = strings_of(value, "best");
}

Answer read_answer(const Value& value) {
  Answer answer;
  answer.pod = string_of(value, "pod");
  answer.error = string_of(value, "error");
  answer.unmanaged = bool_of(value, "unmanaged");
  answer.gated = bool_of(value, "gated");
  if (const Value* early = value.find("preFilter")) answer.refused_early = early->find("plugin") != nullptr;
  answer.first = strings_of(value, "first");
  answer.codes = string_of(value, "codes");
  if (const Value* filters = value.find("filters")) {
    for (const auto& [key, letters] : filters->members()) answer.filters.emplace(key.text(), letters.text());
  }
  if (const Value* scores = value.find("scores")) {
    for (const auto& [key, score] : scores->members()) {
      answer.scores[std::string(key.text())] = {integer_of(score, "weight"), integers_of(score, "raw"),
                                                integers_of(score, "normalised")};
    }
  }
  answer.totals = integers_of(value, "totals");
  if (const Value* preemption = value.find("preemption")) read_preemption(*preemption, answer);
  return answer;
}

// The array wrapped as kubectl writes it.
std::string as_list(const Value* items) {
  return R"({"apiVersion":"v1","kind":"List","items":)" + (items == nullptr ? "[]" : text::to_json(*items)) + "}";
}

World read_world(const Value& value) {
  World world;
  world.name = string_of(value, "name");
  if (const Value* config = value.find("config"); config != nullptr && !config->is_null()) {
    world.config = text::to_json(*config);
  }
  world.objects = as_list(value.find("objects"));
  world.pods = as_list(value.find("pods"));
  if (const Value* answers = value.find("answers")) {
    for (const Value& answer : answers->items()) world.answers.push_back(read_answer(answer));
  }
  return world;
}

}  // namespace

Result<DataFile> read_data_file(const std::string& path) {
  DataFile data;
  Result<void> read = for_each_line(path, [&](const Value& root) -> Result<void> {
    if (const Value* header = root.find("header")) {
      data.module = string_of(*header, "module");
      data.seed = static_cast<std::uint64_t>(integer_of(*header, "seed"));
    } else {
      data.worlds.push_back(read_world(root));
    }
    return {};
  });
  BERTH_TRY_VOID(std::move(read));
  return data;
}

std::vector<std::string> data_files() { return data_files("kube-scheduler-", "BERTH_ORACLE_FRESH"); }

}  // namespace berth::oracle
