// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compile/front_matter/library_kernel.h"
#include "features/sweeps/ladder_plan.h"
#include "features/sweeps/ladder_view.h"
#include "support/source_root.h"
#include "unit/features/sweeps/sweep_rows.h"

namespace tilestep::features {

inline compile::CatalogueEntry cublas() {
  compile::CatalogueEntry entry;
  entry.source = compile::libraryKernel("cublas:fp32").value();
  entry.spec = compile::parseKernel(entry.source).value();
  return entry;
}

/// The shipped rungs on a GPU; a test sets their times and counts.
class LadderCase : public ::testing::Test {
 protected:
  LadderCase() {
    catalogue = compile::readCatalogue(support::sourceRoot() + "/kernels");
    libraries = {cublas()};
    gpu.id = "cuda:0";
    gpu.name = "Test GPU";
    gpu.measures = true;
    gpu.limits.sharedBytesPerBlockOptIn = 232448;
    sweepIn.kind = SweepKind::ladder;
    sweepIn.device = &gpu;
    sweepIn.sizes = {{"m", 4096}, {"n", 4096}, {"k", 4096}};
    sweepIn.others = ladderKernels(catalogue, {}, {}, libraries);
    plan = std::make_shared<const SweepPlan>(makeSweepPlan(sweepIn));
    rates.multiprocessors = 132;
    rates.clockHz = 1.98e9;
    rates.fp32FlopPerSecond = 63.6e12;
    rates.computeMajor = 9;
  }

  const SweepPoint& pointOf(const std::string& kernel) const {
    const auto at = std::ranges::find_if(plan->points, [&](const SweepPoint& point) {
      return plan->series[point.series].kernel == kernel;
    });
    return *at;
  }
  void timed(const std::string& kernel, double teraflops) {
    const SweepPoint& point = pointOf(kernel);
    const double ms = point.operations / teraflops / 1e9;
    samples[point.key].time = timeOf(ms, ms * 0.995, ms * 1.005);
  }
  /// Sets the amounts per multiply-add of a warp.
  void counted(const std::string& kernel, double lines, double wavefronts, double instructions) {
    RungCounts& of = counts[pointOf(kernel).key];
    of.work.multiplyAdds = 32;
    of.work.globalRequests = std::min(lines, 2.0);
    of.work.globalLines = lines;
    of.work.sharedWavefronts = of.work.sharedLeast = wavefronts;
    of.work.warpInstructions = instructions;
    of.total.globalLoad.bytes = 256;
  }
  LadderView view() {
    SweepViewInputs inputs;
    inputs.plan = plan;
    inputs.find = [this](const SweepPoint& point) -> const SweepSample* {
      const auto at = samples.find(point.key);
      return at == samples.end() ? nullptr : &at->second;
    };
    sweep = sweepViewOf(inputs);
    LadderInputs in;
    in.sweep = &sweep;
    in.find = inputs.find;
    in.counts = [this](const SweepPoint& point) -> const RungCounts* {
      const auto at = counts.find(point.key);
      return at == counts.end() ? nullptr : &at->second;
    };
    in.rates = rates;
    in.ratesOrigin = "what Test GPU can do";
    metrics::Multiprocessor sm;
    sm.major = 9;
    sm.threads = 2048;
    sm.blocks = 32;
    sm.registers = 65536;
    sm.sharedBytes = 233472;
    sm.sharedBytesReservedPerBlock = 1024;
    sm.threadsPerBlock = 1024;
    sm.sharedBytesPerBlock = 232448;
    in.multiprocessor = sm;
    return ladderViewOf(in);
  }

  std::vector<compile::CatalogueEntry> catalogue, libraries;
  device::DeviceInfo gpu;
  SweepInputs sweepIn;
  std::shared_ptr<const SweepPlan> plan;
  SweepView sweep;
  SweepSamples samples;
  std::map<std::string, RungCounts> counts;
  metrics::DeviceRates rates;
};

/// The rung's explanation.
inline std::string inFull(const LadderRow& row) {
  std::string all;
  for (const std::string& paragraph : row.paragraphs) all += paragraph + "\n";
  return all;
}

}  // namespace tilestep::features
