// SPDX-License-Identifier: Apache-2.0
#include "ptx/instrument_entry.h"

#include <algorithm>
#include <optional>

#include "ptx/instrument_access.h"
#include "ptx/instrument_groups.h"
#include "ptx/instrument_packing.h"
#include "ptx/instrument_parts.h"
#include "ptx/instrument_pattern.h"
#include "ptx/instrument_probes.h"
#include "ptx/instrument_segments.h"

namespace tilestep::ptx {
namespace {

using Kind = Operand::Kind;

std::string number(uint64_t value) {
  return std::to_string(value);
}

constexpr const char* kLocal = "tstep_runs";

const std::string kMask = "%tstep_lanes";
const std::string kLead = "%tstep_lead";
const std::string kBelow = "%tstep_below";
const std::string kEpoch = "%tstep_epoch";

class EntryWeaver {
 public:
  EntryWeaver(const Function& entry, ColumnList& columns, RunFunctions& runs,
              std::vector<Segment> segments)
      : entry_(entry),
        columns_(columns),
        runFunctions_(runs),
        segments_(std::move(segments)),
        patterns_(entry) {}

  Weave weave(uint64_t threadsPerBlock) {
    std::vector<std::set<uint32_t>> counted;
    for (const Segment& segment : segments_) {
      most_.push_back(mostIn(segment));
      counted.emplace_back();
      for (const auto& [column, most] : most_.back()) counted.back().insert(column);
    }
    since_ = sinceBarrier(segments_, counted);
    findRuns();
    for (uint32_t s = 0; s < segments_.size(); ++s) weaveSegment(s);
    declare();
    if (auto limit = threadLimit(entry_, threadsPerBlock)) weave_.directives.push_back(*limit);
    return std::move(weave_);
  }

 private:
  // ---- What is counted where ----

  [[nodiscard]] const Instruction& at(uint32_t index) const { return entry_.body[index]; }
  static std::vector<Space> spacesOf(const Access& access) {
    if (access.space != Space::generic) return {access.space};
    return {Space::global, Space::shared};
  }

  /// Columns that a segment counts, each with the most that one lane adds in one visit.
  std::map<uint32_t, uint64_t> mostIn(const Segment& segment) {
    std::map<uint32_t, uint64_t> most;
    most[columns_.indexOf({{Count::threadInstructions, 1}})] = segment.end - segment.begin;
    for (uint32_t i = segment.begin; i < segment.end; ++i) {
      if (const auto count = arithmeticOf(at(i))) ++most[columns_.indexOf({{*count, 1}})];
      if (isBarrier(at(i))) ++most[columns_.indexOf({{Count::barriers, 1}})];
      const auto access = accessOf(at(i));
      if (!access) continue;
      for (const Space space : spacesOf(*access)) {
        const AccessColumns c = columnsOf(space, access->isStore, access->width);
        for (const CountColumn* column : {&c.threads, &c.requests, &c.first}) {
          if (!column->empty()) ++most[columns_.indexOf(*column)];
        }
        // One lane may say the fewest wavefronts of a whole request, at most four.
        if (!c.second.empty()) most[columns_.indexOf(c.second)] += 4;
      }
    }
    return most;
  }

  // Barriers outside loops end one epoch each, so they keep nothing.
  void findRuns() {
    const std::vector<LoopSpan> loops = loopSpans(entry_);
    for (uint32_t s = 0; s < segments_.size(); ++s) {
      if (segments_[s].how != Segment::End::barrier) continue;
      const LoopSpan* loop = innermostLoop(loops, segments_[s].end - 1);
      if (loop == nullptr) continue;
      const auto period = static_cast<uint32_t>(
          std::count_if(entry_.body.begin() + loop->begin, entry_.body.begin() + loop->end + 1,
                        [](const Instruction& i) { return isBarrier(i); }));
      if (period > CountTable::kPeriods) continue;
      PackedRun run = packRun(segments_, s, most_, since_[s]);
      run.prefix = "%tstep_r" + number(runs_.size());
      run.period = period;
      run.local = localBytes_;
      localBytes_ += run.localBytes();
      mostWords_ = std::max(mostWords_, run.words);
      runs_.emplace(s, std::move(run));
    }
  }

