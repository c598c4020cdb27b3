// SPDX-License-Identifier: Apache-2.0
#include "ptx/rewrite/instrument_entry.h"

#include <algorithm>
#include <optional>

#include "ptx/analysis/lane_moves.h"
#include "ptx/rewrite/instrument_access.h"
#include "ptx/rewrite/instrument_copies.h"
#include "ptx/rewrite/instrument_gain.h"
#include "ptx/rewrite/instrument_groups.h"
#include "ptx/rewrite/instrument_laps.h"
#include "ptx/rewrite/instrument_parts.h"
#include "ptx/rewrite/instrument_pattern.h"
#include "ptx/rewrite/instrument_plan.h"
#include "ptx/rewrite/instrument_probes.h"
#include "ptx/rewrite/instrument_segments.h"

namespace tilestep::ptx {
namespace {

using Kind = Operand::Kind;

std::string number(uint64_t value) {
  return std::to_string(value);
}

const std::string kMask = "%tstep_lanes";
const std::string kLead = "%tstep_lead";
const std::string kBelow = "%tstep_below";
const std::string kEpoch = "%tstep_epoch";

/// The state that a barrier in a loop keeps about the epochs that ended at it: a run of epochs with
/// equal counts, `period` apart. Registers hold the words of the run, for comparison, and the epoch
/// that is due next; local memory holds the first epoch and all words.
struct Run {
  std::string prefix;
  uint32_t period = 1;
  uint32_t local = 0;  ///< Byte offset of its local memory.
  EpochWords words;
  [[nodiscard]] std::string key(uint32_t word) const { return prefix + "_k" + number(word); }
  [[nodiscard]] std::string due() const { return prefix + "_due"; }
  [[nodiscard]] std::string loose() const { return prefix + "_loose"; }
  [[nodiscard]] uint32_t localBytes() const { return 4 * (1 + words.decoding.words); }
  /// The words that registers hold.
  [[nodiscard]] std::vector<uint32_t> compared() const {
    std::vector<uint32_t> all;
    for (uint32_t word = 0; word < words.packed; ++word) all.push_back(word);
    all.insert(all.end(), words.times.begin(), words.times.end());
    return all;
  }
};

class EntryWeaver {
 public:
  EntryWeaver(const Function& entry, ColumnList& columns, RunFunctions& runs,
              std::vector<Segment> segments, bool withLaps)
      : entry_(entry),
        columns_(columns),
        runFunctions_(runs),
        segments_(std::move(segments)),
        moves_(entry),
        plan_(makePlan(withLaps)),
        gains_(entry, plan_, moves_),
        patterns_(entry) {}

  Weave weave(const EntryLimits& limits) {
    findRuns();
    findStashes();
    for (uint32_t s = 0; s < segments_.size(); ++s) weaveSegment(s);
    weaveLaps();
    declare();
    if (auto limit = threadLimit(entry_, limits.threadsPerBlock)) {
      weave_.directives.push_back(*limit);
    }
    if (limits.registers > 0 && (!runs_.empty() || !laps_.empty())) {
      weave_.directives.push_back(".maxnreg " + number(limits.registers));
    }
    weave_.absent = onlyCounted(entry_);
    return std::move(weave_);
  }

 private:
  // ---- What is counted where ----

  [[nodiscard]] const Instruction& at(uint32_t index) const { return entry_.body[index]; }
  static std::vector<Space> spacesOf(const Access& access) {
    if (access.space != Space::generic) return {access.space};
    return {Space::global, Space::shared};
  }
  uint32_t instructionsColumn() { return columns_.indexOf({{Count::threadInstructions, 1}}); }
  uint32_t barriersColumn() { return columns_.indexOf({{Count::barriers, 1}}); }

  /// The program's own instructions.
  [[nodiscard]] uint64_t instructionsIn(const Segment& segment) const {
    return static_cast<uint64_t>(std::count_if(entry_.body.begin() + segment.begin,
                                               entry_.body.begin() + segment.end,
                                               [](const Instruction& i) { return !isAdded(i); }));
  }

