// SPDX-License-Identifier: Apache-2.0
#include "ptx/instrument_entry.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "ptx/instrument_access.h"
#include "ptx/instrument_pattern.h"
#include "ptx/instrument_segments.h"

namespace tilestep::ptx {
namespace {

using Kind = Operand::Kind;

std::string number(uint64_t value) { return std::to_string(value); }
std::string accumulator(uint32_t column) { return "%tstep_a" + number(column); }

/// Accesses of one segment whose addresses differ by what changes no count: looked at once.
struct AccessGroup {
  uint32_t at = 0;  ///< Index of the first.
  Access access;
  uint32_t times = 0;
};

/// Registers of a run: the counts of the epochs start, start + period, … last.
struct Run {
  std::string prefix;
  std::set<uint32_t> columns;
  [[nodiscard]] std::string start() const { return prefix + "_start"; }
  [[nodiscard]] std::string last() const { return prefix + "_last"; }
  [[nodiscard]] std::string period() const { return prefix + "_period"; }
  [[nodiscard]] std::string before(uint32_t column) const {
    return prefix + "_b" + number(column);
  }
};

const std::string kMask = "%tstep_lanes";
const std::string kLead = "%tstep_lead";
const std::string kBelow = "%tstep_below";
const std::string kEpoch = "%tstep_epoch";

class EntryWeaver {
 public:
  EntryWeaver(const Function& entry, const Probes& probes, ColumnList& columns,
              RunFunctions& runs, std::vector<Segment> segments)
      : entry_(entry),
        columns_(columns),
        runFunctions_(runs),
        segments_(std::move(segments)),
        patterns_(entry, probes) {}

  Weave weave(uint64_t threadsPerBlock) {
    std::vector<std::set<uint32_t>> counted;
    for (const Segment& segment : segments_) counted.push_back(columnsIn(segment));
    since_ = sinceBarrier(segments_, counted);
    findRuns();
    for (uint32_t s = 0; s < segments_.size(); ++s) weaveSegment(s);
    declare();
    const bool isBounded =
        std::any_of(entry_.directives.begin(), entry_.directives.end(), [](const auto& d) {
          return d.find(".maxntid") != std::string::npos ||
                 d.find(".reqntid") != std::string::npos;
        });
    // The limit is the product of the three.
    if (!isBounded) weave_.directives.push_back(".maxntid " + number(threadsPerBlock) + ", 1, 1");
    return std::move(weave_);
  }

 private:
  // ---- What is counted where ----

  [[nodiscard]] const Instruction& at(uint32_t index) const { return entry_.body[index]; }
  [[nodiscard]] static bool isPlain(const Instruction& instruction, const Access& access) {
    return instruction.guard.reg == kNone && access.space != Space::generic;
  }

  static std::vector<Space> spacesOf(const Access& access) {
    if (access.space != Space::generic) return {access.space};
    return {Space::global, Space::shared};
  }

  std::set<uint32_t> columnsIn(const Segment& segment) {
    std::set<uint32_t> all{columns_.indexOf({{Count::threadInstructions, 1}})};
    for (uint32_t i = segment.begin; i < segment.end; ++i) {
      if (const auto count = arithmeticOf(at(i))) all.insert(columns_.indexOf({{*count, 1}}));
      if (isBarrier(at(i))) all.insert(columns_.indexOf({{Count::barriers, 1}}));
      const auto access = accessOf(at(i));
      if (!access) continue;
      for (const Space space : spacesOf(*access)) {
        const AccessColumns c = columnsOf(space, access->isStore, access->width);
        for (const CountColumn* column : {&c.threads, &c.requests, &c.first, &c.second}) {
          if (!column->empty()) all.insert(columns_.indexOf(*column));
        }
      }
    }
    return all;
  }