  // ---- Weaving ----

  Lines& before(uint32_t index) { return weave_.before[index]; }

  void addConstant(Lines& out, const CountColumn& column, uint64_t value,
                   const std::string& guard = "") {
    if (value == 0 || column.empty()) return;
    const std::string a = accumulator(columns_.indexOf(column));
    out.push_back(guard + "add.u32 " + a + ", " + a + ", " + number(value) + ";");
  }

  static void findLanes(Lines& out, const std::string& mask, const std::string& lead) {
    out.push_back("and.b32 %tstep_t0, " + mask + ", " + kBelow + ";");
    out.push_back("setp.eq.u32 " + lead + ", %tstep_t0, 0;");
  }

  void weaveSegment(uint32_t s) {
    const Segment& segment = segments_[s];
    const std::vector<AccessGroup> groups = groupAccesses(entry_, segment);
    weaveHead(segment, !groups.empty());
    for (const AccessGroup& group : groups) {
      weavePattern(before(group.at), group, group.access.space, {kMask, kLead});
    }
    for (uint32_t i = segment.begin; i < segment.end; ++i) weaveGuarded(i);
    if (segment.how == Segment::End::barrier) weaveBarrier(s);
    if (segment.how == Segment::End::exit) weaveExit(s);
  }

  // Counts known from the text alone, added at the segment's start.
  void weaveHead(const Segment& segment, bool hasAccess) {
    Lines& out = before(segment.begin);
    std::map<uint32_t, uint64_t> perLane, perWarp;
    for (uint32_t i = segment.begin; i < segment.end; ++i) {
      const Instruction& instruction = at(i);
      const auto arithmetic = arithmeticOf(instruction);
      if (arithmetic && instruction.guard.reg == kNone) {
        ++perLane[columns_.indexOf({{*arithmetic, 1}})];
      }
      const auto access = accessOf(instruction);
      if (!access || !isPlain(instruction, *access)) continue;
      const AccessColumns c = columnsOf(access->space, access->isStore, access->width);
      if (!c.threads.empty()) ++perLane[columns_.indexOf(c.threads)];
      ++perWarp[columns_.indexOf(c.requests)];
    }
    addConstant(out, {{Count::threadInstructions, 1}}, segment.end - segment.begin);
    for (const auto& [column, n] : perLane) addConstant(out, columns_.all()[column], n);
    if (!hasAccess) return;
    out.push_back(std::string("activemask.b32 ") + kMask + ";");
    findLanes(out, kMask, kLead);
    const std::string guard = std::string("@") + kLead + " ";
    for (const auto& [column, n] : perWarp) addConstant(out, columns_.all()[column], n, guard);
  }