  CountPlan makePlan(bool withLaps) {
    bool mayPass = false;
    std::vector<CountPlan::Facts> facts;
    for (const Segment& segment : segments_) {
      groups_.push_back(groupAccesses(entry_, segment));
      counts_.push_back(countsOf(segment));
      places_.push_back(GainWriter::placeOf(entry_, segment, groups_.back(), moves_));
      facts.push_back({mostIn(segment), counts_.back().each, isSteady(segment), false, false});
      const Instruction& last = at(segment.end - 1);
      mayPass |= isBarrier(last) && last.guard.reg != kNone;
    }
    if (withLaps && !mayPass) laps_ = findLaps(entry_, segments_, groups_, moves_);
    for (const Lap& lap : laps_) {
      facts[lap.first - 1].isBeforeLaps = true;
      for (const LapPart& part : lap.parts) facts[part.segment].isLapped = true;
    }
    return {segments_, std::move(facts), instructionsColumn(), mayPass};
  }

  /// The columns that a segment counts, each with the most that one lane adds per visit.
  CountPlan::Most mostIn(const Segment& segment) {
    CountPlan::Most most;
    most[instructionsColumn()] = instructionsIn(segment);
    for (uint32_t i = segment.begin; i < segment.end; ++i) {
      if (const auto count = arithmeticOf(at(i))) ++most[columns_.indexOf({{*count, 1}})];
      if (isBarrier(at(i))) ++most[barriersColumn()];
      const auto access = accessOf(at(i));
      if (!access) continue;
      for (const Space space : spacesOf(*access)) {
        const AccessColumns c = columnsOf(space, access->isStore, access->width);
        for (const CountColumn* column : {&c.threads, &c.requests, &c.first}) {
          if (!column->empty()) ++most[columns_.indexOf(*column)];
        }
        // One lane may report the fewest wavefronts of a whole request, at most four.
        if (!c.second.empty()) most[columns_.indexOf(c.second)] += 4;
      }
    }
    return most;
  }

  // Counts that are determined by the text alone.
  SegmentCounts countsOf(const Segment& segment) {
    SegmentCounts counts;
    counts.each[instructionsColumn()] = instructionsIn(segment);
    for (uint32_t i = segment.begin; i < segment.end; ++i) {
      const Instruction& instruction = at(i);
      const auto arithmetic = arithmeticOf(instruction);
      if (arithmetic && instruction.guard.reg == kNone) {
        ++counts.each[columns_.indexOf({{*arithmetic, 1}})];
      }
      const auto access = accessOf(instruction);
      if (!access || !isPlain(instruction, *access)) continue;
      const AccessColumns c = columnsOf(access->space, access->isStore, access->width);
      if (!c.threads.empty()) ++counts.each[columns_.indexOf(c.threads)];
      ++counts.lead[columns_.indexOf(c.requests)];
    }
    return counts;
  }

  // Whether every visit of a segment by the same lanes has the same counts.
  [[nodiscard]] bool isSteady(const Segment& segment) const {
    if (!places_.back()) return false;
    for (uint32_t i = segment.begin; i < segment.end; ++i) {
      const auto access = accessOf(at(i));
      const bool isGuarded = at(i).guard.reg != kNone;
      if (arithmeticOf(at(i)) && isGuarded) return false;
      if (access && (access->space != Space::shared || isGuarded)) return false;
    }
    return true;
  }

  // Barriers outside of loops end one epoch each, so they keep no state.
  void findRuns() {
    const std::vector<LoopSpan> loops = loopSpans(entry_);
    for (uint32_t s = 0; s < segments_.size(); ++s) {
      if (segments_[s].how != Segment::End::barrier || isLapped(s)) continue;
      const LoopSpan* loop = innermostLoop(loops, segments_[s].end - 1);
      if (loop == nullptr) continue;
      const auto period = static_cast<uint32_t>(
          std::count_if(entry_.body.begin() + loop->begin, entry_.body.begin() + loop->end + 1,
                        [](const Instruction& i) { return isBarrier(i); }));
      if (period > CountTable::kPeriods) continue;
      Run run{"%tstep_r" + number(runs_.size()), period, runBytes_, plan_.wordsAt(s)};
      runBytes_ += run.localBytes();
      runs_.emplace(s, std::move(run));
    }
  }

  // ---- Weaving ----

  Lines& before(uint32_t index) { return weave_.before[index]; }

  static void append(Lines& out, Lines more) {
    for (std::string& line : more) out.push_back(std::move(line));
  }

