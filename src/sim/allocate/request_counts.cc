#include "sim/allocate/request_counts.h"

#include <algorithm>

#include "engine/devices/catalogue.h"
#include "engine/devices/trial.h"

namespace berth::sim {
namespace {

namespace devices = engine::devices;
using devices::SelectorAnswer;

constexpr std::size_t kMostHolders = 8;

class Counter {
 public:
  Counter(const DeviceWorld& world, const devices::NodeDevices& node)
      : world_(world), node_(node), question_(relaxed(world, node)), trial_(question_) {}

  std::vector<RequestCount> run() {
    std::vector<RequestCount> out;
    for (std::uint32_t option = 0; option < trial_.option_count(); ++option) out.push_back(count(option));
    return out;
  }

 private:
  // Failures of selectors are counted here; they end nothing.
  static devices::Question relaxed(const DeviceWorld& world, const devices::NodeDevices& node) {
    devices::Question question = world.question(node, world.pending().size());
    question.mode = devices::Mode::kBest;
    return question;
  }

  RequestCount count(std::uint32_t option) {
    const devices::Trial::Option& where = trial_.option(option);
    const devices::Alternative& alternative = *where.alternative;
    const api::DeviceRequest& request = world_.pending()[where.claim]->object.spec.requests[where.request];
    RequestCount out;
    out.claim = world_.claim_name(where.claim);
    out.request = request.name;
    if (!request.first_available.empty()) out.request += '/' + request.first_available[where.index].name;
    out.device_class = world_.names().names.text(alternative.device_class);
    if (!alternative.selectors.empty())
      out.selector = world_.names().devices().selectors.text(alternative.selectors.back());
    out.all = alternative.mode == devices::Alternative::Mode::kAll;
    out.devices = static_cast<std::int64_t>(node_.devices.size());
    for (std::uint32_t device = 0; device < node_.devices.size(); ++device) sort_in(option, device, out);
    out.needed = out.all ? std::max<std::int64_t>(1, out.matching - out.too_small) : alternative.count;
    return out;
  }

  void sort_in(std::uint32_t option, std::uint32_t device, RequestCount& out) {
    const devices::PlacedDevice& candidate = node_.devices[device];
    const SelectorAnswer answer = trial_.ask(option, candidate.kind).second;
    if (answer.kind == SelectorAnswer::Kind::kError) {
      if (out.failed++ == 0) out.failure = world_.selectors().error(answer.error);
      return;
    }
    if (!trial_.selects(option, device).value_or(false)) return;
    ++out.matching;
    if (!trial_.capacity_suffices(option, device).value_or(false)) {
      ++out.too_small;
    } else if (trial_.skips_in_vain(device)) {
      ++out.skipping;
    } else if (!trial_.tolerates(option, device)) {
      if (out.tainted++ == 0) out.taint = a_taint(candidate);
    } else if (trial_.occupied(option, device) || !trial_.capacity_left(option, device).value_or(false)) {
      ++out.in_use;
      for (const std::string& holder : world_.holders(candidate.id)) {
        const bool known = std::ranges::find(out.holders, holder) != out.holders.end();
        if (!known && out.holders.size() < kMostHolders) out.holders.push_back(holder);
      }
    } else if (!trial_.counters_suffice(option, device) ||
               (!candidate.consumption.is_none() && !question_.features.partitionable_devices)) {
      ++out.cut;
    } else {
      ++out.available;
    }
  }

  [[nodiscard]] std::string a_taint(const devices::PlacedDevice& device) const {
    for (const devices::DeviceTaint& taint : world_.names().devices().taints.content(device.taints)) {
      if (taint.effect != devices::DeviceEffect::kNone) return std::string(world_.names().names.text(taint.key));
    }
    return {};
  }

  const DeviceWorld& world_;
  const devices::NodeDevices& node_;
  devices::Question question_;
  devices::Trial trial_;
};

// Counts of one request stand together: "r/a", "r/b".
bool same_request(const RequestCount& a, const RequestCount& b) {
  return a.claim == b.claim && a.request.substr(0, a.request.find('/')) == b.request.substr(0, b.request.find('/'));
}

// The nearest alternative of each request.
std::vector<const RequestCount*> nearest(const std::vector<RequestCount>& counts) {
  std::vector<const RequestCount*> out;
  for (const RequestCount& count : counts) {
    if (out.empty() || !same_request(*out.back(), count)) {
      out.push_back(&count);
    } else if (count.missing() < out.back()->missing()) {
      out.back() = &count;
    }
  }
  return out;
}

}  // namespace

std::vector<RequestCount> count_requests(const DeviceWorld& world, const devices::NodeDevices& node) {
  return Counter(world, node).run();
}

std::int64_t missing(const std::vector<RequestCount>& counts) {
  std::int64_t sum = 0;
  for (const RequestCount* count : nearest(counts)) sum += count->missing();
  return sum;
}

const RequestCount* scarcest(const std::vector<RequestCount>& counts) {
  const RequestCount* worst = nullptr;
  for (const RequestCount* count : nearest(counts)) {
    if (count->missing() > (worst == nullptr ? 0 : worst->missing())) worst = count;
  }
  return worst;
}

}  // namespace berth::sim