  void weavePattern(Lines& out, const AccessGroup& group, Space space, const Lanes& lanes) {
    const AccessColumns c = columnsOf(space, group.access.isStore, group.access.width);
    Adds adds;
    adds.first = accumulator(columns_.indexOf(c.first));
    if (!c.second.empty()) adds.second = accumulator(columns_.indexOf(c.second));
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

  void weaveGuarded(uint32_t index) {
    const Instruction& instruction = at(index);
    const auto arithmetic = arithmeticOf(instruction);
    if (arithmetic && instruction.guard.reg != kNone) {
      addConstant(before(index), {{*arithmetic, 1}}, 1,
                  "@" + guardText(instruction.guard, false) + " ");
    }
    const auto access = accessOf(instruction);
    if (!access || isPlain(instruction, *access)) return;
    for (const Space space : spacesOf(*access)) {
      weaveSome(before(index), instruction.guard, *access, space);
    }
  }

  // An access that only some of the lanes make: those whose guard holds and, for a generic
  // address, whose address lies in `space`.
  void weaveSome(Lines& out, const Guard& guard, const Access& access, Space space) {
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
    // The segment's own lanes stay in their registers for the accesses that follow.
    const Lanes some{"%tstep_some_lanes", "%tstep_some_lead"};
    out.push_back("activemask.b32 " + some.mask + ";");
    findLanes(out, some.mask, some.lead);
    const AccessColumns c = columnsOf(space, access.isStore, access.width);
    addConstant(out, c.threads, 1);
    addConstant(out, c.requests, 1, "@" + some.lead + " ");
    weavePattern(out, {0, access, {{access.address->offset, 1}}}, space, some);
    out.push_back(skip + ":");
  }

  // ---- Epochs ----

  static void append(Lines& out, Lines more) {
    for (std::string& line : more) out.push_back(std::move(line));
  }

  // Writes out the epoch that ends here, by itself.
  void emitEpoch(Lines& out, uint32_t segment) {
    std::vector<CallValue> arguments{{kEpoch}};
    for (const uint32_t column : since_[segment]) arguments.push_back({accumulator(column)});
    append(out, callLines(runFunctions_.epochOf(since_[segment]), arguments));
  }

  // Writes out the run, where there is one, and begins another with this epoch.
  void changeRun(Lines& out, uint32_t segment, const PackedRun& run) {
    out.push_back("mov.u64 %tstep_local, " + std::string(kLocal) + ";");
    if (run.local != 0) {
      out.push_back("add.s64 %tstep_local, %tstep_local, " + number(run.local) + ";");
    }
    std::vector<CallValue> arguments{
        {"%tstep_local", 64}, {run.due()}, {number(run.period)}, {kEpoch}};
    for (const uint32_t column : since_[segment]) arguments.push_back({accumulator(column)});
    append(out, callLines(runFunctions_.runOf(since_[segment]), arguments));
  }

  // Jumps over what follows in lanes that the guard keeps away; gives the label to set, if any.
  std::string openGuard(Lines& out, const Guard& guard) {
    if (guard.reg == kNone) return {};
    const std::string skip = patterns_.label();
    out.push_back("@" + guardText(guard, true) + " bra " + skip + ";");
    return skip;
  }

  void weaveBarrier(uint32_t s) {
    const uint32_t index = segments_[s].end - 1;
    const Guard& guard = at(index).guard;
    Lines& out = before(index);
    const std::string skip = openGuard(out, guard);
    out.push_back(std::string("activemask.b32 ") + kMask + ";");
    findLanes(out, kMask, kLead);
    addConstant(out, {{Count::barriers, 1}}, 1, std::string("@") + kLead + " ");
    const auto run = runs_.find(s);
    if (run == runs_.end()) {
      emitEpoch(out, s);
    } else {
      endEpoch(out, s, run->second);
    }
    for (const uint32_t column : since_[s])
      out.push_back("mov.u32 " + accumulator(column) + ", 0;");
    if (!skip.empty()) out.push_back(skip + ":");
    weave_.after[index].push_back((guard.reg == kNone ? "" : "@" + guardText(guard, false) + " ") +
                                  "add.u32 " + kEpoch + ", " + kEpoch + ", 1;");
  }

  // The epoch goes on with the run when it is due and every lane counted what it counted then;
  // else the run changes. Counts that do not fit their fields (%tstep_q2) end no run and begin
  // none.
  void endEpoch(Lines& out, uint32_t segment, const PackedRun& run) {
    const bool mayOverflow = run.fields.front().mayOverflow;
    const std::string same = patterns_.label();
    packCounts(out, run);
    out.push_back("setp.eq.and.u32 %tstep_q1, " + run.due() + ", " + kEpoch + ", %tstep_q2;");
    for (uint32_t word = 0; word < run.words; ++word) {
      out.push_back("setp.eq.and.u32 %tstep_q1, " + run.key(word) + ", %tstep_e" + number(word) +
                    ", %tstep_q1;");
    }
    out.push_back("vote.sync.all.pred %tstep_q1, %tstep_q1, " + kMask + ";");
    out.push_back("@%tstep_q1 bra " + same + ";");
    changeRun(out, segment, run);
    for (uint32_t word = 0; word < run.words; ++word) {
      out.push_back("mov.u32 " + run.key(word) + ", %tstep_e" + number(word) + ";");
    }
    if (mayOverflow) {
      out.push_back("@%tstep_q2 bra " + same + ";");
      emitEpoch(out, segment);
    }
    out.push_back(same + ":");
    out.push_back("add.u32 " + run.due() + ", " + kEpoch + ", " + number(run.period) + ";");
    if (mayOverflow) out.push_back("@!%tstep_q2 mov.u32 " + run.due() + ", 0;");
  }

  void weaveExit(uint32_t s) {
    const uint32_t index = segments_[s].end - 1;
    Lines& out = before(index);
    const std::string skip = openGuard(out, at(index).guard);
    for (const auto& [segment, run] : runs_) changeRun(out, segment, run);
    emitEpoch(out, s);
    append(out, callLines(Probes::kFinish, {{kEpoch}}));
    if (!skip.empty()) out.push_back(skip + ":");
  }

  // ---- Registers ----

  void declare() {
    Lines& declarations = weave_.declarations;
    Lines& start = weave_.start;
    declarations = patterns_.declarations();
    declarations.push_back(".reg .b32 %tstep_lanes, %tstep_some_lanes, %tstep_below, %tstep_t0;");
    declarations.push_back(".reg .pred %tstep_lead, %tstep_some, %tstep_some_lead;");
    start = patterns_.start();
    start.push_back(std::string("mov.u32 ") + kBelow + ", %lanemask_lt;");
    const auto zeroed = [&](const std::string& name) {
      declarations.push_back(".reg .b32 " + name + ";");
      start.push_back("mov.u32 " + name + ", 0;");
    };
    zeroed(kEpoch);
    std::set<uint32_t> used;
    for (const auto& columns : since_) used.insert(columns.begin(), columns.end());
    for (const uint32_t column : used) zeroed(accumulator(column));
    for (const auto& [segment, run] : runs_) {
      zeroed(run.due());
      for (uint32_t word = 0; word < run.words; ++word) {
        zeroed(run.key(word));
      }
    }
    if (runs_.empty()) return;
    declarations.push_back(".reg .b32 %tstep_e<" + number(mostWords_) + ">;");
    declarations.push_back(".reg .b64 %tstep_local;");
    declarations.push_back(".local .align 4 .b8 " + std::string(kLocal) + "[" +
                           number(localBytes_) + "];");
  }

  const Function& entry_;
  ColumnList& columns_;
  RunFunctions& runFunctions_;
  std::vector<Segment> segments_;
  std::vector<std::set<uint32_t>> since_;
  std::vector<std::map<uint32_t, uint64_t>> most_;  ///< By segment.
  std::map<uint32_t, PackedRun> runs_;              ///< By segment.
  uint32_t localBytes_ = 0;
  uint32_t mostWords_ = 0;
  PatternWriter patterns_;
  Weave weave_;
};

}  // namespace

Result<Weave> weaveEntry(const Module& module, const Function& entry, uint64_t threadsPerBlock,
                         ColumnList& columns, RunFunctions& runs) {
  if (const auto why = whyNotFollowed(module, entry)) {
    return workError("A GPU cannot count " + entry.name + ": " + *why +
                     "; the interpreter can (--device simt).");
  }
  Result<std::vector<Segment>> segments = segmentsOf(entry);
  if (!segments) return segments.error();
  return EntryWeaver(entry, columns, runs, std::move(*segments)).weave(threadsPerBlock);
}

}  // namespace tilestep::ptx