  void findRuns() {
    for (uint32_t s = 0; s < segments_.size(); ++s) {
      if (segments_[s].how != Segment::End::barrier) continue;
      const auto [found, isNew] = runs_.try_emplace(since_[s]);
      if (!isNew) continue;
      found->second.prefix = "%tstep_r" + number(runs_.size() - 1);
      found->second.columns = since_[s];
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
    const std::vector<AccessGroup> groups = groupAccesses(segment);
    weaveHead(segment, !groups.empty());
    for (const AccessGroup& group : groups) {
      weavePattern(before(group.at), group.access, group.access.space, {kMask, kLead},
                   group.times);
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

  std::vector<AccessGroup> groupAccesses(const Segment& segment) const {
    std::vector<AccessGroup> groups;
    std::map<uint32_t, uint32_t> writes;  // of each register, within the segment
    std::map<std::vector<uint64_t>, size_t> known;
    for (uint32_t i = segment.begin; i < segment.end; ++i) {
      const auto access = accessOf(at(i));
      if (access && isPlain(at(i), *access)) {
        const uint32_t reg = access->address->reg;
        const uint64_t unit = access->space == Space::global ? 32 : sharedUnit(access->width);
        const uint64_t rest = static_cast<uint64_t>(access->address->offset) % unit;
        const std::vector<uint64_t> key{static_cast<uint64_t>(access->space), access->isStore,
                                        access->width, reg, reg == kNone ? 0 : writes[reg], rest};
        const auto [found, isNew] = known.try_emplace(key, groups.size());
        if (isNew) groups.push_back({i, *access, 0});
        ++groups[found->second].times;
      }
      noteWrites(at(i), writes);
    }
    return groups;
  }

  static void noteWrites(const Instruction& instruction, std::map<uint32_t, uint32_t>& writes) {
    for (const Operand& operand : instruction.operands) {
      if (operand.kind == Kind::reg) ++writes[operand.reg];
      for (const Operand& element : operand.elements) {
        if (element.kind == Kind::reg) ++writes[element.reg];
      }
      // Only the destination, which stands first, is written; a call's results are in a list.
      if (instruction.opcode != Opcode::call) break;
    }
  }

  void weavePattern(Lines& out, const Access& access, Space space, const Lanes& lanes,
                    uint32_t times) {
    const AccessColumns c = columnsOf(space, access.isStore, access.width);
    Adds adds;
    adds.first = accumulator(columns_.indexOf(c.first));
    if (!c.second.empty()) adds.second = accumulator(columns_.indexOf(c.second));
    adds.times = times;
    if (space == Space::global) {
      patterns_.global(out, access, lanes, adds);
    } else {
      patterns_.shared(out, access, lanes, adds);
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
    weavePattern(out, access, space, some, 1);
    out.push_back(skip + ":");
  }

  // ---- Epochs ----

  void callRun(Lines& out, const std::set<uint32_t>& columns, const std::string& start,
               const std::string& last, const std::string& period,
               const std::function<std::string(uint32_t)>& valueOf) {
    std::vector<std::string> arguments{start, last, period};
    for (const uint32_t column : columns) arguments.push_back(valueOf(column));
    for (std::string& line : callLines(runFunctions_.nameOf(columns), arguments)) {
      out.push_back(std::move(line));
    }
  }

  void callRun(Lines& out, const Run& run) {
    callRun(out, run.columns, run.start(), run.last(), run.period(),
            [&](uint32_t column) { return run.before(column); });
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
    endEpoch(out, runs_.at(since_[s]));
    if (!skip.empty()) out.push_back(skip + ":");
    weave_.after[index].push_back(
        (guard.reg == kNone ? "" : "@" + guardText(guard, false) + " ") + "add.u32 " + kEpoch +
        ", " + kEpoch + ", 1;");
  }

  // The epoch goes on with the run when every lane counted what it counted then and the run is
  // due; the second epoch of a run says how far apart its epochs are. Else the run is written
  // out and a new one begins.
  void endEpoch(Lines& out, const Run& run) {
    const std::string same = patterns_.label();
    const std::string reset = patterns_.label();
    out.push_back("mov.u32 %tstep_t0, 0;");
    for (const uint32_t column : run.columns) {
      out.push_back("lop3.b32 %tstep_t0, " + accumulator(column) + ", " + run.before(column) +
                    ", %tstep_t0, 0xBE;");  // (a ^ b) | c
    }
    out.push_back("setp.eq.u32 %tstep_q0, %tstep_t0, 0;");
    out.push_back("add.u32 %tstep_t1, " + run.last() + ", " + run.period() + ";");
    out.push_back("setp.eq.and.u32 %tstep_q1, %tstep_t1, " + kEpoch + ", %tstep_q0;");
    out.push_back("vote.sync.all.pred %tstep_q1, %tstep_q1, " + kMask + ";");
    out.push_back("@%tstep_q1 bra " + same + ";");
    breakRun(out, run, same, reset);
    out.push_back(same + ":");
    out.push_back("mov.u32 " + run.last() + ", " + kEpoch + ";");
    out.push_back(reset + ":");
    for (const uint32_t column : run.columns) {
      out.push_back("mov.u32 " + accumulator(column) + ", 0;");
    }
  }

  void breakRun(Lines& out, const Run& run, const std::string& same, const std::string& reset) {
    const std::string write = patterns_.label();
    out.push_back("setp.eq.and.u32 %tstep_q1, " + run.start() + ", " + run.last() +
                  ", %tstep_q0;");
    out.push_back("sub.u32 %tstep_t1, " + kEpoch + ", " + run.last() + ";");
    out.push_back("setp.le.and.u32 %tstep_q1, %tstep_t1, " + number(CountTable::kPeriods) +
                  ", %tstep_q1;");
    out.push_back("vote.sync.all.pred %tstep_q1, %tstep_q1, " + kMask + ";");
    out.push_back("@!%tstep_q1 bra " + write + ";");
    out.push_back("mov.u32 " + run.period() + ", %tstep_t1;");
    out.push_back("bra " + same + ";");
    out.push_back(write + ":");
    callRun(out, run);
    for (const uint32_t column : run.columns) {
      out.push_back("mov.u32 " + run.before(column) + ", " + accumulator(column) + ";");
    }
    out.push_back("mov.u32 " + run.start() + ", " + kEpoch + ";");
    out.push_back("mov.u32 " + run.last() + ", " + kEpoch + ";");
    out.push_back("mov.u32 " + run.period() + ", 0;");
    out.push_back("bra " + reset + ";");
  }

  void weaveExit(uint32_t s) {
    const uint32_t index = segments_[s].end - 1;
    Lines& out = before(index);
    const std::string skip = openGuard(out, at(index).guard);
    for (const auto& [columns, run] : runs_) callRun(out, run);
    callRun(out, since_[s], kEpoch, kEpoch, "1", accumulator);
    for (std::string& line : callLines(Probes::kFinish, {kEpoch})) out.push_back(std::move(line));
    if (!skip.empty()) out.push_back(skip + ":");
  }

  // ---- Registers ----

  void declare() {
    Lines& declarations = weave_.declarations;
    Lines& start = weave_.start;
    declarations = patterns_.declarations();
    declarations.push_back(
        ".reg .b32 %tstep_lanes, %tstep_some_lanes, %tstep_below, %tstep_t0, %tstep_t1;");
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
    for (const auto& [columns, run] : runs_) {
      for (const std::string& name : {run.start(), run.last(), run.period()}) zeroed(name);
      for (const uint32_t column : columns) zeroed(run.before(column));
    }
  }

  const Function& entry_;
  ColumnList& columns_;
  RunFunctions& runFunctions_;
  std::vector<Segment> segments_;
  std::vector<std::set<uint32_t>> since_;
  std::map<std::set<uint32_t>, Run> runs_;
  PatternWriter patterns_;
  Weave weave_;
};

/// What stands in the way of counting this entry, if anything.
std::optional<Error> obstacle(const Module& module, const Function& entry) {
  const auto refuse = [&](const Instruction& i, const std::string& what) {
    return workError("A GPU cannot count " + entry.name + ": " + what + " at PTX line " +
                     std::to_string(i.ptxLine) + "; the interpreter can (--device simt).");
  };
  for (const Instruction& instruction : entry.body) {
    if (instruction.opcode != Opcode::call) continue;
    for (const Operand& operand : instruction.operands) {
      const Function* callee =
          operand.kind == Kind::symbol ? module.find(operand.name) : nullptr;
      if (callee != nullptr && !callee->isExtern) {
        return refuse(instruction, "it calls " + callee->name);
      }
    }
  }
  if (entry.body.empty()) return workError("The kernel " + entry.name + " has no instructions.");
  const Instruction& last = entry.body.back();
  const bool ends = last.guard.reg == kNone &&
                    (isExit(last) || isBranch(last) || last.opcode == Opcode::trap);
  if (!ends) return refuse(last, "it runs past its end");
  return {};
}

}  // namespace

uint32_t ColumnList::indexOf(const CountColumn& column) {
  const auto found = std::find(columns_.begin(), columns_.end(), column);
  if (found != columns_.end()) return static_cast<uint32_t>(found - columns_.begin());
  columns_.push_back(column);
  return static_cast<uint32_t>(columns_.size()) - 1;
}

std::string RunFunctions::nameOf(const std::set<uint32_t>& columns) {
  return names_.try_emplace(columns, "tilestep_run_" + number(names_.size())).first->second;
}

std::string RunFunctions::text() const {
  std::string out;
  for (const auto& [columns, name] : names_) {
    const size_t size = columns.size() + 3;
    out += ".func " + name + "(";
    for (size_t i = 0; i < size; ++i) {
      out += (i == 0 ? "" : ", ") + (".param .b32 " + name + "_" + number(i));
    }
    out += ")\n{\n\t.reg .b32 %r<" + number(size) + ">;\n";
    for (size_t i = 0; i < size; ++i) {
      out += "\tld.param.u32 %r" + number(i) + ", [" + name + "_" + number(i) + "];\n";
    }
    size_t value = 3;
    for (const uint32_t column : columns) {
      for (const std::string& line :
           callLines(Probes::kEmit, {number(column), "%r0", "%r1", "%r2",
                                     "%r" + number(value++)})) {
        out += "\t" + line + "\n";
      }
    }
    out += "\tret;\n}\n";
  }
  return out;
}

Result<Weave> weaveEntry(const Module& module, const Function& entry, const Probes& probes,
                         uint64_t threadsPerBlock, ColumnList& columns, RunFunctions& runs) {
  if (auto error = obstacle(module, entry)) return *error;
  Result<std::vector<Segment>> segments = segmentsOf(entry);
  if (!segments) return segments.error();
  return EntryWeaver(entry, probes, columns, runs, std::move(*segments)).weave(threadsPerBlock);
}

}  // namespace tilestep::ptx
