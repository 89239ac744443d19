#include "report/workload_reasons.h"

#include <chrono>

#include <fmt/format.h>

#include "engine/quota/queue_tree.h"
#include "report/amounts.h"
#include "report/layout.h"

namespace berth::report {
namespace {

using engine::Amount;
using engine::HoldReason;
using engine::QueueState;
using engine::QuotaBlock;
using engine::Reason;
using engine::WorkloadFacts;

std::string name_text(const Surroundings& around, engine::NameId name) {
  return name.is_none() ? std::string() : std::string(around.names().names.text(name));
}

std::string amount(const Surroundings& around, engine::ResourceId resource, Amount value, Rounding rounding) {
  return amount_text(around.names(), resource, around.is_card(resource), value, rounding);
}

// "prefill 2 of 3 and decode 0 of 3".
std::string groups_text(const WorkloadFacts& facts, const Surroundings& around) {
  std::vector<std::string> parts;
  for (const WorkloadFacts::OfGroup& group : facts.groups) {
    if (group.name.is_none()) continue;
    parts.push_back(fmt::format("{} {} of {}", name_text(around, group.name), std::min(group.fitting, group.required),
                                group.required));
  }
  return enumerate(parts, 6);
}

std::string limit_text(const Reason& reason, const Surroundings& around) {
  const std::string queue = name_text(around, reason.workload.cause_queue);
  switch (reason.workload.quota->limit) {
    case QuotaBlock::Limit::kNone:
      return "";
    case QuotaBlock::Limit::kNotNamed:
      return "queue " + queue + " has no quota for " +
             std::string(around.names().resources.text(reason.workload.quota->resource));
    case QuotaBlock::Limit::kCap:
      return "the cap of queue " + queue;
    case QuotaBlock::Limit::kBorrowing:
      return "what queue " + queue + " has and may borrow";
    case QuotaBlock::Limit::kFairShare:
      return "the fair share of queue " + queue;
    case QuotaBlock::Limit::kWithheld:
      return "the rest is kept for queues that do not lend it";
    case QuotaBlock::Limit::kToCome:
      return "the rest is in use, or kept for pods that running groups will make";
  }
  return "";
}

}  // namespace

std::string_view name_of(QuotaBlock::Limit limit) {
  switch (limit) {
    case QuotaBlock::Limit::kNone:
      return "None";
    case QuotaBlock::Limit::kNotNamed:
      return "NotNamed";
    case QuotaBlock::Limit::kCap:
      return "Cap";
    case QuotaBlock::Limit::kBorrowing:
      return "Borrowing";
    case QuotaBlock::Limit::kFairShare:
      return "FairShare";
    case QuotaBlock::Limit::kWithheld:
      return "Withheld";
    case QuotaBlock::Limit::kToCome:
      return "ToCome";
  }
  return "";
}

std::string_view name_of(QueueState state) {
  switch (state) {
    case QueueState::kUsable:
      return "Usable";
    case QueueState::kClosed:
      return "Closed";
    case QueueState::kMissing:
      return "Missing";
    case QueueState::kMissingParent:
      return "MissingParent";
    case QueueState::kCycle:
      return "Cycle";
    case QueueState::kTooDeep:
      return "TooDeep";
  }
  return "";
}

std::string_view name_of(WorkloadFacts::StartBasis basis) {
  switch (basis) {
    case WorkloadFacts::StartBasis::kUnknown:
      return "Unknown";
    case WorkloadFacts::StartBasis::kNever:
      return "Never";
    case WorkloadFacts::StartBasis::kRunTimes:
      return "RunTimes";
    case WorkloadFacts::StartBasis::kReservation:
      return "Reservation";
    case WorkloadFacts::StartBasis::kYoungerEnd:
      return "YoungerEnd";
  }
  return "";
}

std::string_view name_of(HoldReason why) {
  switch (why) {
    case HoldReason::kRunTimes:
      return "RunTimes";
    case HoldReason::kLostMembers:
      return "LostMembers";
    case HoldReason::kWaitingTime:
      return "WaitingTime";
    case HoldReason::kOvertaken:
      return "Overtaken";
    case HoldReason::kStrictQueue:
      return "StrictQueue";
  }
  return "";
}

std::string time_text(std::int64_t seconds) {
  const std::chrono::sys_seconds time{std::chrono::seconds(seconds)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count());
}

std::string gang_incomplete(const Reason& reason, const Surroundings& around) {
  const WorkloadFacts& facts = reason.workload;
  if (facts.wanting < facts.required) {
    return fmt::format("needs {} and only {} so far; the rest was not made yet",
                       counted(static_cast<std::uint64_t>(facts.required), "more member"),
                       facts.wanting == 1 ? "1 exists" : grouped(static_cast<std::uint64_t>(facts.wanting)) + " exist");
  }
  std::string text = fmt::format("needs {} members at once", facts.required);
  if (facts.search_limit) return text + "; the search for a place gave up before it found or excluded one";
  text += fmt::format("; {} would find a node now", facts.fitting);
  if (const std::string groups = groups_text(facts, around); !groups.empty()) text += " (" + groups + ")";
  if (!reason.resource.is_none() && reason.needed > 0) {
    text += fmt::format("; each asks {}, {} free", amount(around, reason.resource, reason.needed, Rounding::kUp),
                        amount(around, reason.resource, reason.sum_free, Rounding::kDown));
  }
  return text;
}

std::string quota_exceeded(const Reason& reason, const Surroundings& around) {
  if (!reason.workload.quota) return "its queue has not enough left";
  const QuotaBlock& quota = *reason.workload.quota;
  const Amount left = std::max<Amount>(quota.headroom, 0);
  return fmt::format("needs {} in queue {} and {} left: {}",
                     amount(around, quota.resource, quota.needed, Rounding::kUp),
                     name_text(around, reason.workload.queue),
                     left == 0 ? "none is" : amount(around, quota.resource, left, Rounding::kDown) + " is",
                     limit_text(reason, around));
}

std::string queue_denied(const Reason& reason, const Surroundings& around) {
  const std::string queue = name_text(around, reason.workload.queue);
  const std::string cause = name_text(around, reason.workload.cause_queue);
  const bool own = queue == cause;
  switch (reason.workload.queue_state) {
    case QueueState::kUsable:
      return "its queue does not take it";
    case QueueState::kClosed:
      return own ? "queue " + queue + " is closed" : "queue " + cause + " above its queue " + queue + " is closed";
    case QueueState::kMissing:
      return "queue " + queue + " does not exist";
    case QueueState::kMissingParent:
      return "queue " + queue + " is below queue " + cause + ", which does not exist";
    case QueueState::kCycle:
      return "queue " + queue + " is its own ancestor or below one that is; see the parent of queue " + cause;
    case QueueState::kTooDeep:
      return "queue " + (own ? queue : cause + ", which is above queue " + queue + ",") + " has more than " +
             std::to_string(engine::QueueTree::kMostDepth) + " queues above it; give it a parent nearer to the root";
  }
  return "";
}

std::string reserved(const Reason& reason, const Surroundings& around) {
  const WorkloadFacts& facts = reason.workload;
  const std::string owner = name_text(around, facts.reserved_for);
  if (facts.reserved_from)
    return "fits, but what is free is kept for " + owner + ", which starts there at " + time_text(*facts.reserved_from);
  std::string kept = "what it could use is kept for " + owner;
  switch (facts.reserved_because) {
    case HoldReason::kRunTimes:
      return kept;
    case HoldReason::kLostMembers:
      return kept + ", which lost members and gets their places back first";
    case HoldReason::kWaitingTime:
      return kept + ", which has waited as long as it may";
    case HoldReason::kStrictQueue:
      return "fits, but " + owner + " waits in front of it, and nobody passes in its queue";
    case HoldReason::kOvertaken:
      return kept + ", which others that came later have overtaken";
  }
  return kept;
}

std::string no_domain(const Reason& reason, const Surroundings& around) {
  const WorkloadFacts& facts = reason.workload;
  std::string text =
      fmt::format("needs {} members in one {}", facts.needs, around.names().label_keys.text(facts.level));
  if (!facts.group.is_none()) text += " for its group " + name_text(around, facts.group);
  if (facts.best_domain.is_none()) return text + "; no node has that label";
  return text + fmt::format("; the best {}, {}, has room for {}",
                            reason.reason_class == engine::ReasonClass::kNeverFits ? "even when empty" : "now",
                            around.names().text(facts.best_domain), facts.offers);
}

std::string workload_never_fits(const Reason& reason, const Surroundings& around) {
  const WorkloadFacts& facts = reason.workload;
  if (facts.quota && facts.quota->never()) {
    return fmt::format(
        "needs {} and queue {} can never have more than {}: {}",
        amount(around, facts.quota->resource, facts.quota->needed, Rounding::kUp), name_text(around, facts.queue),
        amount(around, facts.quota->resource, std::max<Amount>(facts.quota->potential, 0), Rounding::kDown),
        limit_text(reason, around));
  }
  if (!facts.level.is_none()) return no_domain(reason, around);
  if (facts.required > 1 && facts.offers > 0) {
    return fmt::format("needs {} members at once; the cluster has room for {}, even when empty", facts.needs,
                       facts.offers);
  }
  return "";
}

std::vector<Fact> workload_facts(const Reason& reason, const Surroundings& around) {
  const WorkloadFacts& facts = reason.workload;
  std::vector<Fact> out;
  if (facts.name.is_none()) return out;
  std::string members = name_text(around, facts.name) + fmt::format(": {} placed", facts.placed);
  if (facts.required > 0) {
    members += fmt::format(", {} more needed at once, {} waiting, {} would find a node", facts.required, facts.wanting,
                           facts.fitting);
  }
  out.push_back({"Workload", std::move(members)});
  if (facts.position > 0) {
    std::string place = fmt::format("{} of {}", facts.position, facts.queue_length);
    if (!facts.queue.is_none()) place += " in " + name_text(around, facts.queue);
    out.push_back({"Queue", std::move(place)});
  }
  if (!facts.bound_level.is_none()) {
    const std::string_view level = around.names().label_keys.text(facts.bound_level);
    out.push_back({"Domain", fmt::format("{} {}, where others of it run; it may go nowhere else", level,
                                         around.names().text(facts.bound_domain))});
  }
  switch (facts.start_basis) {
    case WorkloadFacts::StartBasis::kUnknown:
      out.push_back({"Start", "not known: too few of those in the way declare how long they run"});
      break;
    case WorkloadFacts::StartBasis::kNever:
      break;
    case WorkloadFacts::StartBasis::kRunTimes:
      out.push_back({"Start", "not before " + time_text(facts.earliest_start) +
                                  ", by declared run times; later if others go first"});
      break;
    case WorkloadFacts::StartBasis::kReservation:
      out.push_back({"Start", "at " + time_text(facts.earliest_start) + ", by declared run times; the room is kept"});
      break;
    case WorkloadFacts::StartBasis::kYoungerEnd:
      out.push_back({"Start", "not known: when those end that came later; what is free there is kept"});
      break;
  }
  return out;
}

}  // namespace berth::report
