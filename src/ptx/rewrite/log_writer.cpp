// SPDX-License-Identifier: Apache-2.0
#include "ptx/rewrite/log_writer.h"

#include <bit>

#include "ptx/analysis/uses.h"
#include "ptx/rewrite/instrument_parts.h"
#include "ptx/rewrite/own_returns.h"

namespace tilestep::ptx {
namespace {

using Kind = Operand::Kind;
constexpr const char* kCopySuffix = "_tilestep";

class RecordWriter {
 public:
  RecordWriter(const Function& entry, const TraceLog& log, LoggedBody body, Weave& weave)
      : entry_(entry),
        log_(log),
        offset_(body == LoggedBody::copy ? static_cast<uint32_t>(entry.body.size()) : 0),
        weave_(weave),
        leavesOthersWaiting_(leavesOthersWaiting(entry)) {}

  void run() {
    append(weave_.declarations,
           {".reg .b64 %tstep_at, %tstep_next, %tstep_limit, %tstep_end, %tstep_a;",
            ".reg .b32 %tstep_t<4>;", ".reg .b32 %tstep_w<2>;", ".reg .b16 %tstep_zero;",
            ".reg .pred %tstep_p, %tstep_q;"});
    for (uint32_t i = 0; i < entry_.body.size(); ++i) record(i);
  }

 private:
  [[nodiscard]] const Instruction& at(uint32_t index) const { return entry_.body[index]; }
  /// The lines around an instruction of the logging body.
  Lines& before(uint32_t index) { return weave_.before[offset_ + index]; }
  Lines& after(uint32_t index) { return weave_.after[offset_ + index]; }
  [[nodiscard]] const std::string& nameOf(uint32_t reg) const { return entry_.registers[reg].name; }
  /// "@%p1 " or "@!%p1 "; empty for an unguarded instruction.
  [[nodiscard]] std::string guardText(const Guard& guard) const {
    if (guard.reg == kNone) return {};
    return (guard.negated ? "@!" : "@") + nameOf(guard.reg) + " ";
  }

  void record(uint32_t index) {
    const Instruction& i = at(index);
    const LogSite& site = log_.sites[index];
    if (site.kind != LogSite::Kind::none) {
      const LogRecord& record = log_.records[site.record];
      if (record.first == index) open(record);
      if (site.writesBase) base(index);
      // A value is available after the instruction; everything else is available before it.
      const bool hasValues = log_.content == LogContent::events;
      const bool isAfter =
          hasValues && (site.kind == LogSite::Kind::load || site.kind == LogSite::Kind::accumulate);
      Lines& out = isAfter ? after(index) : before(index);
      values(out, i, site);
      if (record.last == index) {
        out.push_back(recordGuard(record) + "mov.b64 %tstep_at, %tstep_next;");
      }
    }
    if (isExit(i)) {
      before(index).push_back(guardText(i.guard) + "st.global.b64 [%tstep_end], %tstep_at;");
    }
    // Threads that would only branch to a return exit here, so that no thread waits for them.
    if (leavesOthersWaiting_[index]) {
      append(before(index), {guardText(i.guard) + "st.global.b64 [%tstep_end], %tstep_at;",
                             guardText(i.guard) + "ret;"});
    }
  }

  /// The guard of a record that only some threads write; otherwise empty.
  [[nodiscard]] std::string recordGuard(const LogRecord& record) const {
    const bool isDecision = log_.sites[record.first].kind == LogSite::Kind::decision;
    return isDecision ? "" : guardText(at(record.first).guard);
  }

  // Starts a record. Sets %tstep_p if the record fits into the log. The position advances in any
  // case, so that the host knows how much was omitted.
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
    if (log_.content == LogContent::addresses && site.isAccess()) return space(out, i, site);
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
        out.push_back("selp.u32 %tstep_w0, " + std::string(i.guard.negated ? "0, 1" : "1, 0") +
                      ", " + nameOf(i.guard.reg) + ";");
        write(out, site.at, "%tstep_w0");
        break;
    }
  }

  /// Logs the space of a generic address.
  void space(Lines& out, const Instruction& i, const LogSite& site) const {
    if (site.elements == 0) return;
    const std::string& address = nameOf(addressOf(i)->reg);
    append(out,
           {"isspacep.global %tstep_q, " + address + ";", "selp.u32 %tstep_w0, 2, 0, %tstep_q;",
            "isspacep.shared %tstep_q, " + address + ";",
            "selp.u32 %tstep_w0, 1, %tstep_w0, %tstep_q;"});
    write(out, site.at, "%tstep_w0");
  }

  [[nodiscard]] std::string barrierText(const Instruction& i, size_t operand) const {
    if (i.operands.size() <= operand) return "0";
    const Operand& o = i.operands[operand];
    return o.kind == Kind::reg ? nameOf(o.reg) : number(o.bits);
  }

  // Logs whole registers, of which a store may write only a part; the host extracts that part.
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
  const uint32_t offset_;
  Weave& weave_;
  const std::vector<bool> leavesOthersWaiting_;  ///< Indexed by instruction.
};

}  // namespace

Function twice(const Function& entry) {
  Function out = entry;
  const auto size = static_cast<uint32_t>(entry.body.size());
  out.labels.push_back({kLoggedLabel, size});
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

void weaveRecords(const Function& entry, const TraceLog& log, LoggedBody body, Weave& weave) {
  RecordWriter(entry, log, body, weave).run();
}

}  // namespace tilestep::ptx
