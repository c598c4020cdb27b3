// SPDX-License-Identifier: Apache-2.0
// The text of the function that computes what a lap counts. Its parameters: the run's local memory,
// the bits of the paths taken, all lanes, the lap's first epoch. Values that it needs more than
// once stay in local memory: the fewer registers it uses, the more the kernel has.
#include "ptx/rewrite/instrument.h"
#include "ptx/rewrite/instrument_laps.h"
#include "ptx/rewrite/instrument_probes.h"

namespace tilestep::ptx {
namespace {

using How = LapPart::How;

std::string number(uint64_t value) {
  return std::to_string(value);
}

/// The number of laps that a warp computes before its loop counts as unfit.
constexpr uint32_t kMostChanges = 32;

void write(std::string& out, const Lines& lines) {
  for (const std::string& line : lines) out += "\t" + line + "\n";
}

}  // namespace

std::string LapWriter::functionText(const Work& work) const {
  std::string out =
      ".global .align 4 .b32 " + work.table + "[" + number(work.cells.size()) + "] = {";
  for (const auto& [cell, index] : work.cells) {
    out += (index == 0 ? "" : ", ") + number(uint64_t{cell.epoch} << 16 | cell.column);
  }
  out += "};\n.func " + work.function +
         "(.param .b64 a, .param .b32 b, .param .b32 c, .param .b32 d)\n{\n"
         "\t.reg .b64 %local, %sum, %wide;\n"
         "\t.reg .b32 %way, %all, %epoch, %lanes, %rounds, %t<4>;\n\t.reg .pred %p<3>;\n"
         "\tld.param.u64 %local, [a];\n\tld.param.u32 %way, [b];\n\tld.param.u32 %all, [c];\n"
         "\tld.param.u32 %epoch, [d];\n"
         "\tactivemask.b32 %t0;\n\tsetp.eq.u32 %p0, %t0, %all;\n\t@%p0 bra TOGETHER;\n"
         "UNFIT:\n\tst.global.u32 [" +
         std::string(CountTable::kSymbol) + "+12], " + number(CountTable::kUnfit) +
         ";\n\tret;\nTOGETHER:\n";
  // Computing a lap takes some hundred instructions and a dozen atomic additions. A loop that needs
  // it in every lap is better counted visit by visit.
  const std::string changes = "[%local+" + number(changesAt(work)) + "]";
  out += "\tld.local.u32 %t0, " + changes + ";\n\tadd.u32 %t0, %t0, 1;\n\tst.local.u32 " + changes +
         ", %t0;\n\tld.volatile.global.u32 %t1, [" + CountTable::kSymbol +
         "+12];\n\tsetp.gt.u32 %p0, %t0, " + number(kMostChanges) +
         ";\n\tsetp.eq.or.u32 %p0, %t1, " + number(CountTable::kUnfit) +
         ", %p0;\n\tvote.sync.any.pred %p0, %p0, %all;\n\t@%p0 bra UNFIT;\n\tmov.u64 %wide, " +
         work.table + ";\n";
  write(out, callLines(Probes::kLapEnd, {{"%local", 64},
                                         {"%wide", 64},
                                         {number(work.cells.size())},
                                         {number(work.lap.barriers)},
                                         {"%epoch"},
                                         {"%all"}}));
  out += "\tst.local.u32 [%local], %epoch;\n\tmov.u64 %wide, 0;\n";
  for (const auto& [cell, index] : work.cells) {
    out += "\tst.local.u64 [%local+" + number(8 + 8 * index) + "], %wide;\n";
  }
  for (const LapPart& part : work.lap.parts) {
    if (part.how != How::unfit) partText(out, work, part);
  }
  return out + "\tret;\n}\n";
}

// %lanes: the lanes that ran it, %rounds: how often each of them did.
void LapWriter::partText(std::string& out, const Work& work, const LapPart& part) const {
  const std::string skip = "PART" + number(part.segment);
  out += "\tmov.u32 %rounds, 1;\n";
  if (part.how == How::always) {
    out += "\tmov.u32 %lanes, %all;\n";
  } else {
    if (part.how == How::repeated) {
      out += "\tld.local.u32 %rounds, [%local+" + number(roundsAt(work, part.segment)) +
             "];\n\tsetp.ne.u32 %p0, %rounds, 0;\n";
    } else {
      out += "\tand.b32 %t0, %way, " + number(1ULL << part.bit) + ";\n\tsetp.ne.u32 %p0, %t0, 0;\n";
    }
    out += "\tvote.sync.ballot.b32 %lanes, %p0, %all;\n\tsetp.eq.u32 %p1, %lanes, 0;\n\t@%p1 bra " +
           skip + ";\n";
  }
  if (part.how == How::repeated) {
    // The lanes that ran it did so together, so all agree; otherwise the lap is unfit.
    out +=
        "\tbrev.b32 %t0, %lanes;\n\tclz.b32 %t0, %t0;\n"
        "\tshfl.sync.idx.b32 %t1, %rounds, %t0, 31, %all;\n"
        "\tnot.pred %p2, %p0;\n\tsetp.eq.or.u32 %p1, %t1, %rounds, %p2;\n"
        "\tvote.sync.all.pred %p1, %p1, %all;\n\t@!%p1 bra UNFIT;\n\tmov.u32 %rounds, %t1;\n";
  }
  const SegmentCounts& counts = counts_.counts[part.segment];
  const auto add = [&](uint32_t column, const std::string& sum) {
    const std::string cell = "[%local+" + number(cellAt(work, part.epoch, column)) + "]";
    out += "\tld.local.u64 %sum, " + cell + ";\n" + sum + "\tst.local.u64 " + cell + ", %sum;\n";
  };
  for (const auto& [column, n] : counts.each) {
    add(column,
        "\tpopc.b32 %t0, %lanes;\n\tmul.wide.u32 %wide, %t0, %rounds;\n"
        "\tmad.lo.u64 %sum, %wide, " +
            number(n) + ", %sum;\n");
  }
  for (const auto& [column, n] : counts.lead) {
    add(column, "\tmad.wide.u32 %sum, %rounds, " + number(n) + ", %sum;\n");
  }
  const std::vector<AccessGroup>& groups = counts_.groups[part.segment];
  for (size_t g = 0; g < groups.size(); ++g) {
    groupText(out, work, part, groups[g], counts_.columns[part.segment][g]);
  }
  if (part.how != How::always) out += skip + ":\n";
}

// Probes return the sum over the lanes: the first value in the low 16 bits, the second above.
void LapWriter::groupText(std::string& out, const Work& work, const LapPart& part,
                          const AccessGroup& group, const GroupColumns& columns) const {
  const auto add = [&](std::optional<uint32_t> column, const std::string& value, uint32_t times) {
    if (!column) return;
    const std::string cell = "[%local+" + number(cellAt(work, part.epoch, *column)) + "]";
    out += "\tmul.lo.u32 %t3, " + value + ", " + number(times) + ";\n\tld.local.u64 %sum, " + cell +
           ";\n\tmad.wide.u32 %sum, %t3, %rounds, %sum;\n\tst.local.u64 " + cell + ", %sum;\n";
  };
  const uint32_t base = group.base();
  if (base == kNone) {
    out += "\tmov.u32 %t2, 1;\n";
    add(columns.first, "%t2", group.times());
    add(columns.second, "%t2", group.times());
    return;
  }
  const bool isGlobal = group.access.space == Space::global;
  const uint32_t unit = sharedUnit(group.access.width);
  for (const AccessGroup::Member& member : group.members) {
    const std::string offset = std::to_string(
        isGlobal ? member.offset
                 : static_cast<int64_t>(static_cast<uint64_t>(member.offset) & (unit - 1)));
    const std::string place = "[%local+" + number(baseAt(work, base)) + "];\n";
    if (!isGlobal) {
      out += "\tld.local.u32 %t0, " + place + "\tcvt.u64.u32 %wide, %t0;\n";
    } else {
      out += "\tld.local.u64 %wide, " + place;
    }
    out += "\tadd.s64 %wide, %wide, " + offset + ";\n";
    std::vector<CallValue> arguments{{"%wide", 64}, {"%lanes"}, {"%all"}};
    if (!isGlobal) arguments.push_back({number(unit)});
    write(out, callLines(isGlobal ? Probes::kLapGlobal : Probes::kLapShared, arguments, "%t2"));
    out += "\tand.b32 %t1, %t2, 65535;\n";
    add(columns.first, "%t1", member.times);
    if (!columns.second) continue;
    out += "\tshr.u32 %t1, %t2, 16;\n";
    add(columns.second, "%t1", member.times);
  }
}

}  // namespace tilestep::ptx
