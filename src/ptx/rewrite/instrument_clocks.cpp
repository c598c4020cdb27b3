// SPDX-License-Identifier: Apache-2.0
#include "ptx/rewrite/instrument_clocks.h"

#include <algorithm>
#include <cstddef>

#include "ptx/analysis/counted.h"
#include "ptx/rewrite/instrument_parts.h"
#include "ptx/rewrite/own_returns.h"
#include "ptx/text/printer.h"

namespace tilestep::ptx {
namespace {

using Header = ClockTable::Header;
using Record = ClockTable::Record;

std::string headerField(size_t offset) {
  return "[" + std::string(ClockTable::kSymbol) + "+" + number(offset) + "]";
}

std::string recordField(size_t offset) {
  return "[%tsc_q2+" + number(offset) + "]";
}

// Three registers are live throughout the kernel: %tsc_last, the clock after the last barrier;
// %tsc_wait, the cycles waited; and %tsc_cell, the index of the next cell (if the block has no row,
// kNoRow plus the number of barriers passed).
constexpr uint32_t kNoRow = 0x80000000;

class ClockWeaver {
 public:
  ClockWeaver(const Function& entry, const Launch& launch) : entry_(entry), block_(launch.block) {}

  Weave weave(uint32_t maxRegisters) {
    weave_.declarations = {".reg .b32 %tsc_last, %tsc_wait, %tsc_cell, %tsc_a<5>;",
                           ".reg .b64 %tsc_q<4>;", ".reg .pred %tsc_p<2>;"};
    weaveStart(weave_.start);
    for (uint32_t i = 0; i < entry_.body.size(); ++i) {
      if (isBarrier(entry_.body[i])) weaveBarrier(i);
      if (isExit(entry_.body[i])) weaveExit(i);
    }
    const bool isBounded =
        std::any_of(entry_.directives.begin(), entry_.directives.end(),
                    [](const auto& d) { return d.find(".maxnreg") != std::string::npos; });
    if (maxRegisters > 0 && !isBounded) {
      weave_.directives.push_back(".maxnreg " + number(maxRegisters));
    }
    return std::move(weave_);
  }

 private:
  // Sets %tsc_a0 to the block's linear index.
  static void findBlock(Lines& out) {
    out.insert(
        out.end(),
        {"mov.u32 %tsc_a0, %ctaid.z;", "mov.u32 %tsc_a1, %nctaid.y;", "mov.u32 %tsc_a2, %ctaid.y;",
         "mad.lo.u32 %tsc_a0, %tsc_a0, %tsc_a1, %tsc_a2;", "mov.u32 %tsc_a1, %nctaid.x;",
         "mov.u32 %tsc_a2, %ctaid.x;", "mad.lo.u32 %tsc_a0, %tsc_a0, %tsc_a1, %tsc_a2;"});
  }

  // Sets %tsc_q2 to the address of the warp's record. Needs %tsc_a0.
  void findRecord(Lines& out) const {
    out.insert(
        out.end(),
        {"mov.u32 %tsc_a1, %tid.z;", "mov.u32 %tsc_a2, %tid.y;",
         "mad.lo.u32 %tsc_a1, %tsc_a1, " + number(block_.y) + ", %tsc_a2;",
         "mov.u32 %tsc_a2, %tid.x;",
         "mad.lo.u32 %tsc_a1, %tsc_a1, " + number(block_.x) + ", %tsc_a2;",
         "shr.u32 %tsc_a1, %tsc_a1, 5;",
         "mad.lo.u32 %tsc_a1, %tsc_a0, " + number(ceilDiv(block_.count(), 32)) + ", %tsc_a1;",
         "ld.const.u64 %tsc_q2, " + headerField(offsetof(Header, records)) + ";",
         "mad.wide.u32 %tsc_q2, %tsc_a1, " + number(sizeof(Record)) + ", %tsc_q2;"});
  }

  // Sets %tsc_p0 in the lowest active lane, which then acts for all active lanes.
  static void elect(Lines& out) {
    out.insert(out.end(),
               {"activemask.b32 %tsc_a3;", "mov.u32 %tsc_a4, %lanemask_lt;",
                "and.b32 %tsc_a3, %tsc_a3, %tsc_a4;", "setp.eq.u32 %tsc_p0, %tsc_a3, 0;"});
  }

  // Sets %tsc_cell to the first cell of the block's row. Needs %tsc_a0.
  static void findRow(Lines& out) {
    out.insert(out.end(),
               {"ld.const.u32 %tsc_a1, " + headerField(offsetof(Header, rowShift)) + ";",
                "shr.u32 %tsc_a2, %tsc_a0, %tsc_a1;", "shl.b32 %tsc_a3, %tsc_a2, %tsc_a1;",
                "setp.eq.u32 %tsc_p1, %tsc_a3, %tsc_a0;",
                "ld.const.u32 %tsc_a1, " + headerField(offsetof(Header, barriers)) + ";",
                "mul.lo.u32 %tsc_a2, %tsc_a2, %tsc_a1;",
                "selp.b32 %tsc_cell, %tsc_a2, " + number(kNoRow) + ", %tsc_p1;",
                "ld.const.u32 %tsc_a1, " + headerField(offsetof(Header, zero)) + ";",
                "mov.u32 %tsc_a2, %laneid;", "mad.lo.u32 %tsc_cell, %tsc_a1, %tsc_a2, %tsc_cell;"});
  }

