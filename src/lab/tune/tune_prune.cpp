// SPDX-License-Identifier: Apache-2.0
#include "lab/tune/tune_prune.h"

#include <algorithm>

#include "base/figure.h"
#include "base/percent.h"
#include "lab/figures.h"
#include "metrics/occupancy.h"

namespace tilestep::lab {
namespace {

constexpr uint64_t kWarp = 32;

std::string tooFewWarps(uint32_t warps, uint32_t registers) {
  if (warps == 0) return "not one block fits on a multiprocessor";
  return "only " + std::to_string(warps) + (warps == 1 ? " warp fits" : " warps fit") +
         " on a multiprocessor" +
         (registers > 0 ? " with " + std::to_string(registers) + " registers per thread" : "") +
         ", fewer than its " + std::to_string(kLeastWarps) + " schedulers";
}

std::string tooSmallShare(const Candidate& candidate, const device::DeviceInfo& device,
                          double share, double best) {
  return "at most " + wholePercent(share) + " of the GPU can be busy (" +
         grouped(candidate.blocks) + (candidate.blocks == 1 ? " block of " : " blocks of ") +
         grouped(candidate.threads) + " threads for " + grouped(device.multiprocessors) +
         " multiprocessors), and with another choice " + wholePercent(best);
}

}  // namespace

std::optional<uint32_t> warpsOf(const Candidate& candidate, uint32_t sharedBytes,
                                uint32_t registers, const device::DeviceInfo& device) {
  const auto sm = multiprocessorOf(device);
  if (!sm || candidate.threads == 0) return std::nullopt;
  return metrics::residentWarps(
      *sm, {static_cast<uint32_t>(candidate.threads), registers, sharedBytes, 0});
}

double usableShare(const Candidate& candidate, const device::DeviceInfo& device) {
  if (candidate.threads == 0 || candidate.blocks == 0 || device.multiprocessors == 0) return 1;
  const uint64_t rounds = (candidate.blocks + device.multiprocessors - 1) / device.multiprocessors;
  const uint64_t warps = (candidate.threads + kWarp - 1) / kWarp;
  return static_cast<double>(candidate.blocks) /
         static_cast<double>(rounds * device.multiprocessors) *
         static_cast<double>(candidate.threads) / static_cast<double>(warps * kWarp);
}

std::vector<std::string> pruneByPlan(const Candidates& candidates,
                                     const device::DeviceInfo& device) {
  std::vector<std::string> why(candidates.legal.size());
  std::vector<std::optional<uint32_t>> warps;
  for (const Candidate& one : candidates.legal)
    warps.push_back(warpsOf(one, one.sharedBytes, 0, device));
  const auto enough = [](const auto& w) { return !w || *w >= kLeastWarps; };
  const bool someHave = std::ranges::any_of(warps, enough);
  double best = 0;
  for (size_t i = 0; i < why.size(); ++i) {
    const bool has = enough(warps[i]);
    if (!has && (someHave || *warps[i] == 0)) why[i] = tooFewWarps(*warps[i], 0);
    if (why[i].empty()) best = std::max(best, usableShare(candidates.legal[i], device));
  }
  if (candidates.operations < kMuchWork) return why;
  for (size_t i = 0; i < why.size(); ++i) {
    const double share = usableShare(candidates.legal[i], device);
    if (why[i].empty() && share * kSharesApart <= best)
      why[i] = tooSmallShare(candidates.legal[i], device, share, best);
  }
  return why;
}

std::string pruneByMachineCode(const Candidate& candidate, const MachineCode& code,
                               const device::DeviceInfo& device, bool othersSpillNothing,
                               bool othersHaveWarps) {
  const auto warps = warpsOf(candidate, code.sharedBytes, code.registers, device);
  if (warps && (*warps == 0 || (*warps < kLeastWarps && othersHaveWarps)))
    return tooFewWarps(*warps, code.registers);
  if (code.localBytes > kFewLocalBytes && othersSpillNothing) {
    return std::to_string(code.localBytes) +
           " bytes a thread do not fit its registers and lie in local memory; another candidate "
           "needs none";
  }
  return {};
}

}  // namespace tilestep::lab