  void add(Lines& out, uint32_t segment, uint32_t column, uint64_t value,
           const std::string& guard = "") {
    const Slot slot = plan_.slot(segment, column);
    out.push_back(guard + "add.u32 " + slot.reg + ", " + slot.reg + ", " +
                  number(value * slot.scale) + ";");
  }

  // Combines the additions of several columns to packed words.
  void addAll(Lines& out, uint32_t segment, const CountPlan::Most& counts,
              const std::string& guard = "") {
    std::map<std::string, uint64_t> sums;
    for (const auto& [column, n] : counts) {
      const Slot slot = plan_.slot(segment, column);
      sums[slot.reg] += n * slot.scale;
    }
    for (const auto& [reg, n] : sums) {
      out.push_back(guard + "add.u32 " + reg + ", " + reg + ", " + number(n) + ";");
    }
  }

  static void findLanes(Lines& out, const std::string& mask, const std::string& lead) {
    out.push_back("activemask.b32 " + mask + ";");
    out.push_back("and.b32 %tstep_t0, " + mask + ", " + kBelow + ";");
    out.push_back("setp.eq.u32 " + lead + ", %tstep_t0, 0;");
  }

  [[nodiscard]] bool isLapped(uint32_t s) const { return plan_.keeping(s) == Keeping::lapped; }

  void weaveSegment(uint32_t s) {
    if (isLapped(s)) return;
    const Segment& segment = segments_[s];
    const bool isRepeated = plan_.keeping(s) == Keeping::repeated;
    const bool isGained =
        isRepeated || (plan_.keeping(s) == Keeping::packed && places_[s] && !groups_[s].empty());
    if (isRepeated) {
      weaveRepeated(s);
    } else if (isGained) {
      weaveGained(s);
    } else {
      weaveAdded(s);
    }
    for (uint32_t i = segment.begin; i < segment.end; ++i) weaveGuarded(s, i);
    if (segment.how == Segment::End::barrier) weaveBarrier(s, isGained);
    if (segment.how == Segment::End::exit) weaveExit(s);
  }

  // A segment whose addresses must be examined on each visit.
  void weaveAdded(uint32_t s) {
    Lines& out = before(segments_[s].begin);
    addAll(out, s, counts_[s].each);
    if (groups_[s].empty()) return;
    findLanes(out, kMask, kLead);
    addAll(out, s, counts_[s].lead, "@" + kLead + " ");
    for (const AccessGroup& group : groups_[s]) {
      weavePattern(before(group.at), s, group, group.access.space, {kMask, kLead});
    }
  }

  std::vector<GroupColumns> groupColumns(uint32_t s) {
    std::vector<GroupColumns> all;
    for (const AccessGroup& group : groups_[s]) {
      const AccessColumns c =
          columnsOf(group.access.space, group.access.isStore, group.access.width);
      all.push_back({columns_.indexOf(c.first), {}});
      if (!c.second.empty()) all.back().second = columns_.indexOf(c.second);
    }
    return all;
  }

  // An unguarded barrier adds one to the counts of the lowest lane.
  SegmentCounts gainCounts(uint32_t s) {
    SegmentCounts counts = counts_[s];
    const Instruction& last = at(segments_[s].end - 1);
    if (isBarrier(last) && last.guard.reg == kNone) ++counts.lead[barriersColumn()];
    return counts;
  }

  // Adds a visit's counts to the packed words; `gain` names the registers of the gain.
  template <typename Gain>
  void addGained(Lines& out, uint32_t s, const SegmentCounts& counts, Gain gain) {
    for (const uint32_t word : plan_.gainWords(s)) {
      const std::string k = CountPlan::packedRegister(word);
      const bool isGained = gains_.words(s).contains(word);
      const uint64_t rest = gains_.rest(s, word, counts);
      if (isGained) out.push_back("add.u32 " + k + ", " + k + ", " + gain(word) + ";");
      if (rest != 0) out.push_back("add.u32 " + k + ", " + k + ", " + number(rest) + ";");
    }
  }

