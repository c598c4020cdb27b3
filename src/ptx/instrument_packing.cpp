// SPDX-License-Identifier: Apache-2.0
#include "ptx/instrument_packing.h"

#include <algorithm>

namespace tilestep::ptx {
namespace {

/// Bits a field gets beyond the least when a loop may run its segments more than once.
constexpr uint32_t kLoopBits = 5;

uint32_t bitsOf(uint64_t value) {
  uint32_t bits = 1;
  while (bits < 31 && value >> bits != 0) ++bits;
  return bits;
}

}  // namespace

std::string accumulator(uint32_t column) {
  return "%tstep_a" + std::to_string(column);
}

PackedRun packRun(const std::vector<Segment>& segments, uint32_t segment,
                  const std::vector<std::map<uint32_t, uint64_t>>& most,
                  const std::set<uint32_t>& columns) {
  const std::vector<Visits> visits = visitsBefore(segments, segment);
  std::map<uint32_t, uint64_t> total;
  bool repeats = false;
  for (uint32_t s = 0; s < segments.size(); ++s) {
    if (visits[s] == Visits::never) continue;
    repeats |= visits[s] == Visits::often;
    for (const auto& [column, n] : most[s]) total[column] += n;
  }
  PackedRun run;
  uint32_t used = 32;
  for (const uint32_t column : columns) {
    const uint32_t bits = std::min(bitsOf(total[column]) + (repeats ? kLoopBits : 0), 31U);
    if (used + bits > 32) {
      ++run.words;
      used = 0;
    }
    run.fields.push_back({column, run.words - 1, used, bits, repeats});
    used += bits;
  }
  return run;
}

void packCounts(Lines& out, const PackedRun& run) {
  out.push_back("setp.eq.u32 %tstep_q2, 0, 0;");
  for (const PackedRun::Field& field : run.fields) {
    const std::string word = "%tstep_e" + std::to_string(field.word);
    out.push_back(field.shift == 0
                      ? "mov.u32 " + word + ", " + accumulator(field.column) + ";"
                      : "mad.lo.u32 " + word + ", " + accumulator(field.column) + ", " +
                            std::to_string(uint64_t{1} << field.shift) + ", " + word + ";");
    if (!field.mayOverflow) continue;
    out.push_back("setp.lt.and.u32 %tstep_q2, " + accumulator(field.column) + ", " +
                  std::to_string(uint64_t{1} << field.bits) + ", %tstep_q2;");
  }
}

}  // namespace tilestep::ptx
