// SPDX-License-Identifier: Apache-2.0
#include "ptx/rewrite/instrument_trace.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "ptx/rewrite/instrument_access.h"
#include "ptx/rewrite/instrument_parts.h"
#include "ptx/rewrite/own_returns.h"
#include "ptx/text/printer.h"

namespace tilestep::ptx {
namespace {

using Kind = Operand::Kind;
using Lines = std::vector<std::string>;

constexpr const char* kTracedLabel = "$tilestep_traced";
constexpr const char* kPlainLabel = "$tilestep_plain";
constexpr const char* kCopySuffix = "_tilestep";

std::string number(uint64_t value) {
  return std::to_string(value);
}

void append(Lines& out, Lines more) {
  for (std::string& line : more) out.push_back(std::move(line));
}

/// Appends a copy of the body, with its own labels.
Function twice(const Function& entry) {
  Function out = entry;
  const auto size = static_cast<uint32_t>(entry.body.size());
  out.labels.push_back({kTracedLabel, size});
  for (const Label& label : entry.labels) {
    out.labels.push_back({label.name + kCopySuffix, label.at + size});
  }
  for (Instruction instruction : entry.body) {
    for (Operand& operand : instruction.operands) {
      if (operand.kind != Kind::label) continue;
      operand.name += kCopySuffix;
      operand.target += size;
    }
    out.body.push_back(std::move(instruction));
  }
  return out;
}

/// Inserts the records into the second copy of the body.
class LogWeaver {
 public:
  LogWeaver(const Function& entry, const TraceLog& log)
      : entry_(entry), log_(log), leavesOthersWaiting_(leavesOthersWaiting(entry)) {}

  Weave weave(uint64_t threadsPerBlock, uint32_t registers) {
    weave_.parameters = {".param .u32 tilestep_x", ".param .u32 tilestep_y",
                         ".param .u32 tilestep_z", ".param .u32 tilestep_room",
                         ".param .u64 tilestep_log"};
    declare();
    choose();
    begin();
    weave_.start.push_back(std::string("bra ") + kTracedLabel + ";");
    weave_.start.push_back(std::string(kPlainLabel) + ":");
    for (uint32_t i = 0; i < entry_.body.size(); ++i) record(i);
    if (auto limit = threadLimit(entry_, threadsPerBlock)) {
      // With this limit on registers as many blocks as before are resident; only the logging copy
      // spills.
      weave_.directives.push_back(registers == 0 ? *limit : ".maxnreg " + number(registers));
    }
    return std::move(weave_);
  }

 private:
  [[nodiscard]] const Instruction& at(uint32_t index) const { return entry_.body[index]; }
  /// Of the copy.
  Lines& before(uint32_t index) { return weave_.before[copy(index)]; }
  Lines& after(uint32_t index) { return weave_.after[copy(index)]; }
  [[nodiscard]] uint32_t copy(uint32_t index) const {
    return index + static_cast<uint32_t>(entry_.body.size());
  }
  [[nodiscard]] const std::string& nameOf(uint32_t reg) const { return entry_.registers[reg].name; }
  /// "@%p1 " or "@!%p1 "; empty for an unguarded instruction.
  [[nodiscard]] std::string guardText(const Guard& guard) const {
    if (guard.reg == kNone) return {};
    return (guard.negated ? "@!" : "@") + nameOf(guard.reg) + " ";
  }

  void declare() {
    weave_.declarations = {".reg .b64 %tstep_at, %tstep_next, %tstep_limit, %tstep_end, %tstep_a;",
                           ".reg .b32 %tstep_t<4>;", ".reg .b32 %tstep_w<2>;",
                           ".reg .b16 %tstep_zero;", ".reg .pred %tstep_p;"};
  }

  // Every thread checks whether its block is the traced one.
  void choose() {
    Lines& out = weave_.start;
    out.push_back("mov.u32 %tstep_t2, 0;");
    for (const char* axis : {"x", "y", "z"}) {
      out.push_back(std::string("ld.param.u32 %tstep_t0, [tilestep_") + axis + "];");
      out.push_back(std::string("mov.u32 %tstep_t1, %ctaid.") + axis + ";");
      out.push_back("xor.b32 %tstep_t0, %tstep_t0, %tstep_t1;");
      out.push_back("or.b32 %tstep_t2, %tstep_t2, %tstep_t0;");
    }
    out.push_back("setp.ne.u32 %tstep_p, %tstep_t2, 0;");
    out.push_back(std::string("@%tstep_p bra ") + kPlainLabel + ";");
  }

