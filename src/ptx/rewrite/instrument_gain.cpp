// SPDX-License-Identifier: Apache-2.0
#include "ptx/rewrite/instrument_gain.h"

#include <algorithm>

#include "ptx/analysis/uses.h"
#include "ptx/rewrite/instrument_probes.h"

namespace tilestep::ptx {
namespace {

std::string number(uint64_t value) {
  return std::to_string(value);
}

bool hasBase(const AccessGroup& group) {
  return group.access.address->kind == Operand::Kind::address && group.access.address->reg != kNone;
}

std::string work(uint32_t word) {
  return "%tstep_h" + number(word);
}

bool writes(const Instruction& instruction, uint32_t reg) {
  const std::vector<uint32_t> written = writtenRegisters(instruction);
  return std::find(written.begin(), written.end(), reg) != written.end() ||
         instruction.opcode == Opcode::call;
}

}  // namespace

std::optional<uint32_t> GainWriter::placeOf(const Function& function, const Segment& segment,
                                            const std::vector<AccessGroup>& groups,
                                            const LaneMoves& moves) {
  uint32_t place = segment.begin;
  for (const AccessGroup& group : groups) place = std::max(place, group.at);
  for (const AccessGroup& group : groups) {
    if (!hasBase(group)) continue;
    const uint32_t reg = group.access.address->reg;
    if (!moves.inStep(reg)) return {};
    for (uint32_t i = group.at; i <= place; ++i) {
      if (writes(function.body[i], reg)) return {};
    }
  }
  return place;
}

// A packed gain includes a single instruction of each lane's own counts, so that it is never 0.
void GainWriter::name(uint32_t segment, const std::vector<AccessGroup>& groups,
                      const std::vector<GroupColumns>& columns, const SegmentCounts& counts) {
  const bool isPacked = plan_.keeping(segment) == Keeping::packed;
  std::string key = isPacked ? "" : "repeated " + number(segment);
  std::set<uint32_t> words{0};
  const auto note = [&](uint32_t column, uint64_t n) {
    const CountField& field = plan_.field(segment, column);
    words.insert(field.word);
    key += " " + number(field.word) + ":" + number(field.shift) + "x" + number(n);
  };
  for (const auto& [column, n] : counts.lead) note(column, n);
  for (size_t g = 0; g < groups.size(); ++g) {
    const bool isBased = hasBase(groups[g]);
    key += " " + std::string(toText(groups[g].access.space)) + number(groups[g].access.width);
    if (isBased) key += " own " + number(moves_.ownPart(groups[g].access.address->reg));
    for (const AccessGroup::Member& member : groups[g].members) {
      key += " " + number(static_cast<uint64_t>(member.offset) % 32) + "x" + number(member.times);
    }
    for (const auto& column : {columns[g].first, columns[g].second}) {
      if (column) note(*column, 1);
    }
  }
  if (!isPacked) words = plan_.gainWords(segment);
  const uint32_t owner = alike_.try_emplace(key, segment).first->second;
  owner_[segment] = owner;
  gains_[owner] = words;
  mostWords_ = std::max(mostWords_, *words.rbegin() + 1);
}

std::string GainWriter::gain(uint32_t segment, uint32_t word) const {
  return CountPlan::gainRegister(owner_.at(segment), word);
}

uint64_t GainWriter::rest(uint32_t segment, uint32_t word, const SegmentCounts& counts) const {
  uint64_t rest = 0;
  for (const auto& [column, n] : counts.each) {
    const CountField& field = plan_.field(segment, column);
    if (field.word == word) rest += n << field.shift;
  }
  return word == 0 ? rest - 1 : rest;
}

void GainWriter::test(Lines& out, uint32_t segment, const std::vector<AccessGroup>& groups,
                      const std::string& lanes) {
  out.push_back("setp.eq.u32 %tstep_q1, " + lanes + ", %tstep_all;");
  bool isPlaced = false;
  for (size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].access.space != Space::global || !hasBase(groups[g])) continue;
    const Register& base = function_.registers[groups[g].access.address->reg];
    const std::string place = placeRegister(segment, g);
    out.push_back((bytesOf(base.type) == 8 ? "cvt.u32.u64 %tstep_v0, " : "mov.b32 %tstep_v0, ") +
                  base.name + ";");
    out.push_back("and.b32 %tstep_v0, %tstep_v0, 31;");
    out.push_back("setp.eq.and.u32 %tstep_q1, %tstep_v0, " + place + ", %tstep_q1;");
    isPlaced = true;
  }
  // Initially no address is known; a known gain is never 0.
  if (!isPlaced) {
    out.push_back("setp.ne.and.u32 %tstep_q1, " + gain(segment, 0) + ", 0, %tstep_q1;");
  }
}

void GainWriter::workOut(Lines& out, uint32_t segment, const std::vector<AccessGroup>& groups,
                         const std::vector<GroupColumns>& columns, const SegmentCounts& counts,
                         const std::string& lanes) {
  std::map<uint32_t, uint64_t> lead;
  for (const auto& [column, n] : counts.lead) {
    const CountField& field = plan_.field(segment, column);
    lead[field.word] += n << field.shift;
  }
  out.push_back("mov.u32 %tstep_v0, %lanemask_lt;");
  out.push_back("and.b32 %tstep_v0, %tstep_v0, " + lanes + ";");
  out.push_back("setp.eq.u32 %tstep_lead, %tstep_v0, 0;");
  for (const uint32_t word : words(segment)) {
    out.push_back("mov.u32 " + work(word) + (word == 0 ? ", 1;" : ", 0;"));
    if (lead[word] == 0) continue;
    out.push_back("@%tstep_lead add.u32 " + work(word) + ", " + work(word) + ", " +
                  number(lead[word]) + ";");
  }
  for (size_t g = 0; g < groups.size(); ++g) addGroup(out, segment, groups[g], columns[g], lanes);
}

