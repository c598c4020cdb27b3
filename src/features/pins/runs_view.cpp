// SPDX-License-Identifier: Apache-2.0
#include "features/pins/runs_view.h"

#include <cmath>
#include <cstdio>

#include "base/printable.h"
#include "lab/figures.h"
#include "model/text/traffic.h"

namespace tilestep::features {
namespace {

std::optional<double> change(std::optional<double> run, std::optional<double> base) {
  if (!run || !base || *base <= 0) return std::nullopt;
  return *run / *base - 1;
}

std::optional<double> real(std::optional<uint64_t> bytes) {
  if (!bytes || *bytes == 0) return std::nullopt;
  return static_cast<double>(*bytes);
}

metrics::TimeSpread spreadOf(const PinnedTime& time) {
  return {time.medianMs, time.p10Ms, time.p90Ms};
}

std::string timeWords(const RunComparison& to) {
  if (!to.time) return "no times to compare";
  if (to.verdict == metrics::TimeVerdict::notTold)
    return "no significant difference: " + changeText(*to.time) +
           " in time is within the spread or under 1 %";
  const bool slower = to.verdict == metrics::TimeVerdict::slower;
  char text[48];
  std::snprintf(text, sizeof text, "%.3g %% %s", 100 * std::fabs(*to.time),
                slower ? "more time" : "less time");
  return text;
}

}  // namespace

std::string changeText(double share) {
  const double percent = 100 * share;
  if (std::fabs(percent) < 0.05) return "±0 %";
  char text[32];
  const double size = std::fabs(percent);
  std::snprintf(text, sizeof text, size < 9.95 ? "%.1f %%" : "%.0f %%", size);
  return (percent < 0 ? "−" : "+") + std::string(text);
}

RunComparison compareRuns(const Pin& run, const Pin& base) {
  RunComparison to;
  to.sameWork = run.sizes == base.sizes && run.work.operations == base.work.operations;
  to.sameDevice = run.deviceName == base.deviceName;
  to.asked = change(real(run.work.askedBytes), real(base.work.askedBytes));
  to.sectors = change(real(run.work.sectorBytes), real(base.work.sectorBytes));
  to.l2 = change(real(run.work.l2Bytes), real(base.work.l2Bytes));
  to.dram = change(real(run.work.dramBytes), real(base.work.dramBytes));
  to.occupancy = change(run.occupancy, base.occupancy);
  to.gflops = change(run.gflops(), base.gflops());
  if (run.id == base.id) {
    to.words = "base";
    return to;
  }
  if (run.time && base.time && to.sameWork) {
    to.time = change(run.time->medianMs, base.time->medianMs);
    to.verdict = metrics::compareTimes(spreadOf(*run.time), spreadOf(*base.time));
  }
  to.words = !to.sameWork ? "different work or sizes, so times cannot be compared" : timeWords(to);
  const std::string whose = whoseText(run.machine(), base.machine());
  if (to.time && !to.sameDevice)
    to.words += " (another device)";
  else if (to.time && !whose.empty())
    to.words += " (on " + whose + ")";
  return to;
}

std::string significanceRule() {
  return "Times differ significantly if their p10 to p90 intervals do not overlap and their "
         "medians differ by more than 1 %, which is the variation of repeated measurements. For "
         "two equally wide normal distributions at this distance, the faster run's sample is "
         "shorter in 96 of 100 pairs (McGraw and Wong, 1992). Counts are exact; hardware "
         "counters are a single reading.";
}

std::string experimentText(const Pin& pin) {
  std::string text = sizesText(pin.sizes);
  for (const auto& [name, value] : pin.tunables) text += " · " + name + " " + std::to_string(value);
  return text;
}

std::string originText(const Pin& pin) {
  switch (pin.origin) {
    case PinOrigin::measured:
      return "measured on " + pin.deviceName + ", " + pin.madeOn;
    case PinOrigin::recorded:
      return "recorded on " + pin.deviceName +
             (pin.machineNumber > 0 ? " no. " + std::to_string(pin.machineNumber) : std::string()) +
             ", " + pin.madeOn;
    case PinOrigin::interpreter:
      return "counted by the interpreter, " + pin.madeOn;
  }
  return {};
}

std::string commandOf(const Pin& pin) {
  // The program determines the sizes of its launches.
  if (const size_t sign = pin.kernel.rfind(" #"); sign != std::string::npos)
    return "tilestep run " + shellWord(pin.kernel.substr(0, sign) + ".cu") + " --launch " +
           shellWord(pin.kernel.substr(sign + 2)) + " --counters";
  std::string text =
      "tilestep run " + shellWord(pin.kernelFile.empty() ? pin.kernel : pin.kernelFile);
  if (!pin.entry.empty()) text += " --entry " + shellWord(pin.entry);
  for (const auto& [name, value] : pin.tunables)
    text += " --set " + shellWord(name + "=" + std::to_string(value));
  for (const auto& [name, value] : lab::orderedSizes(pin.sizes)) {
    const bool letter = name == "m" || name == "n" || name == "k";
    text += letter ? " --" + name + " " + std::to_string(value)
                   : " --size " + shellWord(name + "=" + std::to_string(value));
  }
  text += " --device " + shellWord(pin.device) + " --counters";
  if (pin.work.l2Bytes || pin.work.dramBytes || pin.work.sharedBytes) text += " --hardware";
  if (pin.time && pin.time->coldMedianMs) text += " --thorough";
  return text;
}

}  // namespace tilestep::features