  void weaveStart(Lines& out) const {
    out = {"mov.u64 %tsc_q0, %globaltimer;", "mov.u64 %tsc_q1, %clock64;",
           "cvt.u32.u64 %tsc_last, %tsc_q1;", "mov.u32 %tsc_wait, 0;"};
    findBlock(out);
    findRecord(out);
    elect(out);
    out.insert(out.end(), {"@%tsc_p0 st.global.v2.u64 " + recordField(offsetof(Record, startNs)) +
                               ", {%tsc_q0, %tsc_q1};",
                           "mov.u32 %tsc_a1, %smid;", "add.u32 %tsc_a1, %tsc_a1, 1;",
                           "@%tsc_p0 st.global.u32 " + recordField(offsetof(Record, smPlusOne)) +
                               ", %tsc_a1;"});
    findRow(out);
  }

  [[nodiscard]] std::string openGuard(Lines& out, const Guard& guard) {
    if (guard.reg == kNone) return {};
    const std::string skip = "$tsc_skip" + number(labels_++);
    out.push_back("@" + std::string(guard.negated ? "" : "!") + entry_.registers[guard.reg].name +
                  " bra " + skip + ";");
    return skip;
  }

  void weaveBarrier(uint32_t index) {
    weave_.before[index].push_back("mov.u32 %tsc_a0, %clock;");
    Lines& out = weave_.after[index];
    const std::string skip = openGuard(out, entry_.body[index].guard);
    out.insert(out.end(),
               {"mov.u32 %tsc_a1, %clock;", "sub.u32 %tsc_a2, %tsc_a0, %tsc_last;",
                "sub.u32 %tsc_a3, %tsc_a1, %tsc_a0;", "mov.u32 %tsc_last, %tsc_a1;",
                "add.u32 %tsc_wait, %tsc_wait, %tsc_a3;", "mov.b64 %tsc_q0, {%tsc_a2, %tsc_a3};"});
    elect(out);
    out.insert(
        out.end(),
        {"ld.const.u32 %tsc_a0, " + headerField(offsetof(Header, cellCount)) + ";",
         "setp.lt.and.u32 %tsc_p0, %tsc_cell, %tsc_a0, %tsc_p0;",
         "ld.const.u64 %tsc_q1, " + headerField(offsetof(Header, cells)) + ";",
         "mad.wide.u32 %tsc_q1, %tsc_cell, 8, %tsc_q1;",
         "@%tsc_p0 red.global.add.u64 [%tsc_q1], %tsc_q0;", "add.u32 %tsc_cell, %tsc_cell, 1;"});
    if (!skip.empty()) out.push_back(skip + ":");
  }

  // Lanes of a warp may exit separately, so the warp's values are the maxima over its lanes.
  void weaveExit(uint32_t index) {
    Lines& out = weave_.before[index];
    const std::string skip = openGuard(out, entry_.body[index].guard);
    out.insert(out.end(), {"mov.u64 %tsc_q1, %clock64;", "mov.u64 %tsc_q0, %globaltimer;",
                           "mov.u32 %tsc_last, %tsc_cell;"});
    findBlock(out);
    findRow(out);
    out.push_back("sub.u32 %tsc_last, %tsc_last, %tsc_cell;");
    findRecord(out);
    elect(out);
    const auto keepMost = [&](size_t offset, const std::string& type, const std::string& value) {
      out.push_back("@%tsc_p0 red.global.max." + type + " " + recordField(offset) + ", " + value +
                    ";");
    };
    keepMost(offsetof(Record, endNs), "u64", "%tsc_q0");
    keepMost(offsetof(Record, endCycle), "u64", "%tsc_q1");
    out.push_back("cvt.u64.u32 %tsc_q1, %tsc_wait;");
    keepMost(offsetof(Record, waitCycles), "u64", "%tsc_q1");
    keepMost(offsetof(Record, barriers), "u32", "%tsc_last");
    if (!skip.empty()) out.push_back(skip + ":");
  }

  const Function& entry_;
  const Dim3 block_;
  Weave weave_;
  uint32_t labels_ = 0;
};

}  // namespace

Result<std::string> instrumentClocks(const Module& original, const Launch& launch,
                                     uint32_t maxRegisters) {
  const Module module = withOwnReturns(withoutLines(original));
  const Function* entry = module.find(launch.entry);
  if (entry == nullptr || !entry->isEntry) {
    return requestError("The module has no kernel named " + launch.entry + ".");
  }
  if (const auto why = whyNotFollowed(module, *entry)) {
    return workError("There is no timeline of " + launch.entry + ": " + *why + ".");
  }
  Edits edits;
  edits.moduleStart = {".visible .const .align 8 .b8 " + std::string(ClockTable::kSymbol) + "[" +
                       number(sizeof(Header)) + "];"};
  edits.functions[launch.entry] = ClockWeaver(*entry, launch).weave(maxRegisters);
  return print(module, edits);
}

}  // namespace tilestep::ptx
