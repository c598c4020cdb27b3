// SPDX-License-Identifier: Apache-2.0
#include "model/text/step_summary.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "base/figure.h"
#include "model/scene/sums_in_memory.h"

namespace tilestep::model {
namespace {

std::string readersText(const PhaseFacts& facts) {
  if (facts.slotReadersMost == 0) return {};
  if (facts.slotReadersLeast == facts.slotReadersMost)
    return "each slot serves " + plural(facts.slotReadersMost, "thread");
  return "a slot serves " + std::to_string(facts.slotReadersLeast) + " to " +
         plural(facts.slotReadersMost, "thread");
}

/// How often slots are read. If one kernel has no shared memory, this is included only if it equals
/// the factor of saved loads. The two differ at an edge, where threads without an element also read
/// slots.
std::string reuseText(const PhaseFacts& main, const PhaseFacts& other) {
  if (main.slotReadersMost == 0) return readersText(other);
  if (other.slotReadersMost > 0) return readersText(main);
  if (other.loads == main.loads) return "no element is needed twice, so no load is saved";
  const bool whole = main.slotReadersLeast == main.slotReadersMost;
  return whole && other.loads != main.loads * main.slotReadersMost ? "" : readersText(main);
}

/// "k = 0…3"; empty if no load has a k.
std::string kText(const PhaseFacts& facts) {
  if (!facts.kFirst) return {};
  const std::string text = "k = " + std::to_string(*facts.kFirst);
  return facts.kLast == facts.kFirst ? text : text + "…" + std::to_string(*facts.kLast);
}

/// The phase that uses all loads of this phase, if it is a later one.
std::optional<uint64_t> aheadOf(const TracedStep& step, const PhaseFacts& facts) {
  const uint64_t length = phaseLengthOf(*step.side);
  if (!facts.kFirst || !step.step.phase || length == 0) return {};
  const uint64_t phase = *facts.kFirst / length;
  return phase > *step.step.phase ? std::optional(phase) : std::nullopt;
}

/// The k of a phase's computations, which is that of its loads unless those are for a later phase.
std::string computedKText(const TracedStep& step) {
  const PhaseFacts facts = factsAround(step);
  if (!aheadOf(step, facts)) return kText(facts);
  const uint64_t length = phaseLengthOf(*step.side), first = *step.step.phase * length;
  return "k = " + std::to_string(first) + "…" + std::to_string(first + length - 1);
}

std::string startOf(const TracedStep& step, const PhaseFacts& facts) {
  std::string k = kText(facts);
  if (aheadOf(step, facts)) k = "phase " + std::to_string(*step.step.phase);
  return plural(facts.threads, "thread") + (k.empty() ? "" : ", " + k);
}

/// "Load, ", "Compute, "; empty for a step that does both or neither.
std::string verbOf(const TracedStep& step) {
  if (step.step.kind == trace::StepKind::load) return "Load, ";
  return step.step.kind == trace::StepKind::compute ? "Compute, " : "";
}

bool readsSharedAlone(const TracedStep& step) {
  return step.step.kind == trace::StepKind::compute && step.activity.globalLoads.empty() &&
         !step.activity.sharedReads.empty();
}

/// "tiled reads 128 slots and loads nothing"
std::string readsText(const TracedStep& step) {
  return step.side->shortName + " reads " + plural(step.activity.sharedReads.size(), "slot") +
         " and loads nothing";
}

/// For a step that only reads shared memory: "tiled reads 128 slots and loads nothing; naive asks
/// for 128 element loads, tiled asked for 32".
std::string computeText(const TracedStep& main, const PhaseFacts& facts,
                        const TracedStep& companion, const PhaseFacts& other) {
  const std::string &mine = main.side->shortName, &theirs = companion.side->shortName;
  const bool reads = companion.activity.globalLoads.empty();
  return readsText(main) + "; " + theirs + (reads ? " asked for " : " asks for ") +
         plural(other.loads, "element load") + ", " + mine + (reads ? " for " : " asked for ") +
         grouped(facts.loads);
}

/// "asks for 32 element loads" or "begins to copy 32 elements", with a note if the elements are for
/// a later phase.
std::string loadsText(const TracedStep& step, const PhaseFacts& facts) {
  const bool copies = step.tally.copies.threads > 0 && step.tally.counters.globalLoad.threads == 0;
  const std::optional<uint64_t> ahead = aheadOf(step, facts);
  return (copies ? "begins to copy " + plural(facts.loads, "element")
                 : "asks for " + plural(facts.loads, "element load")) +
         (ahead ? " in advance for phase " + std::to_string(*ahead) : "");
}

/// The position among all epochs at the end of the step: "2 of 3".
std::string placeAmongEpochs(const TracedStep& step) {
  const trace::Replay& replay = *step.side->replay;
  const size_t at = replay.sameMoment(step.grain, step.index, trace::StepGranularity::epoch);
  return std::to_string(at + 1) + " of " +
         std::to_string(replay.size(trace::StepGranularity::epoch));
}

std::string writeBackSentence(const TracedStep& step, const PhaseFacts& main,
                              const TracedStep* companion) {
  std::string kind = kindText(step);
  kind.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(kind.front())));
  if (const size_t updates = step.activity.atomics.size(); main.stores == 0 && updates > 0)
    return kind + ": " + plural(updates, "atomic operation") + " on global memory.";
  std::string text = kind + ": " + plural(main.threads, "thread") +
                     (main.threads == 1 ? " stores " : " store ") + plural(main.stores, "element");
  if (companion == nullptr || companion->step.kind != trace::StepKind::writeBack) return text + ".";
  const PhaseFacts other = factsAround(*companion);
  if (other.stores != main.stores)
    return text + "; " + companion->side->shortName + " stores " + grouped(other.stores) + ".";
  if (other.threads != main.threads)
    return text + ", as many as " + plural(other.threads, "thread") + " of " +
           companion->side->shortName + (other.threads == 1 ? " stores." : " store.");
  const bool product = companion->side->spec.reference == "matmul";
  return text + (product ? ", the same for both: tiling changes the loads, not the stores."
                         : ", the same for both.");
}