  void weaveGained(uint32_t s) {
    Lines& out = weave_.after[*places_[s]];
    const std::string known = patterns_.label(), done = patterns_.label();
    const SegmentCounts counts = gainCounts(s);
    const std::vector<GroupColumns> columns = groupColumns(s);
    gains_.name(s, groups_[s], columns, counts);
    out.push_back("activemask.b32 " + kMask + ";");
    gains_.test(out, s, groups_[s], kMask);
    out.push_back("@%tstep_q1 bra.uni " + known + ";");
    gains_.workOut(out, s, groups_[s], columns, counts, kMask);
    out.push_back("setp.eq.u32 %tstep_q1, " + kMask + ", %tstep_all;");
    gains_.keep(out, s, groups_[s]);
    addGained(out, s, counts, [](uint32_t word) { return "%tstep_h" + number(word); });
    out.push_back("bra.uni " + done + ";");
    out.push_back(known + ":");
    addGained(out, s, counts, [&](uint32_t word) { return gains_.gain(s, word); });
    out.push_back(done + ":");
  }

  // Counts the visits with the gain of all lanes; other lanes' gains are written out at once.
  void weaveRepeated(uint32_t s) {
    const bool hasGain = !plan_.gainWords(s).empty();
    Lines& out = hasGain ? weave_.after[*places_[s]] : before(segments_[s].begin);
    const std::string known = patterns_.label(), done = patterns_.label();
    const std::string times = CountPlan::timesRegister(s);
    if (hasGain) {
      const std::vector<GroupColumns> columns = groupColumns(s);
      gains_.name(s, groups_[s], columns, counts_[s]);
      out.push_back("activemask.b32 " + kMask + ";");
      gains_.test(out, s, groups_[s], kMask);
      out.push_back("@%tstep_q1 bra.uni " + known + ";");
      gains_.workOut(out, s, groups_[s], columns, counts_[s], kMask);
      out.push_back("setp.eq.u32 %tstep_q1, " + kMask + ", %tstep_all;");
      gains_.keep(out, s, groups_[s]);
      out.push_back("@%tstep_q1 bra.uni " + known + ";");
      const EpochWords words = plan_.wordsOf(s);
      std::vector<CallValue> arguments{{kEpoch}, {"1"}};
      for (const uint32_t word : plan_.gainWords(s)) {
        arguments.push_back({"%tstep_h" + number(word)});
      }
      append(out, callLines(runFunctions_.epochOf(words.decoding), arguments));
      out.push_back("bra.uni " + done + ";");
      out.push_back(known + ":");
    }
    out.push_back("add.u32 " + times + ", " + times + ", 1;");
    if (hasGain) out.push_back(done + ":");
  }

  void weavePattern(Lines& out, uint32_t s, const AccessGroup& group, Space space,
                    const Lanes& lanes) {
    const AccessColumns c = columnsOf(space, group.access.isStore, group.access.width);
    Adds adds;
    adds.first = plan_.slot(s, columns_.indexOf(c.first));
    if (!c.second.empty()) adds.second = plan_.slot(s, columns_.indexOf(c.second));
    if (space == Space::global) {
      patterns_.global(out, group, lanes, adds);
    } else {
      patterns_.shared(out, group, lanes, adds);
    }
  }

  // ---- Guarded instructions and generic addresses ----

  [[nodiscard]] std::string guardText(const Guard& guard, bool inverted) const {
    return (guard.negated != inverted ? "!" : "") + entry_.registers[guard.reg].name;
  }

  void weaveGuarded(uint32_t s, uint32_t index) {
    const Instruction& instruction = at(index);
    const auto arithmetic = arithmeticOf(instruction);
    if (arithmetic && instruction.guard.reg != kNone) {
      add(before(index), s, columns_.indexOf({{*arithmetic, 1}}), 1,
          "@" + guardText(instruction.guard, false) + " ");
    }
    const auto access = accessOf(instruction);
    if (!access || isPlain(instruction, *access)) return;
    for (const Space space : spacesOf(*access)) {
      weaveSome(before(index), s, instruction.guard, *access, space);
    }
  }

