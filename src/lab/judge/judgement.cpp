// SPDX-License-Identifier: Apache-2.0
#include "lab/judge/judgement.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "base/sentence.h"

namespace tilestep::lab {
namespace {

constexpr std::array<std::pair<std::string_view, Criterion>, 15> kKinds{{
    {"launch-refused", Criterion::compiles},
    {"out-of-bounds", Criterion::bounds},
    {"outside-row", Criterion::bounds},
    {"misaligned", Criterion::bounds},
    {"stack-overflow", Criterion::bounds},
    {"read-only", Criterion::bounds},
    {"uninitialised-read", Criterion::result},
    {"deadlock", Criterion::barriers},
    {"wrong-mask", Criterion::barriers},
    {"wrong-barrier", Criterion::barriers},
    {"divergent-barrier", Criterion::barriers},
    {"assert", Criterion::result},
    {"trap", Criterion::result},
    {"timeout", Criterion::end},
    {"instruction-limit", Criterion::end},
}};

std::optional<Criterion> criterionOf(std::string_view kind) {
  for (const auto& [name, criterion] : kKinds)
    if (name == kind) return criterion;
  return std::nullopt;
}

/// What a failed criterion means, for a sentence that goes on with where.
constexpr std::array<const char*, kCriteria> kSentences{
    "It cannot be launched",
    "The result is wrong",
    "An access leaves its memory or its row, or changes an input",
    "Two threads access one place with nothing that orders them",
    "Threads wait for others that never come, or part at a barrier",
    "A launch does not end, or executes far more instructions than the task needs"};

}  // namespace

void Judgement::fail(Criterion criterion, int line) {
  Failure& failure = failed_[criterion];
  if (failure.lastLaunch != launches_) ++failure.launches;
  failure.lastLaunch = launches_;
  if (failure.line == 0) failure.line = line;
}

void Judgement::add(const RunResult& result) {
  ++launches_;
  for (const device::Fault& fault : result.faults) {
    const std::optional<Criterion> criterion = criterionOf(fault.kind);
    if (criterion)
      fail(*criterion, static_cast<int>(fault.at.line));
    else
      unknown_ = fault.message;
    if (criterion == Criterion::compiles) refusal_ = fault.message;
  }
  if (result.hazards)
    for (const device::Hazard& hazard : *result.hazards)
      fail(Criterion::races, static_cast<int>(hazard.second.line));
  if (result.check && !result.check->ok) fail(Criterion::result, 0);
  const bool cutShort = !result.faults.empty();
  if (!result.check && !cutShort) unknown_ = "The result was not compared.";
}

void Judgement::add(const Error& refused) {
  ++launches_;
  if (refused.kind == ErrorKind::work && !refused.where) {
    unknown_ = refused.message;
    return;
  }
  refusal_ = refused.message;
  fail(Criterion::compiles, refused.where ? refused.where->line : 0);
}

size_t Judgement::launchesThatFailed(Criterion criterion) const {
  const auto at = failed_.find(criterion);
  return at == failed_.end() ? 0 : at->second.launches;
}

int Judgement::lineOf(Criterion criterion) const {
  const auto at = failed_.find(criterion);
  return at == failed_.end() ? 0 : at->second.line;
}

std::set<Criterion> Judgement::failures() const {
  std::set<Criterion> all;
  for (const auto& [criterion, failure] : failed_) all.insert(criterion);
  return all;
}

std::string failuresText(const Judgement& judgement, size_t launches) {
  std::string text;
  for (const Criterion criterion : judgement.failures()) {
    const int line = judgement.lineOf(criterion);
    text += (text.empty() ? "" : " ") + std::string(kSentences[static_cast<size_t>(criterion)]);
    if (line > 0) text += ", at line " + std::to_string(line);
    const size_t failed = judgement.launchesThatFailed(criterion);
    if (criterion == Criterion::compiles)
      text += ": " + asSentence(judgement.refusal());
    else if (failed < launches)
      text += ", at " + std::to_string(failed) + " of " + std::to_string(launches) + " launches.";
    else
      text += launches == 1 ? "." : ", at each launch.";
  }
  return text;
}

std::string unknownText(const Judgement& judgement) {
  if (judgement.unknown().empty()) return {};
  return "It could not be judged: " + asSentence(judgement.unknown());
}

}  // namespace tilestep::lab
