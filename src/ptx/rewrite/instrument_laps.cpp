// SPDX-License-Identifier: Apache-2.0
#include "ptx/rewrite/instrument_laps.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "ptx/analysis/uses.h"
#include "ptx/rewrite/instrument.h"
#include "ptx/rewrite/instrument_probes.h"

namespace tilestep::ptx {
namespace {

using How = LapPart::How;

std::string number(uint64_t value) {
  return std::to_string(value);
}

void append(Lines& out, Lines more) {
  for (std::string& line : more) out.push_back(std::move(line));
}

void addOnce(std::vector<uint32_t>& list, uint32_t value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

size_t indexIn(const std::vector<uint32_t>& list, uint32_t value) {
  return static_cast<size_t>(std::find(list.begin(), list.end(), value) - list.begin());
}

const char* const kAll = "%tstep_all";
const char* const kAgree = "%tstep_agree";
const char* const kSaved = "tstep_saved";

/// Marks the absence of a signature; bits stay below it.
constexpr uint32_t kNoSignature = 0xffffffff;

}  // namespace

bool LapWriter::isWide(uint32_t reg) const {
  return bytesOf(function_.registers[reg].type) == 8;
}

// ---- What a lap consists of ----

LapWriter::Work LapWriter::workOf(const Lap& lap, uint32_t serial) const {
  const std::string n = number(serial);
  Work work{lap,
            "%tstep_l" + n,
            "tilestep_lap_" + n,
            "tilestep_cells_" + n,
            "tstep_lap_" + n,
            {},
            {},
            {},
            {},
            {},
            counterOf(lap)};
  std::vector<uint32_t> others;
  for (const LapPart& part : lap.parts) {
    if (part.how == How::unfit) continue;
    if (part.how == How::repeated) work.repeated.push_back(part.segment);
    noteCells(work, part);
    for (const AccessGroup& group : counts_.groups[part.segment]) {
      if (group.base() == kNone) continue;
      const bool isGlobal = group.access.space == Space::global;
      addOnce(isGlobal ? work.globals : others, group.base());
      // If addresses move by whole sectors only, no comparison is needed.
      if (isGlobal && grains_.grain(group.base()) < 5) addOnce(work.places, group.base());
    }
  }
  work.bases = work.globals;
  for (const uint32_t base : others) addOnce(work.bases, base);
  uint32_t order = 0;
  for (auto& [cell, index] : work.cells) index = order++;
  return work;
}

void LapWriter::noteCells(Work& work, const LapPart& part) const {
  const SegmentCounts& counts = counts_.counts[part.segment];
  for (const auto* columns : {&counts.each, &counts.lead}) {
    for (const auto& [column, n] : *columns) work.cells[{part.epoch, column}] = 0;
  }
  for (const GroupColumns& columns : counts_.columns[part.segment]) {
    if (columns.first) work.cells[{part.epoch, *columns.first}] = 0;
    if (columns.second) work.cells[{part.epoch, *columns.second}] = 0;
  }
}

uint32_t LapWriter::cellAt(const Work& work, uint32_t epoch, uint32_t column) {
  return 8 + 8 * work.cells.at({epoch, column});
}

uint32_t LapWriter::baseAt(const Work& work, uint32_t reg) {
  return static_cast<uint32_t>(8 + 8 * (work.cells.size() + indexIn(work.bases, reg)));
}

uint32_t LapWriter::roundsAt(const Work& work, uint32_t segment) {
  const size_t before = work.cells.size() + work.bases.size();
  return static_cast<uint32_t>(8 + 8 * (before + indexIn(work.repeated, segment)));
}

// A register with one addition in every lap; the one with the smallest step.
std::optional<LapWriter::Counter> LapWriter::counterOf(const Lap& lap) const {
  std::map<uint32_t, uint32_t> writes;
  for (uint32_t i = counts_.segments[lap.first].begin; i < counts_.segments[lap.last].end; ++i) {
    for (const uint32_t reg : writtenRegisters(function_.body[i])) ++writes[reg];
  }
  std::optional<Counter> best;
  for (const LapPart& part : lap.parts) {
    if (part.how != How::always) continue;
    const Segment& segment = counts_.segments[part.segment];
    for (uint32_t i = segment.begin; i < segment.end; ++i) {
      const Instruction& add = function_.body[i];
      if (add.opcode != Opcode::add || add.guard.reg != kNone || add.operands.size() != 3) continue;
      const Operand &to = add.operands[0], &from = add.operands[1], &by = add.operands[2];
      const bool isSelf = to.kind == Operand::Kind::reg && from.kind == Operand::Kind::reg &&
                          to.reg == from.reg && by.kind == Operand::Kind::immediate;
      if (!isSelf || isFloat(add.type) || bytesOf(add.type) < 4) continue;
      if (writes[to.reg] != 1 || !moves_.isShared(to.reg)) continue;
      const auto step = static_cast<int64_t>(static_cast<int32_t>(by.bits));
      if (step == 0 || std::abs(step) > 64) continue;
      if (best && std::abs(best->step) <= std::abs(step)) continue;
      best = Counter{to.reg, step, i < lap.checkAt};
    }
  }
  return best;
}

// Computes the epoch in which this lap began or, after the loop, the epoch at that point.
Lines LapWriter::epochInto(const Work& work, const std::string& to, const std::string& epoch,
                           bool atCheck) const {
  if (!work.counter) return {"mov.u32 " + to + ", " + epoch + ";"};
  const Counter& counter = *work.counter;
  Lines out{
      (isWide(counter.reg) ? "cvt.u32.u64 " : "mov.b32 ") + to + ", " + baseName(counter.reg) + ";",
      "ld.local.u32 %tstep_y1, [" + work.local + "+4];",
      "sub.u32 " + to + ", " + to + ", %tstep_y1;"};
  if (atCheck && counter.isAhead) {
    out.push_back("sub.u32 " + to + ", " + to + ", " + std::to_string(counter.step) + ";");
  }
  const auto size = static_cast<uint32_t>(std::abs(counter.step));
  if (std::has_single_bit(size)) {
    out.push_back("shr.s32 " + to + ", " + to + ", " + number(std::countr_zero(size)) + ";");
  } else {
    out.push_back("div.s32 " + to + ", " + to + ", " + number(size) + ";");
  }
  if (counter.step < 0) out.push_back("neg.s32 " + to + ", " + to + ";");
  out.push_back("mad.lo.u32 " + to + ", " + to + ", " + number(work.lap.barriers) + ", " + epoch +
                ";");
  return out;
}

// Whether a lap starts without needing this register's value. It may then be cleared there, so that
// a lap need not keep it for the next.
bool LapWriter::isForgotten(const Lap& lap, uint32_t reg) const {
  const uint32_t begin = counts_.segments[lap.first].begin;
  return !live_.before(begin)[reg] && bytesOf(function_.registers[reg].type) >= 4;
}

uint32_t LapWriter::changesAt(const Work& work) {
  return static_cast<uint32_t>(8 +
                               8 * (work.cells.size() + work.bases.size() + work.repeated.size()));
}

// ---- Code in the kernel ----

void LapWriter::weave(const Lap& lap, uint32_t serial, const std::string& epoch, Weave& weave) {
  const Work work = workOf(lap, serial);
  declare(work, weave);
  weaveParts(work, weave);
  weaveCheck(work, epoch, weave);
  weaveChange(work, epoch, weave);
  weaveEnds(work, epoch, weave);
  text_ += functionText(work);
}

void LapWriter::declare(const Work& work, Weave& weave) const {
  Lines& out = weave.declarations;
  out.push_back(".reg .b32 " + work.prefix + "_way, " + work.prefix + "_key;");
  for (size_t i = 0; i < work.places.size(); ++i) {
    out.push_back(".reg .b32 " + work.prefix + "_p" + number(i) + ";");
  }
  for (const uint32_t s : work.repeated) {
    const std::string times = work.prefix + "_n" + number(s);
    out.push_back(".reg .b32 " + times + ", " + times + "_key;");
  }
  out.push_back(".local .align 8 .b8 " + work.local + "[" + number(changesAt(work) + 8) + "];");
}

void LapWriter::weaveParts(const Work& work, Weave& weave) const {
  Lines& first = weave.before[counts_.segments[work.lap.first].begin];
  for (const uint32_t base : work.bases) {
    if (!isForgotten(work.lap, base)) continue;
    first.push_back((isWide(base) ? "mov.b64 " : "mov.b32 ") + baseName(base) + ", 0;");
  }
  for (const LapPart& part : work.lap.parts) {
    Lines& out = weave.before[counts_.segments[part.segment].begin];
    if (part.how == How::sometimes) {
      const std::string way = work.prefix + "_way";
      out.push_back("add.u32 " + way + ", " + way + ", " + number(1ULL << part.bit) + ";");
    } else if (part.how == How::repeated) {
      const std::string times = work.prefix + "_n" + number(part.segment);
      out.push_back("add.u32 " + times + ", " + times + ", 1;");
    } else if (part.how == How::unfit) {
      out.push_back(std::string("st.global.u32 [") + CountTable::kSymbol + "+12], " +
                    number(CountTable::kUnfit) + ";");
    }
  }
}

// Each lane compares for itself; then the lanes that execute this together vote.
void LapWriter::weaveCheck(const Work& work, const std::string& epoch, Weave& weave) const {
  Lines& out = weave.before[work.lap.checkAt];
  const std::string way = work.prefix + "_way";
  out.push_back(std::string("setp.eq.u32 ") + kAgree + ", " + way + ", " + work.prefix + "_key;");
  for (const uint32_t s : work.repeated) {
    const std::string times = work.prefix + "_n" + number(s);
    out.push_back(std::string("setp.eq.and.u32 ") + kAgree + ", " + times + ", " + times +
                  "_key, " + kAgree + ";");
  }
  for (size_t i = 0; i < work.places.size(); ++i) {
    const std::string base = baseName(work.places[i]);
    const std::string to = i == 0 ? "%tstep_y0" : "%tstep_y1";
    out.push_back((isWide(work.places[i]) ? "cvt.u32.u64 " : "mov.b32 ") + to + ", " + base + ";");
    out.push_back("xor.b32 " + to + ", " + to + ", " + work.prefix + "_p" + number(i) + ";");
    if (i > 0) out.push_back("or.b32 %tstep_y0, %tstep_y0, %tstep_y1;");
  }
  if (!work.places.empty()) {
    out.push_back("and.b32 %tstep_y0, %tstep_y0, 31;");
    out.push_back(std::string("setp.eq.and.u32 ") + kAgree + ", %tstep_y0, 0, " + kAgree + ";");
  }
  out.push_back("mov.u32 %tstep_y1, 0;");
  out.push_back(std::string("@") + kAgree + " activemask.b32 %tstep_y1;");
  out.push_back(std::string("setp.ne.u32 ") + kAgree + ", %tstep_y1, " + kAll + ";");
  out.push_back(std::string("@") + kAgree + " bra $" + work.local + "_change;");
  out.push_back("$" + work.local + "_go:");
  out.push_back("mov.u32 " + way + ", 0;");
  for (const uint32_t s : work.repeated) {
    out.push_back("mov.u32 " + work.prefix + "_n" + number(s) + ", 0;");
  }
  if (work.counter) return;
  out.push_back("add.u32 " + epoch + ", " + epoch + ", " + number(work.lap.barriers) + ";");
}

// Placed after the program's end: the code for lanes that do not agree.
void LapWriter::weaveChange(const Work& work, const std::string& epoch, Weave& weave) {
  const std::string way = work.prefix + "_way";
  Lines call;
  for (const uint32_t base : work.bases) {
    const std::string place = "[" + work.local + "+" + number(baseAt(work, base)) + "], ";
    if (indexIn(work.globals, base) == work.globals.size()) {  // 32 bits are sufficient.
      call.push_back((isWide(base) ? "cvt.u32.u64 %tstep_y0, " : "mov.b32 %tstep_y0, ") +
                     baseName(base) + ";");
      call.push_back("st.local.u32 " + place + "%tstep_y0;");
    } else {
      call.push_back((isWide(base) ? "mov.b64 %tstep_y2, " : "cvt.u64.u32 %tstep_y2, ") +
                     baseName(base) + ";");
      call.push_back("st.local.u64 " + place + "%tstep_y2;");
    }
  }
  std::vector<std::string> more{way};
  for (const uint32_t s : work.repeated) {
    more.push_back(work.prefix + "_n" + number(s));
    call.push_back("st.local.u32 [" + work.local + "+" + number(roundsAt(work, s)) + "], " +
                   more.back() + ";");
  }
  append(call, epochInto(work, "%tstep_y0", epoch, true));
  call.push_back("mov.u64 %tstep_y2, " + work.local + ";");
  append(call, callLines(work.function, {{"%tstep_y2", 64}, {way}, {kAll}, {"%tstep_y0"}}));

  Lines& out = weave.after[static_cast<uint32_t>(function_.body.size()) - 1];
  out.push_back("$" + work.local + "_change:");
  append(out, around(work.lap, std::move(call), more));
  out.push_back("mov.u32 " + work.prefix + "_key, " + way + ";");
  for (size_t i = 0; i < work.places.size(); ++i) {
    out.push_back("ld.local.u32 " + work.prefix + "_p" + number(i) + ", [" + work.local + "+" +
                  number(baseAt(work, work.places[i])) + "];");
  }
  for (const uint32_t s : work.repeated) {
    const std::string times = work.prefix + "_n" + number(s);
    out.push_back("mov.u32 " + times + "_key, " + times + ";");
  }
  out.push_back("bra.uni $" + work.local + "_go;");
}

// Encloses the call in code that saves to local memory, and restores, the registers that the lap
// changes and still needs, and `more` (32 bits each). The assembler then keeps them in registers
// during a lap, but not across the call. Values that a loop never changes, or that are the same in
// all lanes, are not saved, because the assembler knows more about them than it would about memory.
Lines LapWriter::around(const Lap& lap, Lines call, const std::vector<std::string>& more) {
  Lines out, back;
  std::vector<bool> isWritten(function_.registers.size(), false);
  for (uint32_t i = counts_.segments[lap.first].begin; i < counts_.segments[lap.last].end; ++i) {
    for (const uint32_t reg : writtenRegisters(function_.body[i])) isWritten[reg] = true;
  }
  uint32_t at = 0;
  const auto keep = [&](const std::string& name, uint32_t bytes) {
    at = (at + bytes - 1) / bytes * bytes;
    const std::string type = ".b" + number(8 * bytes),
                      place = " [" + std::string(kSaved) + "+" + number(at) + "]";
    out.push_back("st.local" + type + place + ", " + name + ";");
    back.push_back("ld.local" + type + " " + name + "," + place + ";");
    at += bytes;
  };
  const Liveness::Bits live = live_.before(lap.checkAt);
  for (uint32_t reg = 0; reg < live.size(); ++reg) {
    const Register& r = function_.registers[reg];
    const uint32_t bytes = bytesOf(r.type);
    if (!live[reg] || !isWritten[reg] || moves_.isShared(reg)) continue;
    if (r.type == Type::pred) {
      out.push_back("selp.b32 %tstep_y0, 1, 0, " + r.name + ";");
      keep("%tstep_y0", 4);
      back.push_back("setp.ne.u32 " + r.name + ", %tstep_y0, 0;");
    } else if (bytes == 2 || bytes == 4 || bytes == 8) {
      keep(r.name, bytes);
    }
  }
  for (const std::string& name : more) keep(name, 4);
  saveBytes_ = std::max(saveBytes_, at);
  append(out, std::move(call));
  append(out, std::move(back));
  return out;
}

Lines LapWriter::declarations() const {
  return {".reg .pred %tstep_agree;", ".reg .b32 %tstep_y0, %tstep_y1;",
          ".reg .b64 %tstep_y2, %tstep_y3;",
          ".local .align 8 .b8 " + std::string(kSaved) + "[" +
              number(std::max<uint32_t>(saveBytes_, 8)) + "];"};
}

Lines LapWriter::flush(const Work& work, const std::string& epoch) const {
  Lines out{"mov.u64 %tstep_y2, " + work.local + ";", "mov.u64 %tstep_y3, " + work.table + ";"};
  append(out, callLines(Probes::kLapEnd, {{"%tstep_y2", 64},
                                          {"%tstep_y3", 64},
                                          {number(work.cells.size())},
                                          {number(work.lap.barriers)},
                                          {epoch},
                                          {kAll}}));
  return out;
}

void LapWriter::weaveEnds(const Work& work, const std::string& epoch, Weave& weave) const {
  Lines& start = weave.after[counts_.segments[work.lap.first - 1].end - 1];
  start.push_back("st.local.u32 [" + work.local + "], " + epoch + ";");
  if (work.counter) {
    const std::string name = baseName(work.counter->reg);
    start.push_back((isWide(work.counter->reg) ? "cvt.u32.u64 " : "mov.b32 ") +
                    ("%tstep_y0, " + name) + ";");
    start.push_back("st.local.u32 [" + work.local + "+4], %tstep_y0;");
  }
  weave.start.push_back("st.local.u32 [" + work.local + "+" + number(changesAt(work)) + "], 0;");
  start.push_back("mov.u32 " + work.prefix + "_way, 0;");
  start.push_back("mov.u32 " + work.prefix + "_key, " + number(kNoSignature) + ";");
  for (size_t i = 0; i < work.places.size(); ++i) {
    start.push_back("mov.u32 " + work.prefix + "_p" + number(i) + ", 0;");
  }
  for (const uint32_t s : work.repeated) {
    const std::string times = work.prefix + "_n" + number(s);
    start.push_back("mov.u32 " + times + ", 0;");
    start.push_back("mov.u32 " + times + "_key, 0;");
  }
  Lines& end = weave.after[counts_.segments[work.lap.last].end - 1];
  if (work.counter) {
    append(end, epochInto(work, "%tstep_y0", epoch, false));
    end.push_back("mov.u32 " + epoch + ", %tstep_y0;");
  }
  append(end, flush(work, epoch));
}

}  // namespace tilestep::ptx