  // An access that only some lanes make: those whose guard holds and, for a generic address, whose
  // address lies in `space`.
  void weaveSome(Lines& out, uint32_t s, const Guard& guard, const Access& access, Space space) {
    const std::string skip = patterns_.label();
    out.push_back("setp.eq.u32 %tstep_some, 0, 0;");
    if (access.space == Space::generic && access.address->reg != kNone) {
      out.push_back("isspacep." + std::string(toText(space)) + " %tstep_some, " +
                    entry_.registers[access.address->reg].name + ";");
    }
    if (guard.reg != kNone) {
      const std::string& name = entry_.registers[guard.reg].name;
      out.push_back((guard.negated ? "not.pred" : "mov.pred") + (" %tstep_some_lead, " + name) +
                    ";");
      out.push_back("and.pred %tstep_some, %tstep_some, %tstep_some_lead;");
    }
    out.push_back("@!%tstep_some bra " + skip + ";");
    // The segment's own lanes stay in their registers for the following accesses.
    const Lanes some{"%tstep_some_lanes", "%tstep_some_lead"};
    findLanes(out, some.mask, some.lead);
    const AccessColumns c = columnsOf(space, access.isStore, access.width);
    if (!c.threads.empty()) add(out, s, columns_.indexOf(c.threads), 1);
    add(out, s, columns_.indexOf(c.requests), 1, "@" + some.lead + " ");
    weavePattern(out, s, {0, access, {{access.address->offset, 1}}}, space, some);
    out.push_back(skip + ":");
  }

  // ---- Epochs ----

  // Writes out the single epoch that ends here.
  void emitEpoch(Lines& out, const EpochWords& words) {
    std::vector<CallValue> arguments{{kEpoch}};
    for (const std::string& reg : words.registers) arguments.push_back({reg});
    append(out, callLines(runFunctions_.epochOf(words.decoding), arguments));
  }

  static void localAddress(Lines& out, const Run& run) {
    out.push_back("mov.u64 %tstep_local, tstep_runs;");
    if (run.local != 0) {
      out.push_back("add.s64 %tstep_local, %tstep_local, " + number(run.local) + ";");
    }
  }

  // Writes out the run, if there is one, and starts another with this epoch.
  void changeRun(Lines& out, const Run& run) {
    localAddress(out, run);
    std::vector<CallValue> arguments{
        {"%tstep_local", 64}, {run.due()}, {number(run.period)}, {kEpoch}};
    for (const std::string& reg : run.words.registers) arguments.push_back({reg});
    append(out, callLines(runFunctions_.runOf(run.words.decoding), arguments));
  }

  // Jumps over the following code in lanes whose guard is false; returns the label to set, if any.
  std::string openGuard(Lines& out, const Guard& guard) {
    if (guard.reg == kNone) return {};
    const std::string skip = patterns_.label();
    out.push_back("@" + guardText(guard, true) + " bra " + skip + ";");
    return skip;
  }

  void weaveBarrier(uint32_t s, bool isGained) {
    const uint32_t index = segments_[s].end - 1;
    const Guard& guard = at(index).guard;
    Lines& out = before(index);
    const std::string skip = openGuard(out, guard);
    // Segments with a gain know their lanes and have counted the barrier.
    if (!isGained || guard.reg != kNone) {
      findLanes(out, kMask, kLead);
      add(out, s, barriersColumn(), 1, "@" + kLead + " ");
    }
    const auto run = runs_.find(s);
    const EpochWords words = plan_.wordsAt(s);
    if (run == runs_.end()) {
      emitEpoch(out, words);
    } else {
      endEpoch(out, run->second);
    }
    clear(out, words);
    if (!skip.empty()) out.push_back(skip + ":");
    weave_.after[index].push_back((guard.reg == kNone ? "" : "@" + guardText(guard, false) + " ") +
                                  "add.u32 " + kEpoch + ", " + kEpoch + ", 1;");
  }

  static void clear(Lines& out, const EpochWords& words) {
    const auto zeroed = [&](uint32_t word) {
      out.push_back("mov.u32 " + words.registers[word] + ", 0;");
    };
    for (uint32_t w = 0; w < words.packed; ++w) zeroed(w);
    for (const uint32_t w : words.times) zeroed(w);
    for (const uint32_t w : words.loose) zeroed(w);
  }

  // The epoch extends the run if it is due and every lane has the run's counts; otherwise the run
  // changes in all lanes, so that the lanes keep common runs.
  void endEpoch(Lines& out, const Run& run) {
    const std::string same = patterns_.label();
    out.push_back("setp.eq.u32 %tstep_q1, " + run.due() + ", " + kEpoch + ";");
    for (const uint32_t word : run.compared()) {
      out.push_back("setp.eq.and.u32 %tstep_q1, " + run.key(word) + ", " +
                    run.words.registers[word] + ", %tstep_q1;");
    }
    if (!run.words.loose.empty()) compareLoose(out, run);
    out.push_back("vote.sync.all.pred %tstep_q1, %tstep_q1, " + kMask + ";");
    out.push_back("@%tstep_q1 bra.uni " + same + ";");
    changeRun(out, run);
    for (const uint32_t word : run.compared()) {
      out.push_back("mov.u32 " + run.key(word) + ", " + run.words.registers[word] + ";");
    }
    if (!run.words.loose.empty()) out.push_back("mov.u32 " + run.loose() + ", %tstep_t1;");
    out.push_back(same + ":");
    out.push_back("add.u32 " + run.due() + ", " + kEpoch + ", " + number(run.period) + ";");
  }

