// SPDX-License-Identifier: Apache-2.0
#include "ptx/rewrite/instrument_pattern.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "ptx/rewrite/instrument_probes.h"
#include "ptx/rewrite/instrument_segments.h"

namespace tilestep::ptx {
namespace {

using Kind = Operand::Kind;

constexpr uint32_t kFixedPatterns = 16;  // two bits each

std::string number(int64_t value) {
  return std::to_string(value);
}

/// slot += value * times
void addTimes(Lines& out, const Slot& slot, const std::string& value, uint32_t times) {
  if (slot.reg.empty()) return;
  const uint64_t each = uint64_t{times} * slot.scale;
  out.push_back(each == 1 ? "add.u32 " + slot.reg + ", " + slot.reg + ", " + value + ";"
                          : "mad.lo.u32 " + slot.reg + ", " + value + ", " + std::to_string(each) +
                                ", " + slot.reg + ";");
}

void addIfLead(Lines& out, const Slot& slot, const Lanes& lanes, uint32_t times) {
  if (slot.reg.empty()) return;
  out.push_back("@" + lanes.lead + " add.u32 " + slot.reg + ", " + slot.reg + ", " +
                std::to_string(uint64_t{times} * slot.scale) + ";");
}

bool isAddressBase(const Operand& operand) {
  return operand.kind == Kind::address && operand.reg != kNone;
}

void append(Lines& out, Lines more) {
  for (std::string& line : more) out.push_back(std::move(line));
}

/// `to` = base register + offset, 64 bits.
void globalAddress(Lines& out, const Function& function, uint32_t reg, int64_t offset,
                   const std::string& to) {
  const Register& base = function.registers[reg];
  const bool isWide = bytesOf(base.type) == 8;
  out.push_back((isWide ? "mov.b64 " : "cvt.u64.u32 ") + to + ", " + base.name + ";");
  if (offset != 0) out.push_back("add.s64 " + to + ", " + to + ", " + number(offset) + ";");
}

/// `to` = (base register + offset) in units, 32 bits.
void sharedUnits(Lines& out, const Function& function, uint32_t reg, uint32_t offset, uint32_t unit,
                 const std::string& to) {
  const Register& base = function.registers[reg];
  const bool isWide = bytesOf(base.type) == 8;
  out.push_back((isWide ? "cvt.u32.u64 " : "mov.b32 ") + to + ", " + base.name + ";");
  if (offset != 0) out.push_back("add.u32 " + to + ", " + to + ", " + number(offset) + ";");
  out.push_back("shr.u32 " + to + ", " + to + ", " +
                number(unit == 4   ? 2
                       : unit == 8 ? 3
                                   : 4) +
                ";");
}

void lookGlobal(Lines& out, const std::string& s, const Lanes& lanes, const std::string& same) {
  append(out, callLines(Probes::kLookGlobal,
                        {{"%tstep_w0", 64}, {lanes.mask}, {s + "_seen"}, {"%tstep_v2"}, {same}},
                        s + "_seen"));
  out.push_back("shr.u32 %tstep_v3, " + s + "_seen, %tstep_v2;");
}

}  // namespace

uint32_t AccessGroup::times() const {
  return std::accumulate(members.begin(), members.end(), 0U,
                         [](uint32_t sum, const Member& m) { return sum + m.times; });
}

PatternWriter::PatternWriter(const Function& function)
    : function_(function), family_(function.registers.size()) {
  std::iota(family_.begin(), family_.end(), 0U);
  findFixed();
  findFamilies();
  findTwins();
}

// If one address is computed from another by an addition, both walk over the same data and share a
// state. A wrong guess costs time but never changes a count.
void PatternWriter::findFamilies() {
  std::set<uint32_t> bases;
  for (const Instruction& instruction : function_.body) {
    const auto access = accessOf(instruction);
    if (access && isAddressBase(*access->address)) bases.insert(access->address->reg);
  }
  for (const Instruction& instruction : function_.body) {
    if (instruction.opcode != Opcode::add || instruction.operands.size() != 3) continue;
    const Operand& to = instruction.operands[0];
    if (to.kind != Kind::reg || !bases.contains(to.reg) || fixed_.contains(to.reg)) continue;
    for (const size_t from : {1, 2}) {
      const Operand& operand = instruction.operands[from];
      if (operand.kind != Kind::reg || !bases.contains(operand.reg)) continue;
      join(to.reg, operand.reg);
    }
  }
}

// An unrolled loop has the same access in several places, each with its own base. If every segment
// with accesses of one source line has the same number of them, the first ones are twins, the
// second ones too, and so on.
void PatternWriter::findTwins() {
  using Place = std::tuple<uint32_t, uint32_t, uint32_t, Space, bool, uint32_t>;
  const Result<std::vector<Segment>> segments = segmentsOf(function_);
  if (!segments) return;
  std::map<Place, std::vector<std::vector<uint32_t>>> bases;
  for (const Segment& segment : *segments) {
    std::map<Place, std::vector<uint32_t>> here;
    for (uint32_t i = segment.begin; i < segment.end; ++i) {
      const Instruction& instruction = function_.body[i];
      const auto access = accessOf(instruction);
      const SourceLine& line = instruction.source;
      if (!access || !isAddressBase(*access->address) || line.line == 0) continue;
      const uint32_t reg = access->address->reg;
      if (access->space == Space::shared && fixed_.contains(reg)) continue;
      std::vector<uint32_t>& regs =
          here[{line.file, line.line, line.column, access->space, access->isStore, access->width}];
      if (std::find(regs.begin(), regs.end(), reg) == regs.end()) regs.push_back(reg);
    }
    for (auto& [place, regs] : here) bases[place].push_back(std::move(regs));
  }
  for (const auto& [place, lists] : bases) {
    const size_t size = lists.front().size();
    if (std::any_of(lists.begin(), lists.end(), [&](const auto& l) { return l.size() != size; })) {
      continue;
    }
    for (const auto& list : lists) {
      for (size_t k = 0; k < size; ++k) join(list[k], lists.front()[k]);
    }
  }
}

void PatternWriter::findFixed() {
  const std::vector<LoopSpan> loops = loopSpans(function_);
  std::map<uint32_t, int> writes;
  for (uint32_t i = 0; i < function_.body.size(); ++i) {
    const Instruction& instruction = function_.body[i];
    if (instruction.operands.empty()) continue;
    const bool repeats = innermostLoop(loops, i) != nullptr;
    const bool isCall = instruction.opcode == Opcode::call;
    for (const Operand& operand : instruction.operands) {
      if (operand.kind == Kind::reg) writes[operand.reg] += repeats || isCall ? 2 : 1;
      for (const Operand& element : operand.elements) {
        if (element.kind == Kind::reg) writes[element.reg] += 2;
      }
      if (!isCall) break;  // The destination is the first operand.
    }
  }
  for (const auto& [reg, count] : writes) {
    if (count == 1) fixed_.insert(reg);
  }
}

uint32_t PatternWriter::familyOf(uint32_t reg) const {
  while (family_[reg] != reg) reg = family_[reg];
  return reg;
}

std::string PatternWriter::label() {
  return "$tstep_" + number(serial_++);
}

std::string PatternWriter::stateOf(const Key& key) {
  const auto [found, isNew] = states_.try_emplace(key, "");
  if (isNew) found->second = "%tstep_s" + number(static_cast<int64_t>(states_.size()) - 1);
  return found->second;
}

Lines PatternWriter::declarations() const {
  Lines lines{".reg .b32 %tstep_v<8>;", ".reg .b64 %tstep_w<3>;", ".reg .pred %tstep_q<4>;",
              ".reg .b32 %tstep_fixed, %tstep_fixed_lanes;"};
  for (const auto& [key, s] : states_) {
    if (key.space == Space::global) {
      lines.push_back(".reg .b64 " + s + "_at;");
      lines.push_back(".reg .b32 " + s + "_lanes, " + s + "_seen;");
    } else {
      lines.push_back(".reg .b32 " + s + "_at, " + s + "_lanes, " + s + "_first, " + s +
                      "_second;");
    }
  }
  return lines;
}

Lines PatternWriter::start() const {
  Lines lines{"mov.u32 %tstep_fixed, 0;", "mov.u32 %tstep_fixed_lanes, 0;"};
  for (const auto& [key, s] : states_) {
    const bool isGlobal = key.space == Space::global;
    lines.push_back((isGlobal ? "mov.u64 " : "mov.u32 ") + s + "_at, 0;");
    lines.push_back("mov.u32 " + s + "_lanes, 0;");
    lines.push_back("mov.u32 " + s + (isGlobal ? "_seen, 0;" : "_first, 0;"));
    if (!isGlobal) lines.push_back("mov.u32 " + s + "_second, 0;");
  }
  return lines;
}

// State of a global pattern: _at: the address seen first; _lanes; _seen: as described at
// tilestep_look_global. From the address in %tstep_w0 this computes %tstep_v0: the distance moved;
// %tstep_v2: its word modulo 32 bytes; %tstep_v3: _seen shifted to that; %tstep_q0: the lanes are
// the same and moved together; %tstep_q1: %tstep_q0, and the sectors are known.
void PatternWriter::globalTest(Lines& out, const std::string& s, const Lanes& lanes,
                               uint32_t width) const {
  out.push_back("sub.s64 %tstep_w1, %tstep_w0, " + s + "_at;");
  out.push_back("mov.b64 {%tstep_v0, %tstep_v1}, %tstep_w1;");
  // Distances beyond 31 bits are examined again, so that one 32-bit comparison suffices.
  out.push_back("shr.s32 %tstep_v2, %tstep_v0, 31;");
  out.push_back("setp.eq.s32 %tstep_q0, %tstep_v2, %tstep_v1;");
  out.push_back("setp.eq.and.u32 %tstep_q0, " + s + "_lanes, " + lanes.mask + ", %tstep_q0;");
  if (width < 4) {
    out.push_back("and.b32 %tstep_v2, %tstep_v0, 3;");
    out.push_back("setp.eq.and.u32 %tstep_q0, %tstep_v2, 0, %tstep_q0;");
  }
  out.push_back("match.all.sync.b32 %tstep_v4|%tstep_q1, %tstep_v0, " + lanes.mask + ";");
  out.push_back("and.pred %tstep_q0, %tstep_q0, %tstep_q1;");
  out.push_back("bfe.u32 %tstep_v2, %tstep_v0, 2, 3;");
  out.push_back("shr.u32 %tstep_v3, " + s + "_seen, %tstep_v2;");
  out.push_back("and.b32 %tstep_v4, %tstep_v3, 256;");
  out.push_back("setp.ne.and.u32 %tstep_q1, %tstep_v4, 0, %tstep_q0;");
  out.push_back("vote.sync.all.pred %tstep_q1, %tstep_q1, " + lanes.mask + ";");
}

// The other offsets from the base: all lanes are known to have moved together, and what one lane
// knows all know, so no vote is needed.
void PatternWriter::globalOthers(Lines& out, const std::string& s, const AccessGroup& group,
                                 const Lanes& lanes, const Adds& adds) {
  for (size_t i = 1; i < group.members.size(); ++i) {
    const int64_t step = group.members[i].offset - group.members[i - 1].offset;
    const std::string known = label();
    out.push_back("add.u32 %tstep_v0, %tstep_v0, " + number(static_cast<int32_t>(step)) + ";");
    out.push_back("bfe.u32 %tstep_v2, %tstep_v0, 2, 3;");
    out.push_back("shr.u32 %tstep_v3, " + s + "_seen, %tstep_v2;");
    out.push_back("and.b32 %tstep_v4, %tstep_v3, 256;");
    out.push_back("setp.ne.u32 %tstep_q1, %tstep_v4, 0;");
    out.push_back("@%tstep_q1 bra " + known + ";");
    globalAddress(out, function_, group.access.address->reg, group.members[i].offset, "%tstep_w0");
    lookGlobal(out, s, lanes, "1");
    out.push_back(known + ":");
    out.push_back("and.b32 %tstep_v4, %tstep_v3, 1;");
    addTimes(out, adds.first, "%tstep_v4", group.members[i].times);
  }
}

void PatternWriter::global(Lines& out, const AccessGroup& group, const Lanes& lanes,
                           const Adds& adds) {
  const Access& access = group.access;
  if (!isAddressBase(*access.address)) {
    addIfLead(out, adds.first, lanes, group.times());
    addIfLead(out, adds.second, lanes, group.times());
    return;
  }
  const uint32_t reg = access.address->reg;
  const std::string s = stateOf({Space::global, familyOf(reg), access.width, 0});
  const std::string known = label();
  globalAddress(out, function_, reg, group.members[0].offset, "%tstep_w0");
  globalTest(out, s, lanes, access.width);
  out.push_back("@%tstep_q1 bra " + known + ";");
  out.push_back("vote.sync.all.pred %tstep_q0, %tstep_q0, " + lanes.mask + ";");
  out.push_back("@!%tstep_q0 mov.b64 " + s + "_at, %tstep_w0;");
  out.push_back("@!%tstep_q0 mov.u32 %tstep_v0, 0;");
  out.push_back("@!%tstep_q0 mov.u32 %tstep_v2, 0;");
  out.push_back("mov.b32 " + s + "_lanes, " + lanes.mask + ";");
  out.push_back("selp.u32 %tstep_v4, 1, 0, %tstep_q0;");
  lookGlobal(out, s, lanes, "%tstep_v4");
  out.push_back(known + ":");
  out.push_back("and.b32 %tstep_v4, %tstep_v3, 1;");
  addTimes(out, adds.first, "%tstep_v4", group.members[0].times);
  globalOthers(out, s, group, lanes, adds);
  out.push_back("bfe.u32 %tstep_v4, " + s + "_seen, 16, 1;");
  addTimes(out, adds.second, "%tstep_v4", group.times());
}

// State of a shared pattern: _at: the unit seen first; _lanes; _first and _second: the results of
// the probes. Moving every lane by whole units permutes the banks and changes nothing else.
void PatternWriter::sharedMoving(Lines& out, const Key& key, const Lanes& lanes, const Adds& adds,
                                 uint32_t times) {
  const std::string s = stateOf(key);
  const std::string known = label();
  const std::string banks = number(128 / key.width);
  out.push_back("sub.u32 %tstep_v1, %tstep_v0, " + s + "_at;");
  out.push_back("match.all.sync.b32 %tstep_v2|%tstep_q0, %tstep_v1, " + lanes.mask + ";");
  out.push_back("setp.eq.and.u32 %tstep_q0, " + s + "_lanes, " + lanes.mask + ", %tstep_q0;");
  out.push_back("vote.sync.all.pred %tstep_q0, %tstep_q0, " + lanes.mask + ";");
  out.push_back("@%tstep_q0 bra " + known + ";");
  out.push_back("mov.b32 " + s + "_at, %tstep_v0;");
  out.push_back("mov.b32 " + s + "_lanes, " + lanes.mask + ";");
  append(out, callLines(Probes::kFirstInWavefront, {{"%tstep_v0"}, {banks}, {lanes.mask}},
                        s + "_first"));
  if (!adds.second.reg.empty()) {
    append(out, callLines(Probes::kFewestWavefronts, {{"%tstep_v0"}, {banks}, {lanes.mask}},
                          s + "_second"));
  }
  out.push_back(known + ":");
  addTimes(out, adds.first, s + "_first", times);
  addTimes(out, adds.second, s + "_second", times);
}

// A base that never changes needs no stored address: two bits of %tstep_fixed say whether the
// pattern is known for the lanes in %tstep_fixed_lanes, and whether this lane is the first of its
// wavefront.
void PatternWriter::sharedFixed(Lines& out, uint32_t bit, const Lanes& lanes, const Adds& adds,
                                uint32_t times) {
  const std::string known = label();
  out.push_back("setp.eq.u32 %tstep_q0, %tstep_fixed_lanes, " + lanes.mask + ";");
  out.push_back("and.b32 %tstep_v1, %tstep_fixed, " + number(int64_t{1} << bit) + ";");
  out.push_back("setp.ne.and.u32 %tstep_q1, %tstep_v1, 0, %tstep_q0;");
  out.push_back("vote.sync.all.pred %tstep_q1, %tstep_q1, " + lanes.mask + ";");
  out.push_back("@%tstep_q1 bra " + known + ";");
  out.push_back("vote.sync.all.pred %tstep_q0, %tstep_q0, " + lanes.mask + ";");
  out.push_back("@!%tstep_q0 mov.u32 %tstep_fixed, 0;");
  out.push_back("mov.b32 %tstep_fixed_lanes, " + lanes.mask + ";");
  append(out,
         callLines(Probes::kFirstInWavefront, {{"%tstep_v0"}, {"32"}, {lanes.mask}}, "%tstep_v1"));
  out.push_back("mad.lo.u32 %tstep_v1, %tstep_v1, 2, 1;");
  out.push_back("shl.b32 %tstep_v1, %tstep_v1, " + number(bit) + ";");
  // All lanes know this pattern or none does, but a lane may hold bits of an earlier set.
  out.push_back("and.b32 %tstep_fixed, %tstep_fixed, " + number(~(int64_t{3} << bit) & 0xffffffff) +
                ";");
  out.push_back("or.b32 %tstep_fixed, %tstep_fixed, %tstep_v1;");
  out.push_back(known + ":");
  out.push_back("bfe.u32 %tstep_v1, %tstep_fixed, " + number(bit + 1) + ", 1;");
  addTimes(out, adds.first, "%tstep_v1", times);
}

void PatternWriter::shared(Lines& out, const AccessGroup& group, const Lanes& lanes,
                           const Adds& adds) {
  const Access& access = group.access;
  if (!isAddressBase(*access.address)) {
    addIfLead(out, adds.first, lanes, group.times());
    addIfLead(out, adds.second, lanes, group.times());
    return;
  }
  const uint32_t reg = access.address->reg;
  const uint32_t unit = sharedUnit(access.width);
  const auto rest = static_cast<uint32_t>(group.members[0].offset & (unit - 1));
  const bool isFixed = fixed_.contains(reg);
  const Key key{Space::shared, isFixed ? reg : familyOf(reg), unit, rest};
  sharedUnits(out, function_, reg, rest, unit, "%tstep_v0");
  const bool hasBits = fixedBits_.contains(key) || fixedBits_.size() < kFixedPatterns;
  if (isFixed && unit == 4 && hasBits) {
    const auto bits = static_cast<uint32_t>(2 * fixedBits_.size());
    sharedFixed(out, fixedBits_.try_emplace(key, bits).first->second, lanes, adds, group.times());
  } else {
    sharedMoving(out, key, lanes, adds, group.times());
  }
}

}  // namespace tilestep::ptx