/// The work of one kernel: "asks for 32 element loads in 2 requests and 8 sectors; …". With
/// `perTerm`, loads are given per term, which makes blocks of any size comparable.
std::string ownClause(const TracedStep& step, const PhaseFacts& facts, bool perTerm = false) {
  const trace::Counters& counters = step.tally.counters;
  trace::GlobalCounts loads = counters.globalLoad;
  loads += step.tally.copies;
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
  if (facts.loads > 0 && facts.terms > 0 && perTerm)
    add(loadsText(step, facts) + (aheadOf(step, facts) ? ", and adds " : " for ") +
        plural(facts.terms, "term") + (aheadOf(step, facts) ? " to its sums" : " of its sums"));
  else if (facts.loads > 0)
    add(loadsText(step, facts) + " in " + plural(loads.requests, "request") + " and " +
        plural(loads.sectors, "sector"));
  if (facts.stores > 0)
    add("stores " + plural(facts.stores, "element") + " to " +
        plural(counters.globalStore.sectors, "sector"));
  if (const size_t atomics = step.activity.atomics.size(); atomics > 0)
    add("performs " + plural(atomics, "atomic operation"));
  // The step's tally may be that of its phase.
  const trace::Counters own = trace::tallyOf(*step.side->replay, step.grain, step.index).counters;
  const uint64_t wavefronts = own.sharedLoad.wavefronts + own.sharedStore.wavefronts;
  if (text.empty() && wavefronts > 0)
    return "accesses only shared memory, in " + plural(wavefronts, "wavefront");
  if (text.empty()) return "accesses no memory in this step";
  const std::string readers = readersText(facts);
  return readers.empty() ? text : text + "; " + readers;
}

std::string singleSentence(const TracedStep& step, const PhaseFacts& facts) {
  const std::string start = verbOf(step) + startOf(step, facts);
  if (readsSharedAlone(step)) return start + ": " + readsText(step) + ".";
  // The counts shown for a single access are those of its phase.
  const bool ofPhase = step.grain == trace::StepGranularity::event && step.step.phase;
  return start + (ofPhase ? ", the whole phase: " : ": ") + step.side->shortName + " " +
         ownClause(step, facts) + ".";
}