  // Loose counts are rare in loops with barriers. They are compared with the run's local memory,
  // and only if this epoch or the run has any. %tstep_t1: all of them combined.
  void compareLoose(Lines& out, const Run& run) {
    const std::string skip = patterns_.label();
    out.push_back("mov.u32 %tstep_t1, 0;");
    for (const uint32_t word : run.words.loose) {
      out.push_back("or.b32 %tstep_t1, %tstep_t1, " + run.words.registers[word] + ";");
    }
    out.push_back("or.b32 %tstep_t0, %tstep_t1, " + run.loose() + ";");
    out.push_back("setp.eq.u32 %tstep_q2, %tstep_t0, 0;");
    out.push_back("@%tstep_q2 bra " + skip + ";");
    localAddress(out, run);
    for (const uint32_t word : run.words.loose) {
      out.push_back("ld.local.u32 %tstep_t0, [%tstep_local+" + number(4 * (word + 1)) + "];");
      out.push_back("setp.eq.and.u32 %tstep_q1, %tstep_t0, " + run.words.registers[word] +
                    ", %tstep_q1;");
    }
    out.push_back(skip + ":");
  }

  void weaveExit(uint32_t s) {
    const uint32_t index = segments_[s].end - 1;
    Lines& out = before(index);
    const std::string skip = openGuard(out, at(index).guard);
    for (const auto& [segment, run] : runs_) changeRun(out, run);
    for (const auto& [segment, stash] : stashes_) emitStash(out, stash);
    emitEpoch(out, plan_.wordsAt(s));
    append(out, callLines(Probes::kFinish, {{kEpoch}}));
    if (!skip.empty()) out.push_back(skip + ":");
  }

  // ---- Laps ----

  /// The counts before the first lap, kept in local memory until the program ends: a call that
  /// writes them out before the loop would cost the loop registers.
  struct Stash {
    std::string local;
    EpochWords words;
  };

  void findStashes() {
    const std::vector<LoopSpan> loops = loopSpans(entry_);
    for (const Lap& lap : laps_) {
      const uint32_t before = lap.first - 1;
      if (isLapped(before) || innermostLoop(loops, segments_[before].end - 1) != nullptr) continue;
      const std::string local = "tstep_stash_" + number(stashes_.size());
      const EpochWords words = plan_.wordsAt(before);
      const auto bytes = static_cast<uint32_t>(4 * (1 + words.registers.size()));
      declareLocal(local, bytes);
      for (uint32_t at = 0; at < bytes; at += 4) {
        weave_.start.push_back("st.local.u32 [" + local + "+" + number(at) + "], 0;");
      }
      stashes_.emplace(before, Stash{local, words});
    }
  }

  static void putAway(Lines& out, const Stash& stash) {
    out.push_back("st.local.u32 [" + stash.local + "], " + kEpoch + ";");
    for (size_t w = 0; w < stash.words.registers.size(); ++w) {
      out.push_back("st.local.u32 [" + stash.local + "+" + number(4 * (w + 1)) + "], " +
                    stash.words.registers[w] + ";");
    }
  }

  void emitStash(Lines& out, const Stash& stash) {
    std::vector<CallValue> arguments;
    for (size_t w = 0; w <= stash.words.registers.size(); ++w) {
      const std::string reg = "%tstep_z" + number(w);
      out.push_back("ld.local.u32 " + reg + ", [" + stash.local + "+" + number(4 * w) + "];");
      arguments.push_back({reg});
    }
    mostStashed_ = std::max(mostStashed_, arguments.size());
    append(out, callLines(runFunctions_.epochOf(stash.words.decoding), arguments));
  }