/// The address of one access, 64 bits for global ones and in units for shared ones.
std::string GainWriter::address(Lines& out, const AccessGroup& group, int64_t offset) const {
  const Register& base = function_.registers[group.access.address->reg];
  const bool isWide = bytesOf(base.type) == 8;
  if (group.access.space == Space::global) {
    out.push_back((isWide ? "mov.b64 " : "cvt.u64.u32 ") + ("%tstep_w0, " + base.name) + ";");
    if (offset != 0) {
      out.push_back("add.s64 %tstep_w0, %tstep_w0, " + std::to_string(offset) + ";");
    }
    return "%tstep_w0";
  }
  const uint32_t unit = sharedUnit(group.access.width);
  out.push_back((isWide ? "cvt.u32.u64 " : "mov.b32 ") + ("%tstep_v0, " + base.name) + ";");
  const uint64_t rest = static_cast<uint64_t>(offset) & (unit - 1);
  if (rest != 0) out.push_back("add.u32 %tstep_v0, %tstep_v0, " + number(rest) + ";");
  out.push_back("shr.u32 %tstep_v0, %tstep_v0, " + number(unit == 4 ? 2 : unit == 8 ? 3 : 4) + ";");
  return "%tstep_v0";
}

void GainWriter::addGain(Lines& out, uint32_t segment, std::optional<uint32_t> column,
                         const std::string& value, uint32_t times) {
  if (!column) return;
  const CountField& field = plan_.field(segment, *column);
  const std::string word = work(field.word);
  out.push_back("mad.lo.u32 " + word + ", " + value + ", " +
                number(uint64_t{times} << field.shift) + ", " + word + ";");
}

void GainWriter::addGroup(Lines& out, uint32_t segment, const AccessGroup& group,
                          const GroupColumns& columns, const std::string& lanes) {
  if (!hasBase(group)) {
    out.push_back("selp.u32 %tstep_v1, 1, 0, %tstep_lead;");
    addGain(out, segment, columns.first, "%tstep_v1", group.times());
    addGain(out, segment, columns.second, "%tstep_v1", group.times());
    return;
  }
  const auto index = static_cast<uint32_t>(states_.size());
  const uint32_t state = 16 * states_.try_emplace({segment, group.at}, index).first->second;
  const bool isGlobal = group.access.space == Space::global;
  const uint32_t unit = sharedUnit(group.access.width);
  for (const AccessGroup::Member& member : group.members) {
    const std::string at = address(out, group, member.offset);
    out.push_back("mov.u64 %tstep_w1, " + std::string(kLocal) + ";");
    if (state != 0) out.push_back("add.s64 %tstep_w1, %tstep_w1, " + number(state) + ";");
    std::vector<CallValue> arguments{{"%tstep_w1", 64}, {at, isGlobal ? 64U : 32U}};
    if (!isGlobal) arguments.push_back({number(128 / unit)});
    arguments.push_back({lanes});
    for (std::string& line : callLines(isGlobal ? Probes::kKnownGlobal : Probes::kKnownShared,
                                       arguments, "%tstep_v1")) {
      out.push_back(std::move(line));
    }
    out.push_back("and.b32 %tstep_v2, %tstep_v1, 1;");
    addGain(out, segment, columns.first, "%tstep_v2", member.times);
    if (!columns.second) continue;
    out.push_back("shr.u32 %tstep_v2, %tstep_v1, 1;");
    addGain(out, segment, columns.second, "%tstep_v2", member.times);
  }
}

void GainWriter::keep(Lines& out, uint32_t segment, const std::vector<AccessGroup>& groups) {
  for (const uint32_t word : words(segment)) {
    out.push_back("@%tstep_q1 mov.u32 " + gain(segment, word) + ", " + work(word) + ";");
  }
  for (size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].access.space != Space::global || !hasBase(groups[g])) continue;
    const Register& base = function_.registers[groups[g].access.address->reg];
    const std::string place = placeRegister(segment, g);
    if (std::find(places_.begin(), places_.end(), place) == places_.end()) places_.push_back(place);
    out.push_back((bytesOf(base.type) == 8 ? "cvt.u32.u64 %tstep_v0, " : "mov.b32 %tstep_v0, ") +
                  base.name + ";");
    out.push_back("and.b32 %tstep_v0, %tstep_v0, 31;");
    out.push_back("@%tstep_q1 mov.u32 " + place + ", %tstep_v0;");
  }
}

Lines GainWriter::declarations() const {
  Lines lines{".reg .b32 %tstep_all;", ".reg .b32 %tstep_h<" + number(mostWords_) + ">;"};
  for (const auto& [segment, words] : gains_) {
    for (const uint32_t word : words) {
      lines.push_back(".reg .b32 " + CountPlan::gainRegister(segment, word) + ";");
    }
  }
  for (const std::string& place : places_) lines.push_back(".reg .b32 " + place + ";");
  return lines;
}

Lines GainWriter::start() const {
  Lines lines{"activemask.b32 %tstep_all;"};
  for (const auto& [segment, words] : gains_) {
    for (const uint32_t word : words) {
      lines.push_back("mov.u32 " + CountPlan::gainRegister(segment, word) + ", 0;");
    }
  }
  for (const std::string& place : places_) lines.push_back("mov.u32 " + place + ", 32;");
  for (const auto& [key, index] : states_) {
    lines.push_back("st.local.u32 [" + std::string(kLocal) + "+" + number(16 * index + 8) +
                    "], 0;");
  }
  return lines;
}

}  // namespace tilestep::ptx
