// SPDX-License-Identifier: Apache-2.0
#include "model/launch_ratios.h"

#include "base/factor.h"
#include "base/figure.h"
#include "model/choice/planning.h"
#include "model/machine.h"
#include "model/roofline_marks.h"
#include "model/scene/traced_kernel.h"
#include "model/text/traffic.h"

namespace tilestep::model {
namespace {

void divide(double base, double run, Unit unit, std::optional<double>& ratio,
            std::string& formula) {
  if (base <= 0 || run <= 0) return;
  ratio = base / run;
  formula = toText(base, unit) + " ÷ " + toText(run, unit);
}

bool isTimed(const lab::RunResult& result) {
  return result.measurement && result.measurement->medianMs > 0;
}

/// "naive was timed on NVIDIA H200 no. 1, tiled on NVIDIA H200 no. 3"
std::string machinesText(const lab::RunResult& base, const lab::RunResult& run) {
  return shortNameOf(base.kernel) + " was timed on " + device::machineText(base.device) + ", " +
         shortNameOf(run.kernel) + " on " + device::machineText(run.device);
}

void compareCounts(const lab::RunResult& base, const lab::RunResult& run, LaunchRatios& ratios) {
  if (base.counters && run.counters && loadsAreCounted(base) && loadsAreCounted(run)) {
    const trace::GlobalCounts& from = base.counters->total.globalLoad;
    const trace::GlobalCounts& to = run.counters->total.globalLoad;
    divide(static_cast<double>(from.bytes), static_cast<double>(to.bytes), Unit::bytes,
           ratios.lanes, ratios.lanesFormula);
    divide(static_cast<double>(from.sectors), static_cast<double>(to.sectors), Unit::count,
           ratios.sectors, ratios.sectorsFormula);
  }
  if (!base.hardware || !run.hardware) return;
  const device::HardwareFigure* from = base.hardware->find("l2_read_sectors");
  const device::HardwareFigure* to = run.hardware->find("l2_read_sectors");
  if (from != nullptr && to != nullptr)
    divide(from->value, to->value, Unit::count, ratios.l2, ratios.l2Formula);
}

void compareTimes(const lab::RunResult& base, const lab::RunResult& run, LaunchRatios& ratios) {
  if (!isTimed(run)) return;
  if (!isTimed(base)) {
    ratios.missing =
        "No ratio: " + ratios.against + (base.nearest ? " is not recorded." : " has no time.");
    return;
  }
  const SameMachine same = sameMachine(machineOf(base.device), machineOf(run.device));
  if (same == SameMachine::no) {
    ratios.missing =
        "No ratio, because two machines took the times: " + machinesText(base, run) + ".";
    return;
  }
  if (same == SameMachine::unknown)
    ratios.timeNote =
        "It is not known whether one machine took both times: " + machinesText(base, run) +
        ". The ratio may include a difference between machines.";
  divide(base.measurement->medianMs / 1e3, run.measurement->medianMs / 1e3, Unit::seconds,
         ratios.time, ratios.timeFormula);
}

}  // namespace

LaunchRatios ratiosOf(const lab::RunResult& base, const lab::RunResult& run, bool anyBlocks) {
  LaunchRatios ratios;
  ratios.subject = shortNameOf(run.kernel);
  ratios.against = launchText(base);
  ratios.of = sizesText(run.plan.sizes);
  if (base.plan.sizes != run.plan.sizes) {
    ratios.missing = "No ratio: " + ratios.against + " ran at " + sizesText(base.plan.sizes) + ".";
    return ratios;
  }
  if (!anyBlocks && !haveEqualBlocks(base.plan, run.plan)) {
    ratios.missing =
        "No ratio: " + ratios.against + " and " + launchText(run) + " do not have equal blocks.";
    return ratios;
  }
  ratios.comparable = true;
  compareCounts(base, run, ratios);
  compareTimes(base, run, ratios);
  return ratios;
}

std::string timeText(const LaunchRatios& ratios) {
  return ratios.time ? factorText(1, *ratios.time, kTimeWords) : "";
}

}  // namespace tilestep::model