  // Laps have their own counts, so the counts before the first of them are cleared.
  void weaveLaps() {
    EntryCounts counts{segments_, groups_, {}, {}};
    for (uint32_t s = 0; s < segments_.size(); ++s) {
      counts.counts.push_back(gainCounts(s));
      counts.columns.push_back(groupColumns(s));
    }
    LapWriter writer(entry_, counts, moves_);
    for (const Lap& lap : laps_) {
      const uint32_t before = lap.first - 1;
      if (!isLapped(before)) {
        Lines& out = weave_.after[segments_[before].end - 1];
        const EpochWords words = plan_.wordsAt(before);
        if (const auto stash = stashes_.find(before); stash != stashes_.end()) {
          putAway(out, stash->second);
        } else {
          emitEpoch(out, words);
        }
        clear(out, words);
      }
      writer.weave(lap, runFunctions_.laps(), kEpoch, weave_);
      runFunctions_.addLaps(1, "");
    }
    runFunctions_.addLaps(0, writer.text());
    if (laps_.empty()) return;
    append(weave_.declarations, writer.declarations());
    weave_.declarations.push_back(".reg .b32 %tstep_z<" + number(mostStashed_ + 1) + ">;");
  }

  // ---- Registers ----

  void declare() {
    Lines& declarations = weave_.declarations;
    Lines& start = weave_.start;
    append(declarations, patterns_.declarations());
    append(declarations, gains_.declarations());
    declarations.push_back(
        ".reg .b32 %tstep_lanes, %tstep_some_lanes, %tstep_below, %tstep_t0, %tstep_t1;");
    declarations.push_back(".reg .pred %tstep_lead, %tstep_some, %tstep_some_lead;");
    append(start, patterns_.start());
    append(start, gains_.start());
    start.push_back(std::string("mov.u32 ") + kBelow + ", %lanemask_lt;");
    zero(kEpoch);
    for (uint32_t w = 0; w < plan_.packedWords(); ++w) zero(CountPlan::packedRegister(w));
    for (const uint32_t column : plan_.looseColumns()) zero(CountPlan::looseRegister(column));
    for (uint32_t s = 0; s < segments_.size(); ++s) {
      if (plan_.keeping(s) == Keeping::repeated) zero(CountPlan::timesRegister(s));
    }
    if (gains_.localBytes() > 0) declareLocal(GainWriter::kLocal, gains_.localBytes());
    for (const auto& [segment, run] : runs_) {
      zero(run.due());
      for (const uint32_t word : run.compared()) zero(run.key(word));
      if (!run.words.loose.empty()) zero(run.loose());
    }
    if (runs_.empty()) return;
    declarations.push_back(".reg .b64 %tstep_local;");
    declareLocal("tstep_runs", runBytes_);
  }

  void zero(const std::string& name) {
    weave_.declarations.push_back(".reg .b32 " + name + ";");
    weave_.start.push_back("mov.u32 " + name + ", 0;");
  }

  void declareLocal(const std::string& name, uint32_t bytes) {
    weave_.declarations.push_back(".local .align 8 .b8 " + name + "[" + number(bytes) + "];");
  }

  const Function& entry_;
  ColumnList& columns_;
  RunFunctions& runFunctions_;
  std::vector<Segment> segments_;
  LaneMoves moves_;
  std::vector<std::vector<AccessGroup>> groups_;  ///< By segment, as are the next two.
  std::vector<SegmentCounts> counts_;
  std::vector<std::optional<uint32_t>> places_;  ///< Where the code of a gain may be inserted.
  std::vector<Lap> laps_;
  std::map<uint32_t, Stash> stashes_;  ///< By segment.
  size_t mostStashed_ = 0;
  CountPlan plan_;
  std::map<uint32_t, Run> runs_;  ///< By segment.
  uint32_t runBytes_ = 0;
  GainWriter gains_;
  PatternWriter patterns_;
  Weave weave_;
};

}  // namespace

Result<Weave> weaveEntry(const Module& module, const Function& entry, const EntryLimits& limits,
                         ColumnList& columns, RunFunctions& runs) {
  if (const auto why = whyNotFollowed(module, entry)) {
    return workError("A GPU cannot count " + entry.name + ": " + *why +
                     "; the interpreter can (--device simt).");
  }
  Result<std::vector<Segment>> segments = segmentsOf(entry);
  if (!segments) return segments.error();
  return EntryWeaver(entry, columns, runs, std::move(*segments), limits.withLaps).weave(limits);
}

}  // namespace tilestep::ptx
