// Trial: an allocation in the making. Knows what is legal; which devices to try, and in which order, is the business of
// the searches (strict.cc, best.cc). Devices are taken and given back like a stack.
//
// A device is a position in NodeDevices::devices; an alternative is a number through all claims, requests and
// alternatives of the question, in order.
#pragma once

#include <cstdint>
#include <deque>
#include <expected>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/devices/allocator.h"
#include "engine/devices/capacity.h"
#include "engine/devices/constraint_state.h"

namespace berth::engine::devices {

class Trial {
 public:
  explicit Trial(const Question& question);

  struct Option {  // an alternative, with where it is
    const Alternative* alternative = nullptr;
    std::uint32_t claim = 0;
    std::uint32_t request = 0;
    std::uint32_t index = 0;
    bool admin = false;
  };
  [[nodiscard]] const Option& option(std::uint32_t number) const { return options_[number]; }
  // The number of the first alternative of a request.
  [[nodiscard]] std::uint32_t first_option(std::uint32_t claim, std::uint32_t request) const {
    return first_options_[claim][request];
  }
  [[nodiscard]] std::size_t option_count() const { return options_.size(); }

  [[nodiscard]] const Question& question() const { return question_; }
  [[nodiscard]] const std::vector<PlacedDevice>& devices() const { return question_.node->devices; }
  [[nodiscard]] const Kind& kind(std::uint32_t device) const;
  [[nodiscard]] bool shareable(std::uint32_t device) const;  // allowMultipleAllocations, with the gate on

  // --- What does not change during the trial

  // Class, request and node select the device. The failure is that of a selector; in best mode there is none: the
  // device does not count, and the failure is kept in faults().
  std::expected<bool, Failure> selects(std::uint32_t option, std::uint32_t device);
  // The selectors alone: the first that does not say yes, and its answer.
  [[nodiscard]] std::pair<SelectorId, SelectorAnswer> ask(std::uint32_t option, KindId kind) const;
  // The device could satisfy the capacity request if nobody used it.
  std::expected<bool, Failure> capacity_suffices(std::uint32_t option, std::uint32_t device);
  // Its slice skips operations of the node, which is not allowed.
  [[nodiscard]] bool skips_in_vain(std::uint32_t device) const;
  // Neither that nor a taint forbids it.
  [[nodiscard]] bool tolerates(std::uint32_t option, std::uint32_t device) const;

  // --- What does

  // In use by a claim, or taken in this trial: not available for the option.
  [[nodiscard]] bool occupied(std::uint32_t option, std::uint32_t device) const;
  std::expected<bool, Failure> capacity_left(std::uint32_t option, std::uint32_t device);

  enum class Refusal : std::uint8_t { kNone, kOccupied, kCounters, kTaint, kConstraint, kCapacity };
  struct Verdict {
    Refusal refusal = Refusal::kNone;
    std::uint32_t constraint = 0;  // kConstraint: which of the claim
    [[nodiscard]] bool taken() const { return refusal == Refusal::kNone; }
  };
  // Takes the device for the option, which must select it, or says why not.
  std::expected<Verdict, Failure> take(std::uint32_t option, std::uint32_t device);
  void give_back();  // the last one taken

  struct Taken {
    std::uint32_t option = 0;
    std::uint32_t device = 0;
    std::uint32_t constraints = 0;           // how many of the claim's were told
    bool charged = false;                    // its counters
    bool marked = false;                     // not shareable: belongs to its claim
    bool occupies = false;                   // and no other claim may have it
    const CapacityDemand* demand = nullptr;  // shareable: what it takes
  };
  [[nodiscard]] const std::vector<Taken>& taken() const { return taken_; }
  [[nodiscard]] std::size_t taken_of_claim(std::uint32_t claim) const { return per_claim_[claim]; }

  [[nodiscard]] const std::vector<Failure>& faults() const { return faults_; }

  // --- For the searches' bounds

  [[nodiscard]] std::vector<ConstraintState>& constraints(std::uint32_t claim) { return constraints_[claim]; }
  // The counters suffice now, or need not.
  [[nodiscard]] bool counters_suffice(std::uint32_t option, std::uint32_t device);
  [[nodiscard]] bool shared_already(std::uint32_t device) const {
    return share_counts_[device] > 0 || question_.usage->shares(devices()[device].id) > 0;
  }
  // Somebody of this trial has the whole device, or looks at it.
  [[nodiscard]] bool marked(std::uint32_t device) const;
  // What the shares of this trial take of each capacity of the device; empty if there are none.
  [[nodiscard]] const std::vector<Quantity>& trying(std::uint32_t device) const { return share_amounts_[device]; }
  std::expected<const CapacityDemand*, Failure> demand(std::uint32_t option, std::uint32_t device);
  // What is left of each counter of a pool; empty if it has none.
  const std::vector<Quantity>& counters_left(std::uint32_t pool);
  // Strict mode: before anything was taken some counter was below zero that upstream looks at with this one.
  [[nodiscard]] bool blocked(std::uint32_t pool, std::uint32_t counter);
  [[nodiscard]] Failure failure(Problem problem, std::uint32_t option) const;

 private:
  enum class Known : std::uint8_t { kUnknown, kNo, kYes };
  struct PoolCounters {
    bool known = false;
    std::vector<Quantity> left;
    std::vector<std::uint32_t> overcommitted;  // scopes with a counter below zero before anything is taken
  };
  PoolCounters& counters(std::uint32_t pool);
  [[nodiscard]] bool needs_counters(std::uint32_t option, std::uint32_t device) const;
  [[nodiscard]] bool consumes_everything(std::uint32_t option, std::uint32_t device) const;
  [[nodiscard]] bool blocked(const PlacedDevice& device);
  [[nodiscard]] bool charge(std::uint32_t device);
  void undo(const Taken& taken);

  Question question_;
  std::vector<Option> options_;
  std::vector<std::vector<std::uint32_t>> first_options_;  // by claim and request
  std::vector<std::vector<Known>> selects_;                // by option and device
  std::vector<std::unordered_map<KindId, std::expected<CapacityDemand, CapacityError>>> demands_;  // by option
  std::vector<std::vector<ConstraintState>> constraints_;                                          // by claim
  std::vector<std::vector<bool>> marks_;              // by claim and device
  std::vector<std::uint32_t> mark_counts_;            // by device
  std::vector<std::uint32_t> share_counts_;           // by device, in this trial
  std::vector<std::vector<Quantity>> share_amounts_;  // by device, in this trial
  std::vector<PoolCounters> counters_;                // by pool
  std::vector<Taken> taken_;
  std::vector<std::size_t> per_claim_;
  std::vector<Failure> faults_;
};

}  // namespace berth::engine::devices
