// The spelling of Volcano's enum values (see api/enum_names.h).
#pragma once

#include <array>

#include "api/enum_names.h"
#include "api/volcano.h"

namespace berth::api {

template <>
struct EnumNames<volcano::TopologyMode> {
  static constexpr std::array<EnumName<volcano::TopologyMode>, 2> kNames = {
      {{volcano::TopologyMode::kHard, "hard"}, {volcano::TopologyMode::kSoft, "soft"}}};
};
template <>
struct EnumNames<volcano::PodGroupPhase> {
  using Phase = volcano::PodGroupPhase;
  static constexpr std::array<EnumName<Phase>, 5> kNames = {{{Phase::kPending, "Pending"},
                                                             {Phase::kInqueue, "Inqueue"},
                                                             {Phase::kRunning, "Running"},
                                                             {Phase::kUnknown, "Unknown"},
                                                             {Phase::kCompleted, "Completed"}}};
};
template <>
struct EnumNames<volcano::QueueState> {
  using State = volcano::QueueState;
  static constexpr std::array<EnumName<State>, 4> kNames = {
      {{State::kOpen, "Open"}, {State::kClosed, "Closed"}, {State::kClosing, "Closing"}, {State::kUnknown, "Unknown"}}};
};
template <>
struct EnumNames<volcano::DequeueStrategy> {
  using Strategy = volcano::DequeueStrategy;
  static constexpr std::array<EnumName<Strategy>, 2> kNames = {
      {{Strategy::kTraverse, "traverse"}, {Strategy::kFifo, "fifo"}}};
};
template <>
struct EnumNames<volcano::JobEvent> {
  using Event = volcano::JobEvent;
  static constexpr std::array<EnumName<Event>, 7> kNames = {{{Event::kAny, "*"},
                                                             {Event::kPodFailed, "PodFailed"},
                                                             {Event::kPodEvicted, "PodEvicted"},
                                                             {Event::kPodPending, "PodPending"},
                                                             {Event::kUnknown, "Unknown"},
                                                             {Event::kTaskCompleted, "TaskCompleted"},
                                                             {Event::kTaskFailed, "TaskFailed"}}};
};
template <>
struct EnumNames<volcano::JobAction> {
  using Action = volcano::JobAction;
  static constexpr std::array<EnumName<Action>, 8> kNames = {{{Action::kAbortJob, "AbortJob"},
                                                              {Action::kRestartJob, "RestartJob"},
                                                              {Action::kRestartTask, "RestartTask"},
                                                              {Action::kRestartPod, "RestartPod"},
                                                              {Action::kRestartPartition, "RestartPartition"},
                                                              {Action::kTerminateJob, "TerminateJob"},
                                                              {Action::kCompleteJob, "CompleteJob"},
                                                              {Action::kResumeJob, "ResumeJob"}}};
};
template <>
struct EnumNames<volcano::NumaPolicy> {
  using Policy = volcano::NumaPolicy;
  static constexpr std::array<EnumName<Policy>, 4> kNames = {{{Policy::kNone, "none"},
                                                              {Policy::kBestEffort, "best-effort"},
                                                              {Policy::kRestricted, "restricted"},
                                                              {Policy::kSingleNumaNode, "single-numa-node"}}};
};
template <>
struct EnumNames<volcano::DependencyIteration> {
  using Iteration = volcano::DependencyIteration;
  static constexpr std::array<EnumName<Iteration>, 2> kNames = {{{Iteration::kAll, "all"}, {Iteration::kAny, "any"}}};
};
template <>
struct EnumNames<volcano::JobPhase> {
  using Phase = volcano::JobPhase;
  static constexpr std::array<EnumName<Phase>, 10> kNames = {{{Phase::kPending, "Pending"},
                                                              {Phase::kAborting, "Aborting"},
                                                              {Phase::kAborted, "Aborted"},
                                                              {Phase::kRunning, "Running"},
                                                              {Phase::kRestarting, "Restarting"},
                                                              {Phase::kCompleting, "Completing"},
                                                              {Phase::kCompleted, "Completed"},
                                                              {Phase::kTerminating, "Terminating"},
                                                              {Phase::kTerminated, "Terminated"},
                                                              {Phase::kFailed, "Failed"}}};
};
template <>
struct EnumNames<volcano::ConcurrencyPolicy> {
  using Policy = volcano::ConcurrencyPolicy;
  static constexpr std::array<EnumName<Policy>, 3> kNames = {
      {{Policy::kAllow, "Allow"}, {Policy::kForbid, "Forbid"}, {Policy::kReplace, "Replace"}}};
};
template <>
struct EnumNames<volcano::Command::Action> {
  using Action = volcano::Command::Action;
  static constexpr std::array<EnumName<Action>, 7> kNames = {{{Action::kAbortJob, "AbortJob"},
                                                              {Action::kResumeJob, "ResumeJob"},
                                                              {Action::kRestartJob, "RestartJob"},
                                                              {Action::kTerminateJob, "TerminateJob"},
                                                              {Action::kCompleteJob, "CompleteJob"},
                                                              {Action::kOpenQueue, "OpenQueue"},
                                                              {Action::kCloseQueue, "CloseQueue"}}};
};
template <>
struct EnumNames<volcano::JobRetainPolicy> {
  using Policy = volcano::JobRetainPolicy;
  static constexpr std::array<EnumName<Policy>, 2> kNames = {
      {{Policy::kRetain, "retain"}, {Policy::kDelete, "delete"}}};
};
template <>
struct EnumNames<volcano::JobFlowPhase> {
  using Phase = volcano::JobFlowPhase;
  static constexpr std::array<EnumName<Phase>, 5> kNames = {{{Phase::kPending, "Pending"},
                                                             {Phase::kRunning, "Running"},
                                                             {Phase::kSucceed, "Succeed"},
                                                             {Phase::kFailed, "Failed"},
                                                             {Phase::kTerminating, "Terminating"}}};
};
template <>
struct EnumNames<volcano::MemberType> {
  using Type = volcano::MemberType;
  static constexpr std::array<EnumName<Type>, 2> kNames = {{{Type::kNode, "Node"}, {Type::kHyperNode, "HyperNode"}}};
};

}  // namespace berth::api