  // Registers of a traced thread: its number (t0), where its end is recorded (end), its first word
  // (at) and the limit of its log (limit).
  void begin() {
    append(
        weave_.start,
        {"mov.u32 %tstep_t0, %tid.z;", "mov.u32 %tstep_t1, %ntid.y;", "mov.u32 %tstep_t2, %tid.y;",
         "mad.lo.u32 %tstep_t0, %tstep_t0, %tstep_t1, %tstep_t2;", "mov.u32 %tstep_t1, %ntid.x;",
         "mov.u32 %tstep_t2, %tid.x;", "mad.lo.u32 %tstep_t0, %tstep_t0, %tstep_t1, %tstep_t2;",
         "mov.u16 %tstep_zero, 0;", "ld.param.u64 %tstep_at, [tilestep_log];"});
    addresses();
    append(weave_.start,
           {"mad.wide.u32 %tstep_end, %tstep_t0, 8, %tstep_at;",
            "add.s64 %tstep_end, %tstep_end, " + number(log_.endsAt()) + ";",
            "ld.param.u32 %tstep_t1, [tilestep_room];", "shr.u32 %tstep_t2, %tstep_t0, 5;",
            "mul.wide.u32 %tstep_a, %tstep_t2, %tstep_t1;", "shl.b64 %tstep_a, %tstep_a, 7;",
            "add.s64 %tstep_at, %tstep_at, %tstep_a;", "and.b32 %tstep_t2, %tstep_t0, 31;",
            "mad.wide.u32 %tstep_at, %tstep_t2, 4, %tstep_at;",
            "add.s64 %tstep_at, %tstep_at, " + number(log_.wordsAt()) + ";",
            "mad.wide.u32 %tstep_limit, %tstep_t1, " + number(TraceLog::kStride) + ", %tstep_at;"});
  }

  // The first thread records the addresses of the variables.
  void addresses() {
    Lines& out = weave_.start;
    uint64_t place = 0;
    const auto store = [&] {
      out.push_back("@%tstep_p st.global.b64 [%tstep_at+" + number(place) + "], %tstep_a;");
      place += 8;
    };
    out.push_back("setp.eq.u32 %tstep_p, %tstep_t0, 0;");
    append(out, {"mov.u64 %tstep_a, 0;", "cvta.shared.u64 %tstep_a, %tstep_a;"});
    store();
    for (const std::string& name : log_.shared) {
      append(out, {"mov.u32 %tstep_t1, " + name + ";", "cvt.u64.u32 %tstep_a, %tstep_t1;"});
      store();
    }
    for (const std::string& name : log_.globals) {
      out.push_back("mov.u64 %tstep_a, " + name + ";");
      store();
    }
  }

  // ---- Records ----

  void record(uint32_t index) {
    const Instruction& i = at(index);
    const LogSite& site = log_.sites[index];
    if (site.kind != LogSite::Kind::none) {
      const LogRecord& record = log_.records[site.record];
      if (record.first == index) open(record);
      if (site.writesBase) base(index);
      // A value is available after the instruction; everything else is available before it.
      const bool isAfter =
          site.kind == LogSite::Kind::load || site.kind == LogSite::Kind::accumulate;
      Lines& out = isAfter ? after(index) : before(index);
      values(out, i, site);
      if (record.last == index) {
        out.push_back(recordGuard(record) + "mov.b64 %tstep_at, %tstep_next;");
      }
    }
    if (isExit(i)) {
      before(index).push_back(guardText(i.guard) + "st.global.b64 [%tstep_end], %tstep_at;");
    }
    // Threads that only have a return left exit here, so that no thread waits for them.
    if (leavesOthersWaiting_[index]) {
      append(before(index), {guardText(i.guard) + "st.global.b64 [%tstep_end], %tstep_at;",
                             guardText(i.guard) + "ret;"});
    }
  }

  /// For a record that only some threads write.
  [[nodiscard]] std::string recordGuard(const LogRecord& record) const {
    const bool isDecision = log_.sites[record.first].kind == LogSite::Kind::decision;
    return isDecision ? "" : guardText(at(record.first).guard);
  }

  // Tests whether the record still fits. The position advances in any case, so that the host sees
  // how much was omitted.
  void open(const LogRecord& record) {
    Lines& out = before(record.first);
    out.push_back("add.s64 %tstep_next, %tstep_at, " + number(record.words * TraceLog::kStride) +
                  ";");
    const std::string test = "%tstep_p, %tstep_next, %tstep_limit";
    const Guard& guard = at(record.first).guard;
    if (recordGuard(record).empty()) {
      out.push_back("setp.le.u64 " + test + ";");
    } else {
      out.push_back("setp.le.and.u64 " + test + ", " + (guard.negated ? "!" : "") +
                    nameOf(guard.reg) + ";");
    }
    out.push_back("mov.u32 %tstep_w0, " + number(logMark(record.first)) + ";");
    write(out, 0, "%tstep_w0");
  }

  static void write(Lines& out, uint32_t word, const std::string& value) {
    out.push_back("@%tstep_p st.global.b32 [%tstep_at+" + number(word * TraceLog::kStride) + "], " +
                  value + ";");
  }

