#include "report/amounts.h"

#include <array>

#include <fmt/format.h>

namespace berth::report {
namespace {

using engine::Amount;
using engine::ResourceId;

// Thousandths without trailing zeros: 2500 as "2.5", 8000 as "8".
std::string thousandths(Amount amount) {
  std::string out = amount < 0 ? "-" : "";
  const std::uint64_t size = amount < 0 ? -static_cast<std::uint64_t>(amount) : static_cast<std::uint64_t>(amount);
  out += std::to_string(size / 1000);
  if (const std::uint64_t rest = size % 1000; rest > 0) {
    std::string digits = std::to_string(1000 + rest).substr(1);
    digits.erase(digits.find_last_not_of('0') + 1);
    out += '.' + digits;
  }
  return out;
}

bool in_bytes(std::string_view name) {
  return name == "memory" || name == "ephemeral-storage" || name.starts_with("hugepages-");
}

}  // namespace

std::string bytes_text(Amount bytes, Rounding rounding) {
  static constexpr std::array<std::string_view, 7> kUnits = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
  if (bytes < 0) return "-" + bytes_text(-bytes, rounding == Rounding::kUp ? Rounding::kDown : Rounding::kUp);
  // The largest unit that is exact, unless its number is long; then one decimal of the next larger one.
  std::size_t unit = 0;
  Amount size = 1;
  while (unit + 1 < kUnits.size() && bytes / size >= 1024) size *= 1024, ++unit;
  for (std::size_t exact = unit + 1; exact-- > 0;) {
    const Amount of = Amount{1} << (10 * exact);
    if (bytes % of == 0 && bytes / of < 10'000) return std::to_string(bytes / of) + std::string(kUnits[exact]);
  }
  const Amount whole = bytes / size;
  const Amount rest = bytes % size;
  // size is at most 2^60, so rest * 10 could overflow; tenths of it cannot.
  Amount tenth = size >= 1024 ? (rest / 16) * 10 / (size / 16) : 0;
  const Amount below = tenth * (size / 16) / 10 * 16;
  if (rounding == Rounding::kUp && rest > below) ++tenth;
  std::string out = std::to_string(whole + tenth / 10);
  if (tenth % 10 != 0) out += '.' + std::to_string(tenth % 10);
  return out + std::string(kUnits[unit]);
}

std::string number_text(const engine::Names& names, ResourceId resource, bool is_card, Amount amount,
                        Rounding rounding) {
  if (is_card || resource == engine::kCpu) return thousandths(amount);
  if (in_bytes(names.resources.text(resource))) return bytes_text(amount, rounding);
  return std::to_string(amount);
}

std::string unit_text(const engine::Names& names, ResourceId resource, bool singular) {
  if (resource == engine::kCpu) return singular ? "CPU" : "CPUs";
  if (resource == engine::kPods) return singular ? "pod slot" : "pod slots";
  const std::string_view name = names.resources.text(resource);
  if (name == "nvidia.com/gpu") return singular ? "GPU" : "GPUs";
  return std::string(name);
}

std::string amount_text(const engine::Names& names, ResourceId resource, bool is_card, Amount amount,
                        Rounding rounding) {
  const bool thousand = is_card || resource == engine::kCpu;
  const bool singular = thousand ? amount > 0 && amount <= 1000 : amount == 1;
  return number_text(names, resource, is_card, amount, rounding) + ' ' + unit_text(names, resource, singular);
}

std::string share_text(std::int32_t milli, std::int32_t millionths) {
  if (millionths == 0) return thousandths(milli);
  std::string text = fmt::format("0.{:03}{:06}", milli, millionths);
  text.erase(text.find_last_not_of('0') + 1);
  return text;
}

std::string cards_text(const engine::Names& names, const engine::CardRequest& request) {
  const bool one = request.count == 1;
  if (one && request.memory_bytes == 0 && request.millionths > 0)
    return share_text(request.milli, request.millionths) + ' ' + unit_text(names, request.resource, true);
  if (request.whole() || (one && request.memory_bytes == 0))
    return amount_text(names, request.resource, true, request.total(), Rounding::kUp);
  std::string share = request.milli > 0 ? share_text(request.milli, request.millionths) : "";
  if (request.memory_bytes > 0)
    share += (share.empty() ? "" : " and ") + bytes_text(request.memory_bytes, Rounding::kUp);
  const std::string unit = unit_text(names, request.resource, one);
  return share + (one ? " of a " + unit : " of each of " + std::to_string(request.count) + ' ' + unit);
}

}  // namespace berth::report
