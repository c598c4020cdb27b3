// SPDX-License-Identifier: Apache-2.0
#include "model/counted_work.h"

#include <algorithm>
#include <array>

#include "metrics/bank_conflicts.h"
#include "metrics/coalescing.h"

namespace tilestep::model {
namespace {

/// Sums over the traced block's requests.
struct Traced {
  double requests = 0, lines = 0;
  double wavefronts = 0, least = 0;
};

double linesOf(const trace::TraceEvent& event) {
  std::array<uint32_t, 64> lines{};
  size_t count = 0;
  for (const uint32_t offset : event.offsets) {
    lines[count++] = offset / metrics::kLineBytes;
    const uint32_t last = (offset + event.width - 1) / metrics::kLineBytes;
    if (last != lines[count - 1]) lines[count++] = last;
  }
  std::sort(lines.begin(), lines.begin() + static_cast<long>(count));
  const auto end = std::unique(lines.begin(), lines.begin() + static_cast<long>(count));
  return static_cast<double>(end - lines.begin());
}

Traced tracedOf(const trace::BlockTrace& recording) {
  using trace::Operation;
  Traced sums;
  for (size_t i = 0; i < recording.size(); ++i) {
    const trace::TraceEvent event = recording.event(i);
    // An asynchronous copy counts as a load when it starts, and as a store when it completes.
    const Operation what = event.operation;
    const bool moves = what == Operation::load || what == Operation::store ||
                       what == Operation::copy || what == Operation::arrive;
    if (!moves || event.offsets.empty() || event.offsets.size() > 32) continue;
    if (event.space == trace::Space::global) {
      ++sums.requests;
      sums.lines += linesOf(event);
    } else if (event.space == trace::Space::shared) {
      const metrics::BankUse use = metrics::bankUse(event.offsets, event.width);
      sums.wavefronts += use.wavefronts;
      sums.least += metrics::leastWavefronts(use.wavefronts, use.distinctWords, event.width);
    }
  }
  return sums;
}

}  // namespace

metrics::CountedWork countedWorkOf(const lab::RunResult& result) {
  metrics::CountedWork work;
  const trace::Counters& total = result.counters->total;
  const auto real = [](uint64_t count) { return static_cast<double>(count); };
  work.multiplyAdds = real(total.ffma + total.fadd + total.fmul);
  if (total.warpInstructions) work.warpInstructions = real(*total.warpInstructions);
  work.sharedWavefronts = real(total.sharedLoad.wavefronts + total.sharedStore.wavefronts);
  work.sharedLeast = work.sharedWavefronts;
  work.globalRequests = real(total.globalLoad.requests + total.globalStore.requests);
  work.globalSectors = real(total.globalLoad.sectors + total.globalStore.sectors);
  work.copiesUncounted = result.asyncCopies;
  if (!result.trace || result.trace->truncated()) return work;
  const Traced traced = tracedOf(*result.trace);
  if (traced.requests > 0) work.globalLines = work.globalRequests * traced.lines / traced.requests;
  if (traced.wavefronts > 0)
    work.sharedLeast = work.sharedWavefronts * traced.least / traced.wavefronts;
  return work;
}

bool hasCopies(const trace::BlockTrace& recording) {
  for (size_t i = 0; i < recording.size(); ++i) {
    if (recording.event(i).operation == trace::Operation::copy) return true;
  }
  return false;
}

}  // namespace tilestep::model
