// SPDX-License-Identifier: Apache-2.0
#include "model/launch_ratios.h"

#include <cmath>

#include "base/factor.h"
#include "model/choice/planning.h"
#include "model/machine.h"
#include "model/roofline_marks.h"
#include "model/scene/traced_kernel.h"
#include "model/text/traffic.h"

namespace tilestep::model {
namespace {

const FactorWords& wordsOf(Unit unit) {
  return unit == Unit::seconds ? kTimeWords : unit == Unit::bytes ? kLessOrMore : kFewerOrMore;
}

std::string amountText(const std::optional<double>& value, Unit unit, bool isUncertain) {
  if (!value) return "–";
  const bool isWhole = unit == Unit::count && *value == std::floor(*value) && *value < 1e7;
  return (isUncertain ? "≈ " : "") +
         (isWhole ? grouped(static_cast<uint64_t>(*value)) : toText(*value, unit));
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
  const auto fill = [](Ratio& ratio, auto from, auto to) {
    ratio.base = static_cast<double>(from);
    ratio.own = static_cast<double>(to);
  };
  if (base.counters && run.counters && loadsAreCounted(base) && loadsAreCounted(run)) {
    const trace::GlobalCounts& from = base.counters->total.globalLoad;
    const trace::GlobalCounts& to = run.counters->total.globalLoad;
    fill(ratios.lanes, from.bytes, to.bytes);
    fill(ratios.sectors, from.sectors, to.sectors);
  }
  if (!base.hardware || !run.hardware) return;
  const device::HardwareFigure* from = base.hardware->find("l2_read_sectors");
  const device::HardwareFigure* to = run.hardware->find("l2_read_sectors");
  if (from != nullptr && to != nullptr) fill(ratios.l2, from->value, to->value);
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
  ratios.time.base = base.measurement->medianMs / 1e3;
  ratios.time.own = run.measurement->medianMs / 1e3;
}

}  // namespace

std::optional<double> Ratio::value() const {
  if (!comparable || base.value_or(0) <= 0 || own.value_or(0) <= 0) return std::nullopt;
  return *base / *own;
}

std::string Ratio::text() const {
  if (!comparable || !base || !own || unit == Unit::ratio) return {};
  if (*base == *own) return wordsOf(unit).same;
  return value() ? factorText(*own, *base, wordsOf(unit)) : "";
}

std::string Ratio::formula() const {
  return value() ? toText(*base, unit) + " ÷ " + toText(*own, unit) : "";
}

std::string Ratio::baseText() const {
  return amountText(base, unit, baseIsUncertain);
}

std::string Ratio::ownText() const {
  return amountText(own, unit, ownIsUncertain);
}

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

}  // namespace tilestep::model
