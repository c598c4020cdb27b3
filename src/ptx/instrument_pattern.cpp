// SPDX-License-Identifier: Apache-2.0
#include "ptx/instrument_pattern.h"

#include <algorithm>
#include <numeric>

namespace tilestep::ptx {
namespace {

using Kind = Operand::Kind;

std::string number(int64_t value) { return std::to_string(value); }

/// accumulator += value * times
void addTimes(Lines& out, const std::string& accumulator, const std::string& value,
              uint32_t times) {
  if (accumulator.empty()) return;
  out.push_back(times == 1
                    ? "add.u32 " + accumulator + ", " + accumulator + ", " + value + ";"
                    : "mad.lo.u32 " + accumulator + ", " + value + ", " + number(times) + ", " +
                          accumulator + ";");
}

void addIfLead(Lines& out, const std::string& accumulator, const Lanes& lanes, uint32_t times) {
  if (accumulator.empty()) return;
  out.push_back("@" + lanes.lead + " add.u32 " + accumulator + ", " + accumulator + ", " +
                number(times) + ";");
}

bool isAddressBase(const Operand& operand) {
  return operand.kind == Kind::address && operand.reg != kNone;
}

/// `to` = the address's base register as 64 bits.
void widen(Lines& out, const Function& function, uint32_t reg, const std::string& to) {
  const Register& base = function.registers[reg];
  const bool isWide = bytesOf(base.type) == 8;
  out.push_back((isWide ? "mov.b64 " : "cvt.u64.u32 ") + to + ", " + base.name + ";");
}

}  // namespace

PatternWriter::PatternWriter(const Function& function, const Probes& probes)
    : function_(function), probes_(probes), family_(function.registers.size()) {
  std::iota(family_.begin(), family_.end(), 0U);
  findFixed();
  findFamilies();
}

// An address made from another by an addition walks over the same data; the two share a state.
// A wrong guess costs time, never a count.
void PatternWriter::findFamilies() {
  std::set<uint32_t> bases;
  for (const Instruction& instruction : function_.body) {
    const auto access = accessOf(instruction);
    if (access && isAddressBase(*access->address)) bases.insert(access->address->reg);
  }
  for (const Instruction& instruction : function_.body) {
    if (instruction.opcode != Opcode::add || instruction.operands.size() != 3) continue;
    const Operand& to = instruction.operands[0];
    if (to.kind != Kind::reg || !bases.contains(to.reg)) continue;
    for (const size_t from : {1, 2}) {
      const Operand& operand = instruction.operands[from];
      if (operand.kind != Kind::reg || !bases.contains(operand.reg)) continue;
      if (fixed_.contains(to.reg)) continue;
      family_[familyOf(to.reg)] = familyOf(operand.reg);
    }
  }
}

// A backward branch makes everything between its target and itself a loop.
void PatternWriter::findFixed() {
  std::vector<bool> inLoop(function_.body.size(), false);
  for (uint32_t i = 0; i < function_.body.size(); ++i) {
    const Instruction& instruction = function_.body[i];
    if (!isBranch(instruction) || instruction.operands.empty()) continue;
    for (uint32_t j = instruction.operands.back().target; j <= i && j != kNone; ++j) {
      inLoop[j] = true;
    }
  }
  std::map<uint32_t, int> writes;
  for (uint32_t i = 0; i < function_.body.size(); ++i) {
    const Instruction& instruction = function_.body[i];
    if (instruction.operands.empty()) continue;
    const Operand& to = instruction.operands[0];
    if (to.kind == Kind::reg) writes[to.reg] += inLoop[i] ? 2 : 1;
    for (const Operand& element : to.elements) {
      if (element.kind == Kind::reg) writes[element.reg] += 2;
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

std::string PatternWriter::label() { return "$tstep_" + number(serial_++); }

std::string PatternWriter::stateOf(const Key& key) {
  const auto [found, isNew] = states_.try_emplace(key, "");
  if (isNew) found->second = "%tstep_s" + number(static_cast<int64_t>(states_.size()) - 1);
  return found->second;
}

Lines PatternWriter::declarations() const {
  Lines lines{".reg .b32 %tstep_v<8>;", ".reg .b64 %tstep_w<3>;", ".reg .pred %tstep_q<4>;"};
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
  Lines lines;
  for (const auto& [key, s] : states_) {
    const bool isGlobal = key.space == Space::global;
    lines.push_back((isGlobal ? "mov.u64 " : "mov.u32 ") + s + "_at, 0;");
    lines.push_back("mov.u32 " + s + "_lanes, 0;");
    lines.push_back("mov.u32 " + s + (isGlobal ? "_seen, 0;" : "_first, 0;"));
    if (!isGlobal) lines.push_back("mov.u32 " + s + "_second, 0;");
  }
  return lines;
}

void PatternWriter::copy(Lines& out, std::string_view probe,
                         const std::vector<std::string>& arguments, const std::string& result) {
  for (std::string& line : probes_.copyIn(probe, arguments, result, serial_++)) {
    out.push_back(std::move(line));
  }
}

// State of a global pattern: _at, the address seen first; _lanes; and _seen, which holds for each
// distance modulo 32 (in words, 0 to 7) whether this lane is the first of its sector (bits 0 to
// 7) and whether that is known (bits 8 to 15), and whether it is the first at its address (bit
// 16). Leaves %tstep_q1: known; %tstep_q0: the lanes and their distance agree; %tstep_v2: the
// distance's word; %tstep_v3: _seen shifted to it.
void PatternWriter::globalHit(Lines& out, const std::string& s, const Lanes& lanes,
                              uint32_t width) const {
  out.push_back("sub.s64 %tstep_w1, %tstep_w0, " + s + "_at;");
  out.push_back("mov.b64 {%tstep_v0, %tstep_v1}, %tstep_w1;");
  // Distances beyond 31 bits are looked at afresh, so that one comparison of 32 bits will do.
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

void PatternWriter::globalMiss(Lines& out, const std::string& s, const Lanes& lanes) {
  const std::string same = label();
  out.push_back("vote.sync.all.pred %tstep_q0, %tstep_q0, " + lanes.mask + ";");
  out.push_back("@%tstep_q0 bra " + same + ";");
  copy(out, Probes::kFirstAtAddress, {"%tstep_w0", lanes.mask}, "%tstep_v4");
  out.push_back("shl.b32 " + s + "_seen, %tstep_v4, 16;");
  out.push_back("mov.b64 " + s + "_at, %tstep_w0;");
  out.push_back("mov.b32 " + s + "_lanes, " + lanes.mask + ";");
  out.push_back("mov.u32 %tstep_v2, 0;");
  out.push_back(same + ":");
  copy(out, Probes::kFirstInSector, {"%tstep_w0", lanes.mask}, "%tstep_v4");
  out.push_back("or.b32 %tstep_v4, %tstep_v4, 256;");
  out.push_back("shl.b32 %tstep_v4, %tstep_v4, %tstep_v2;");
  out.push_back("or.b32 " + s + "_seen, " + s + "_seen, %tstep_v4;");
  out.push_back("shr.u32 %tstep_v3, " + s + "_seen, %tstep_v2;");
}

void PatternWriter::global(Lines& out, const Access& access, const Lanes& lanes,
                           const Adds& adds) {
  if (!isAddressBase(*access.address)) {
    addIfLead(out, adds.first, lanes, adds.times);
    addIfLead(out, adds.second, lanes, adds.times);
    return;
  }
  const uint32_t reg = access.address->reg;
  const std::string s = stateOf({Space::global, familyOf(reg), access.width, 0});
  const std::string hit = label();
  widen(out, function_, reg, "%tstep_w0");
  if (access.address->offset != 0) {
    out.push_back("add.s64 %tstep_w0, %tstep_w0, " + number(access.address->offset) + ";");
  }
  globalHit(out, s, lanes, access.width);
  out.push_back("@%tstep_q1 bra " + hit + ";");
  globalMiss(out, s, lanes);
  out.push_back(hit + ":");
  out.push_back("and.b32 %tstep_v4, %tstep_v3, 1;");
  addTimes(out, adds.first, "%tstep_v4", adds.times);
  out.push_back("bfe.u32 %tstep_v4, " + s + "_seen, 16, 1;");
  addTimes(out, adds.second, "%tstep_v4", adds.times);
}

// State of a shared pattern: _at, the unit seen first; _lanes; _first and _second, what the
// probes said. Moving every lane by whole units renames the banks and changes nothing else.
void PatternWriter::sharedTest(Lines& out, const std::string& s, const Lanes& lanes,
                               bool isFixed) const {
  if (isFixed) {
    out.push_back("setp.eq.u32 %tstep_q0, %tstep_v0, " + s + "_at;");
  } else {
    out.push_back("sub.u32 %tstep_v1, %tstep_v0, " + s + "_at;");
    out.push_back("match.all.sync.b32 %tstep_v2|%tstep_q0, %tstep_v1, " + lanes.mask + ";");
  }
  out.push_back("setp.eq.and.u32 %tstep_q0, " + s + "_lanes, " + lanes.mask + ", %tstep_q0;");
  out.push_back("vote.sync.all.pred %tstep_q0, %tstep_q0, " + lanes.mask + ";");
}

void PatternWriter::sharedMiss(Lines& out, const std::string& s, const Lanes& lanes,
                               uint32_t unit, bool countsFewest) {
  const std::string banks = number(128 / unit);
  out.push_back("mov.b32 " + s + "_at, %tstep_v0;");
  out.push_back("mov.b32 " + s + "_lanes, " + lanes.mask + ";");
  copy(out, Probes::kFirstInWavefront, {"%tstep_v0", banks, lanes.mask}, s + "_first");
  if (countsFewest) {
    copy(out, Probes::kFewestWavefronts, {"%tstep_v0", banks, lanes.mask}, s + "_second");
  }
}

void PatternWriter::shared(Lines& out, const Access& access, const Lanes& lanes,
                           const Adds& adds) {
  if (!isAddressBase(*access.address)) {
    addIfLead(out, adds.first, lanes, adds.times);
    addIfLead(out, adds.second, lanes, adds.times);
    return;
  }
  const uint32_t reg = access.address->reg;
  const uint32_t unit = sharedUnit(access.width);
  const auto rest = static_cast<uint32_t>(access.address->offset & (unit - 1));
  const bool isFixed = fixed_.contains(reg);
  const std::string s = stateOf({Space::shared, isFixed ? reg : familyOf(reg), unit, rest});
  const std::string hit = label();
  const Register& base = function_.registers[reg];
  out.push_back((bytesOf(base.type) == 8 ? "cvt.u32.u64 " : "mov.b32 ") +
                std::string("%tstep_v0, ") + base.name + ";");
  if (rest != 0) out.push_back("add.u32 %tstep_v0, %tstep_v0, " + number(rest) + ";");
  out.push_back("shr.u32 %tstep_v0, %tstep_v0, " +
                number(unit == 4 ? 2 : unit == 8 ? 3 : 4) + ";");
  sharedTest(out, s, lanes, isFixed);
  out.push_back("@%tstep_q0 bra " + hit + ";");
  sharedMiss(out, s, lanes, unit, !adds.second.empty());
  out.push_back(hit + ":");
  addTimes(out, adds.first, s + "_first", adds.times);
  addTimes(out, adds.second, s + "_second", adds.times);
}

}  // namespace tilestep::ptx