  void base(uint32_t index) {
    Lines& out = before(index);
    const LogSite& site = log_.sites[index];
    const Operand& address = *addressOf(at(index));
    if (address.reg != kNone) {
      const bool isWide = bytesOf(entry_.registers[address.reg].type) == 8;
      if (isWide) {
        out.push_back("mov.b64 {%tstep_w0, %tstep_w1}, " + nameOf(address.reg) + ";");
      } else {
        out.push_back("mov.b32 %tstep_w0, " + nameOf(address.reg) + ";");
        out.push_back("mov.u32 %tstep_w1, 0;");
      }
    } else if (!address.name.empty() && site.space == Space::shared) {
      append(out, {"mov.u32 %tstep_w0, " + address.name + ";", "mov.u32 %tstep_w1, 0;"});
    } else {
      append(out, {"mov.u64 %tstep_a, " + (address.name.empty() ? "0" : address.name) + ";",
                   "mov.b64 {%tstep_w0, %tstep_w1}, %tstep_a;"});
    }
    write(out, site.baseAt, "%tstep_w0");
    write(out, site.baseAt + 1, "%tstep_w1");
  }

  void values(Lines& out, const Instruction& i, const LogSite& site) const {
    using enum LogSite::Kind;
    switch (site.kind) {
      case none:
      case atomic:
        break;
      case load:
      case accumulate:
        elements(out, i.operands[0], site);
        break;
      case store:
        elements(out, i.operands[1], site);
        break;
      case barrier:
        for (uint32_t k = 0; k < 2; ++k) {
          out.push_back("mov.b32 %tstep_w0, " + barrierText(i, k) + ";");
          write(out, site.at + k, "%tstep_w0");
        }
        break;
      case decision:
        // The thread records whether the branch is taken.
        out.push_back("selp.u32 %tstep_w0, " + std::string(i.guard.negated ? "0, 1" : "1, 0") +
                      ", " + nameOf(i.guard.reg) + ";");
        write(out, site.at, "%tstep_w0");
        break;
    }
  }

  [[nodiscard]] std::string barrierText(const Instruction& i, size_t operand) const {
    if (i.operands.size() <= operand) return "0";
    const Operand& o = i.operands[operand];
    return o.kind == Kind::reg ? nameOf(o.reg) : number(o.bits);
  }

  // Logs whole registers; the host extracts the part that is stored.
  void elements(Lines& out, const Operand& value, const LogSite& site) const {
    const auto each = value.kind == Kind::vector ? value.elements : std::vector<Operand>{value};
    uint32_t word = site.at;
    for (const Operand& element : each) {
      const bool isImmediate = element.kind == Kind::immediate;
      const unsigned bytes = isImmediate ? 8 : bytesOf(entry_.registers[element.reg].type);
      if (isImmediate) {
        const uint64_t bits = bitsOf(element, site.elementBytes);
        out.push_back("mov.u32 %tstep_w0, " + number(bits & 0xffffffffU) + ";");
        out.push_back("mov.u32 %tstep_w1, " + number(bits >> 32) + ";");
      } else if (bytes == 8) {
        out.push_back("mov.b64 {%tstep_w0, %tstep_w1}, " + nameOf(element.reg) + ";");
      } else {
        const std::string& name = nameOf(element.reg);
        out.push_back("mov.b32 %tstep_w0, " + (bytes == 2 ? "{" + name + ", %tstep_zero}" : name) +
                      ";");
        out.push_back("mov.u32 %tstep_w1, 0;");
      }
      write(out, word, "%tstep_w0");
      if (site.elementWords == 2) write(out, word + 1, "%tstep_w1");
      word += site.elementWords;
    }
  }

  /// An immediate as it is stored in memory.
  static uint64_t bitsOf(const Operand& operand, unsigned bytes) {
    if (bytes == 4 && operand.immediateType == Type::f64) {
      return std::bit_cast<uint32_t>(static_cast<float>(std::bit_cast<double>(operand.bits)));
    }
    if (bytes == 8 && operand.immediateType == Type::f32) {
      const auto narrow = std::bit_cast<float>(static_cast<uint32_t>(operand.bits));
      return std::bit_cast<uint64_t>(static_cast<double>(narrow));
    }
    return operand.bits;
  }

  const Function& entry_;
  const TraceLog& log_;
  const std::vector<bool> leavesOthersWaiting_;  ///< Indexed by instruction.
  Weave weave_;
};

}  // namespace

Result<Tracing> instrumentTrace(const Module& module, const Launch& launch, uint32_t registers) {
  const Function* entry = module.find(launch.entry);
  if (entry == nullptr || !entry->isEntry) {
    return requestError("The module has no kernel named " + launch.entry + ".");
  }
  const auto threads = static_cast<uint32_t>(launch.block.count());
  Result<TraceLog> log = traceLogOf(module, *entry, threads);
  if (!log) return log.error();
  Module doubled = withoutLines(module);
  const auto copied =
      std::find_if(doubled.functions.begin(), doubled.functions.end(),
                   [&](const Function& f) { return f.isEntry && f.name == launch.entry; });
  *copied = twice(*copied);
  Edits edits;
  edits.functions[launch.entry] = LogWeaver(*entry, *log).weave(launch.block.count(), registers);
  return Tracing{print(doubled, edits), std::move(*log)};
}

}  // namespace tilestep::ptx