/// The sentence for two kernels whose counts cannot be compared, or that are not products.
std::string pairSentence(const TracedStep& main, const PhaseFacts& facts,
                         const TracedStep& companion, const PhaseFacts& other) {
  const std::string start = startOf(main, facts), otherStart = startOf(companion, other);
  const bool product = facts.kFirst && other.kFirst;
  const std::string mine = ownClause(main, facts, product);
  const std::string theirs = ownClause(companion, other, product);
  if (start == otherStart && mine == theirs)
    return start + ": " + companion.side->shortName + ", like " + main.side->shortName + ", " +
           mine + ".";
  return start + ": " + main.side->shortName + " " + mine + ". For comparison" +
         (start == otherStart ? "" : ", " + otherStart) + ": " + companion.side->shortName + " " +
         theirs + ".";
}

}  // namespace

PhaseFacts factsAround(const TracedStep& step) {
  const trace::Replay& replay = *step.side->replay;
  if (step.first != step.index) return factsOf(replay, step.activity);  // Several steps combined.
  if (step.grain == trace::StepGranularity::phase) return step.side->facts[step.index];
  if (!step.step.phase) return factsOf(replay, step.activity);
  const std::optional<size_t> phase =
      replay.firstOfPhase(trace::StepGranularity::phase, *step.step.phase);
  return phase ? step.side->facts[*phase] : factsOf(replay, step.activity);
}

bool comparable(const TracedStep& main, const TracedStep& companion) {
  if (elementsMade(*main.side) != elementsMade(*companion.side)) return false;
  const PhaseFacts mine = factsAround(main), other = factsAround(companion);
  if (!mine.kFirst || !other.kFirst) return true;
  return mine.kFirst == other.kFirst && mine.kLast == other.kLast;
}

std::string sentenceOf(const TracedStep* main, const TracedStep* companion) {
  if (main == nullptr) return {};
  const PhaseFacts facts = factsAround(*main);
  if (main->step.kind == trace::StepKind::writeBack)
    return writeBackSentence(*main, facts, companion);
  if (companion == nullptr) return singleSentence(*main, facts);
  const PhaseFacts other = factsAround(*companion);
  if (!facts.kFirst || !comparable(*main, *companion))
    return pairSentence(*main, facts, *companion, other);
  if (readsSharedAlone(*main))
    return verbOf(*main) + startOf(*main, facts) + ": " +
           computeText(*main, facts, *companion, other) + ".";
  std::string text = verbOf(*main) + startOf(*main, facts) + ": " + companion->side->shortName +
                     " asks for " + plural(other.loads, "element load") + ", " +
                     main->side->shortName + " for " + grouped(facts.loads);
  const std::string readers = reuseText(facts, other);
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

std::string togetherText(Together how, const TracedStep& main, const TracedStep& companion) {
  switch (how) {
    case Together::none:
      return {};
    case Together::epochs:
      return "epoch by epoch";
    case Together::k: {
      const std::string mine = computedKText(main), other = computedKText(companion);
      if (mine == other || mine.empty() || other.empty()) return "at the same k";
      return mine + " beside " + other;
    }
    case Together::share:
      return "by share of epochs: " + placeAmongEpochs(main) + " beside " +
             placeAmongEpochs(companion);
  }
  return {};
}

std::string phasesText(const TracedStep& step) {
  if (!step.step.phase) return {};
  const uint32_t last = *step.step.phase, first = step.firstPhase.value_or(last);
  if (first == last) return std::to_string(last);
  return std::to_string(first) + (last == first + 1 ? " and " : " to ") + std::to_string(last);
}

std::string phaseCaption(const TracedStep& step) {
  if (!step.step.phase) return {};
  const bool hasPhases = step.side->result->plan.phaseLength > 0;
  if (const std::string k = computedKText(step); !hasPhases && !k.empty()) return k;
  const std::string of = " of " + std::to_string(step.side->phases());
  const bool several = step.firstPhase.value_or(*step.step.phase) != *step.step.phase;
  return several ? "phases " + phasesText(step) + of
                 : "phase " + phasesText(step) + ", " + ordinal(*step.step.phase + 1) + of;
}

std::string positionOf(const TracedStep& step) {
  std::string text;
  if (step.step.phase)
    text = phaseCaption(step);
  else if (step.step.kind == trace::StepKind::writeBack)
    text = kindText(step);
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

std::string blockText(const Dim3& block) {
  return "block (" + std::to_string(block.x) + ", " + std::to_string(block.y) + ")";
}

std::string aloneText(const TracedKernel& side) {
  const Dim3& grid = side.result->plan.launches.front().grid;
  return "only " + blockText(side.replay->recording().block) + " of " + grouped(grid.count());
}

}  // namespace tilestep::model
