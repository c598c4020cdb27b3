// SPDX-License-Identifier: Apache-2.0
#include "session/sentence.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/figure.h"

namespace tilestep::session {
namespace {

std::string plural(uint64_t count, const std::string& one) {
  return grouped(count) + " " + one + (count == 1 ? "" : "s");
}

std::string readersText(const PhaseFacts& facts) {
  if (facts.slotReadersMost == 0) return {};
  if (facts.slotReadersLeast == facts.slotReadersMost)
    return "each slot serves " + plural(facts.slotReadersMost, "thread");
  return "a slot serves " + std::to_string(facts.slotReadersLeast) + " to " +
         plural(facts.slotReadersMost, "thread");
}

std::string startOf(const PhaseFacts& facts) {
  std::string text = plural(facts.threads, "thread");
  if (!facts.kFirst) return text;
  text += ", k = " + std::to_string(*facts.kFirst);
  if (facts.kLast != facts.kFirst) text += "…" + std::to_string(*facts.kLast);
  return text;
}

std::string writeBackSentence(const PhaseFacts& main, const SideStep* companion) {
  std::string text = "Write-back: " + plural(main.threads, "thread") +
                     (main.threads == 1 ? " stores " : " store ") + plural(main.stores, "element");
  if (companion == nullptr) return text + ".";
  const PhaseFacts other = factsAround(*companion);
  const bool same = other.stores == main.stores;
  return text +
         (same ? ", the same for both: tiling changes the loads, not the stores."
               : "; " + companion->side->shortName + " stores " + grouped(other.stores) + ".");
}

/// For a kernel that stands alone.
std::string singleSentence(const SideStep& step, const PhaseFacts& facts) {
  const trace::Counters& counters = step.tally.counters;
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
  if (facts.loads > 0)
    add("asks for " + plural(facts.loads, "load") + " in " +
        plural(counters.globalLoad.requests, "request") + " and " +
        plural(counters.globalLoad.sectors, "sector"));
  if (facts.stores > 0)
    add("stores " + plural(facts.stores, "element") + " to " +
        plural(counters.globalStore.sectors, "sector"));
  const std::string readers = readersText(facts);
  if (!readers.empty()) add(readers);
  if (text.empty()) text = "touches no memory here";
  return startOf(facts) + ": " + step.side->shortName + " " + text + ".";
}

}  // namespace

PhaseFacts factsAround(const SideStep& step) {
  const trace::Replay& replay = *step.side->replay;
  if (step.grain == trace::Grain::phase) return step.side->facts[step.index];
  if (!step.step.phase) return factsOf(replay, step.activity);
  const std::optional<size_t> phase = replay.firstOfPhase(trace::Grain::phase, *step.step.phase);
  return phase ? step.side->facts[*phase] : factsOf(replay, step.activity);
}

bool comparable(const SideStep& main, const SideStep& companion) {
  const PhaseFacts mine = factsAround(main), other = factsAround(companion);
  if (!mine.kFirst || !other.kFirst) return true;
  return mine.kFirst == other.kFirst && mine.kLast == other.kLast;
}

std::string sentenceOf(const SideStep* main, const SideStep* companion) {
  if (main == nullptr) return {};
  const PhaseFacts facts = factsAround(*main);
  if (main->step.kind == trace::StepKind::writeBack) return writeBackSentence(facts, companion);
  if (companion == nullptr || !comparable(*main, *companion)) return singleSentence(*main, facts);
  const PhaseFacts other = factsAround(*companion);
  std::string text = startOf(facts) + ": " + companion->side->shortName + " asks for " +
                     plural(other.loads, "load") + ", " + main->side->shortName + " for " +
                     grouped(facts.loads);
  const std::string readers = readersText(facts);
  return text + (readers.empty() ? "." : "; " + readers + ".");
}

std::string ordinal(uint32_t number) {
  constexpr std::array<const char*, 13> kNames{"zeroth", "first",    "second",  "third",  "fourth",
                                               "fifth",  "sixth",    "seventh", "eighth", "ninth",
                                               "tenth",  "eleventh", "twelfth"};
  if (number < kNames.size()) return kNames[number];
  const uint32_t tens = number % 100, ones = number % 10;
  const char* ending = tens >= 11 && tens <= 13 ? "th"
                       : ones == 1              ? "st"
                       : ones == 2              ? "nd"
                       : ones == 3              ? "rd"
                                                : "th";
  return std::to_string(number) + ending;
}

std::string positionOf(const SideStep& step) {
  std::string text;
  const uint32_t phases = step.side->phases();
  if (step.step.phase)
    text = "phase ph " + std::to_string(*step.step.phase) + ", " + ordinal(*step.step.phase + 1) +
           " of " + std::to_string(phases);
  else if (step.step.kind == trace::StepKind::writeBack)
    text = "write-back";
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : " · ") + part; };
  if (step.step.epoch == step.step.lastEpoch)
    add("epoch " + std::to_string(step.step.epoch));
  else
    add("epochs " + std::to_string(step.step.epoch) + "–" + std::to_string(step.step.lastEpoch));
  const std::vector<uint32_t>& lines = step.step.lines;
  if (lines.size() == 1) add("line " + std::to_string(lines.front()));
  if (lines.size() > 1)
    add("lines " + std::to_string(lines.front()) + "–" + std::to_string(lines.back()));
  return text;
}

}  // namespace tilestep::session
