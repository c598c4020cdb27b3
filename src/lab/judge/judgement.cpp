// SPDX-License-Identifier: Apache-2.0
#include "lab/judge/judgement.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/sentence.h"
#include "lab/judge/fault_kinds.h"

namespace tilestep::lab {
namespace {

/// Names no sizes, because those of a graded launch are secret.
constexpr const char* kRefused =
    "a block of some launch has more threads than its registers or __launch_bounds__ allow, or "
    "more than 48 KiB of static shared memory";

/// A sentence for each failed criterion, to which ", at line N." can be added.
constexpr std::array<const char*, kCriteria> kSentences{
    "It cannot be launched",
    "The result is wrong",
    "An access leaves its memory or its row, or changes an input",
    "Two threads access the same address, and nothing orders the accesses",
    "Threads wait for others that never arrive, or diverge at a barrier",
    "A launch does not end, or executes far more instructions than the task needs"};

}  // namespace

void Judgement::fail(Criterion criterion, int line, const std::string& what) {
  Failure& failure = failed_[criterion];
  if (failure.launches == 0)
    failure.what = what;
  else if (failure.what != what)
    failure.what.clear();
  if (failure.lastLaunch != launches_) ++failure.launches;
  failure.lastLaunch = launches_;
  if (failure.line == 0) failure.line = line;
}

void Judgement::add(const RunResult& result) {
  ++launches_;
  bool isResultsFault = false;
  for (const device::Fault& fault : result.faults) {
    const FaultKind* kind = faultKind(fault.kind);
    // A read outside its row is harmless if the value is discarded, which is not known here.
    const bool mayBeRight = fault.kind == "outside-row" && result.check && result.check->ok;
    if (kind != nullptr && !mayBeRight)
      fail(kind->criterion, static_cast<int>(fault.at.line), kind->sentence);
    else if (mayBeRight)
      unknown_ = "The result is right, but an access leaves its row: " + fault.message;
    else
      unknown_ = fault.message;
    if (kind != nullptr && kind->criterion == Criterion::compiles) refusal_ = kRefused;
    isResultsFault |= kind != nullptr && kind->criterion == Criterion::result;
  }
  if (result.hazards)
    for (const device::Hazard& hazard : *result.hazards)
      fail(Criterion::races, static_cast<int>(hazard.second.line));
  if (result.check && !result.check->ok && !isResultsFault) fail(Criterion::result, 0);
  const bool cutShort = !result.faults.empty();
  if (!result.check && !cutShort) unknown_ = "The result was not compared.";
}

void Judgement::add(const Error& refused) {
  ++launches_;
  if (refused.kind == ErrorKind::work) {
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

std::string Judgement::whatFailed(Criterion criterion) const {
  const auto at = failed_.find(criterion);
  const bool isOneKind = at != failed_.end() && !at->second.what.empty();
  return isOneKind ? at->second.what : kSentences[static_cast<size_t>(criterion)];
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
    text += (text.empty() ? "" : " ") + judgement.whatFailed(criterion);
    if (line > 0) text += ", at line " + std::to_string(line);
    const size_t failed = judgement.launchesThatFailed(criterion);
    const bool isRefused = criterion == Criterion::compiles;
    // A kernel that does not compile or does not end is not run at the other launches.
    const size_t tried = judgement.launches();
    if (failed < tried)
      text += ", at " + std::to_string(failed) + " of " + std::to_string(tried) + " launches";
    else if (!isRefused && launches > 1)
      text += tried < launches ? ", at each launch that was tried" : ", at each launch";
    text += isRefused ? ": " + asSentence(judgement.refusal()) : ".";
  }
  return text;
}

std::string unknownText(const Judgement& judgement) {
  if (judgement.unknown().empty()) return {};
  return "It could not be judged: " + asSentence(judgement.unknown());
}

}  // namespace tilestep::lab
