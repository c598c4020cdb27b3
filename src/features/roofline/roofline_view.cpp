// SPDX-License-Identifier: Apache-2.0
#include "features/roofline/roofline_view.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "base/figure.h"
#include "features/roofline/roofline_traces.h"
#include "lab/figures.h"
#include "metrics/coalescing.h"
#include "model/scene/traced_kernel.h"
#include "model/text/traffic.h"

namespace tilestep::features {
namespace {

using metrics::Level;
using metrics::RoofDistance;
using metrics::RooflineWork;

/// Below this fraction of its own roof, a point is limited neither by bandwidth nor by the peak.
constexpr double kFarUnder = 0.5;

const char* shortName(Level level) {
  switch (level) {
    case Level::lanes:
    case Level::dram:
      return "DRAM";
    case Level::l1:
      return "L1";
    case Level::l2:
      return "L2";
    case Level::shared:
      return "shared memory";
  }
  return "";
}

std::string percent(double share) {
  return toText(share, Unit::ratio);
}

std::string speed(double flopPerSecond) {
  return toText(flopPerSecond, Unit::flopPerSecond);
}

/// "35 % of what L1 allows here; 8 % of FP32", and what that means.
std::string wordsOf(const RoofPoint& at, const RoofDistance& to) {
  const Level level = at.point.level;
  const std::string roof = shortName(level);
  std::string text;
  if (at.bound) {
    text = "at most " + speed(to.attainable) + " by " +
           (to.byMemory ? roof + "'s bandwidth" : std::string("FP32's peak")) + " (computed)";
    return level == Level::lanes ? text + ", if DRAM supplied every requested byte" : text;
  }
  if (level == Level::lanes && to.share > 1)
    return percent(to.peakShare) + " of FP32; " + toText(to.share, Unit::none) +
           " times what DRAM allows without a cache";
  return to.byMemory ? percent(to.share) + " of what " + roof + " allows here; " +
                           percent(to.peakShare) + " of FP32"
                     : percent(to.peakShare) + " of FP32, which is the roof at this intensity";
}

/// The bound of the textbooks' model of lanes, which ignores stores.
std::string loadsAlone(const lab::RunResult& result, double peak, double bytesPerSecond) {
  const auto bytes = static_cast<double>(result.counters->total.globalLoad.bytes);
  if (bytes <= 0) return {};
  const double bound = metrics::attainable(result.plan.operations / bytes, peak, bytesPerSecond);
  std::array<char, 96> text{};
  const bool large = bound >= 1e13;  // Textbooks do not print GFLOP/s with five digits.
  std::snprintf(text.data(), text.size(), "; %.4g %s by loads alone, as textbooks count",
                bound / (large ? 1e12 : 1e9), large ? "TFLOP/s" : "GFLOP/s");
  return text.data();
}

/// States the caches' state, because traffic and time may belong to different states.
std::string cachesText(const metrics::RooflinePoint& point) {
  if (!point.coldBytes || !point.performance) return {};
  return point.coldPerformance ? "Bytes and time were both measured with cold caches.\n"
                               : "The bytes were measured with cold caches, the time with warm "
                                 "caches. Runs that find their operands in L2 move fewer "
                                 "bytes.\n";
}

/// A sentence that says why the point of the lanes' model is above DRAM's roof; empty if it is not.
std::string whyAbove(const RooflineWork& work, const std::string& kernel) {
  std::string text = kernel + " lies above DRAM's roof: its lanes request " +
                     toText(static_cast<double>(work.askedBytes), Unit::bytes) + ", but DRAM ";
  text += work.dramBytes ? "moved " + toText(static_cast<double>(*work.dramBytes), Unit::bytes)
                         : "needs to move only " +
                               toText(static_cast<double>(work.compulsoryBytes), Unit::bytes);
  return text + ". Lanes of one warp share sectors; L1 and L2 serve data that was read before.";
}

std::string explain(Level level, bool hollow) {
  switch (level) {
    case Level::lanes:
      return "If DRAM supplied every requested byte, DRAM's roof would be the limit.";
    case Level::l1:
      return "Sectors of 32 bytes that the requests touch, before any cache hit. Its roof is L1's.";
    case Level::dram:
      return hollow ? "The least possible DRAM traffic with cold caches: each input is read once, "
                      "each output is written once."
                    : "Bytes that DRAM read and wrote. Data that is still in L2 at the end was "
                      "not written.";
    case Level::l2:
      return "Bytes that L2 read and wrote, in sectors of 32 bytes.";
    case Level::shared:
      return "Wavefronts of shared memory counted by the hardware, 128 bytes each. Bank "
             "conflicts take more wavefronts.";
  }
  return {};
}

std::string perByte(double flopPerByte) {
  return toText(flopPerByte, Unit::flopPerByte);
}

/// Each formula with this run's values.
std::string formulas(const RoofPoint& at, const RooflineWork& work, const Roof* roof, double peak) {
  const double intensity = at.point.intensity.value;
  const std::string operations = grouped(static_cast<uint64_t>(work.operations)) + " FLOP";
  std::string text = perByte(intensity) + " = " + operations + " ÷ " +
                     grouped(static_cast<uint64_t>(at.point.bytes.value)) + " B\n";
  if (at.point.performance)
    text += speed(at.point.performance->value) + " = " + operations + " ÷ " +
            toText(*secondsAt(work, at.point.level), Unit::seconds) + "\n";
  if (roof == nullptr || peak <= 0) return text;
  const double slope = intensity * roof->bytesPerSecond;
  text += "roof: min(" + speed(peak) + ", " + perByte(intensity) + " × " +
          toText(roof->bytesPerSecond, Unit::bytesPerSecond) + " = " + speed(slope) +
          ") = " + speed(std::min(peak, slope)) +
          (at.bound ? ", computed: no time was measured" : "") + "\n";
  if (!at.bound)
    text += percent(*at.flopPerSecond / std::min(peak, slope)) + " = " + speed(*at.flopPerSecond) +
            " ÷ " + speed(std::min(peak, slope)) + "\n";
  return text;
}

std::string hoverText(const RoofPoint& at, const RooflineWork& work, const std::string& kernel,
                      const Roof* roof, double peak) {
  const metrics::RooflinePoint& point = at.point;
  std::string text = kernel + ", " + metrics::toText(point.level) +
                     (at.caches.empty() ? "" : ", caches " + at.caches) + "\n" +
                     formulas(at, work, roof, peak);
  text += (at.why.empty() ? explain(point.level, point.hollow) : at.why) + "\n" + cachesText(point);
  text += std::string(toText(point.bytes.origin)) + ": " + point.bytes.from;
  if (point.performance) text += "\nmeasured: " + point.performance->from;
  return text;
}

void addPoints(RooflineView& view, const lab::RunResult& result, bool companion, bool whatIf) {
  if (!result.counters || result.plan.operations <= 0) return;
  const RooflineWork work = rooflineWorkOf(result, whatIf);
  const double peak = view.peakFlopPerSecond.value_or(0);
  for (metrics::RooflinePoint& point : metrics::rooflinePoints(work)) {
    RoofPoint at;
    at.point = std::move(point);
    at.companion = companion;
    const Roof* roof = view.roofOf(at.point.level);
    if (at.point.performance) at.flopPerSecond = at.point.performance->value;
    at.bound = !at.point.performance;
    if (!at.bound) at.caches = at.point.coldPerformance ? "cold" : "warm";
    if (roof != nullptr && peak > 0) {
      at.attainable = metrics::attainable(at.point.intensity.value, peak, roof->bytesPerSecond);
      if (at.bound) at.flopPerSecond = at.attainable;
      const RoofDistance to = metrics::distanceTo(*at.flopPerSecond, at.point.intensity.value, peak,
                                                  roof->bytesPerSecond);
      at.words = wordsOf(at, to);
      if (!at.bound && at.point.level == Level::lanes && to.share > 1)
        at.why = whyAbove(work, shortNameOf(result.kernel));
      if (at.bound && at.point.level == Level::lanes)
        at.words += loadsAlone(result, peak, roof->bytesPerSecond);
    }
    at.hover = hoverText(at, work, shortNameOf(result.kernel), roof, peak);
    view.points.push_back(std::move(at));
  }
}

void addRoof(RooflineView& view, Level level, const char* name, std::optional<double> value) {
  if (!value) return;
  view.roofs.push_back(
      {level, std::string(name) + " " + toText(*value, Unit::bytesPerSecond), *value,
       view.peakFlopPerSecond ? metrics::ridgePoint(*view.peakFlopPerSecond, *value) : 0});
}

void addRoofs(RooflineView& view, const device::Ceilings& ceilings, bool whatIf) {
  view.device = ceilings.device;
  view.origin = (whatIf ? "what if, " : "") + ceilings.origin;
  view.measured = ceilings.measured;
  view.peakFlopPerSecond = ceilings.fp32FlopPerSecond;
  addRoof(view, Level::dram, "DRAM", ceilings.dramBytesPerSecond);
  addRoof(view, Level::l2, "L2", ceilings.l2BytesPerSecond);
  addRoof(view, Level::l1, "L1", ceilings.l1BytesPerSecond);
  addRoof(view, Level::shared, "shared", ceilings.sharedBytesPerSecond);
}

constexpr const char* kOtherMachine =
    " (measured on another GPU of this kind, or on an unknown one)";

/// The main kernel's level that is nearest to its own slope. Excludes DRAM if its bytes are from
/// cold caches and its time is from warm caches, because they belong to different runs. Excludes
/// the lanes' model, because it has no roof.
std::optional<Level> nearestOf(const RooflineView& view) {
  std::optional<Level> nearest;
  double most = 0;
  for (const RoofPoint& at : view.points) {
    if (at.companion || at.bound || at.point.hollow || at.point.level == Level::lanes) continue;
    if (at.point.coldBytes && !at.point.coldPerformance && at.point.level == Level::dram) continue;
    const Roof* roof = view.roofOf(at.point.level);
    if (roof == nullptr) continue;
    const double share = *at.flopPerSecond / (at.point.intensity.value * roof->bytesPerSecond);
    if (share <= most) continue;
    most = share;
    nearest = at.point.level;
  }
  if (!nearest && !view.points.empty()) nearest = Level::lanes;
  return nearest;
}

/// Levels that have a roof but no counted bytes of the main kernel: "L2 and DRAM".
std::string unknownLevels(const RooflineView& view) {
  const auto counted = [&](Level level) {
    return std::ranges::any_of(view.points, [&](const RoofPoint& at) {
      return !at.companion && at.point.level == level && !at.point.hollow;
    });
  };
  if (counted(Level::l2)) return {};  // If hardware counters were read, missing values are zero.
  std::vector<std::string> names;
  for (const Roof& roof : view.roofs)
    if (roof.level != Level::l1) names.push_back(shortName(roof.level));
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

/// The three regimes, by the level that is nearest to its own slope.
std::string verdictOf(const RooflineView& view, const std::string& kernel) {
  const auto isIt = [&](const RoofPoint& at) {
    return !at.companion && at.point.level == view.nearest;
  };
  const auto at = std::ranges::find_if(view.points, isIt);
  if (at == view.points.end() || !view.peakFlopPerSecond) return {};
  const Roof* roof = view.roofOf(at->point.level);
  if (roof == nullptr) return {};
  if (at->bound) return kernel + " was not timed: " + at->words + ".";
  const double slope = *at->flopPerSecond / (at->point.intensity.value * roof->bytesPerSecond);
  const double peak = *at->flopPerSecond / *view.peakFlopPerSecond;
  const std::string name = shortName(at->point.level);
  const std::string both =
      percent(slope) + " of " + name + "'s bandwidth, " + percent(peak) + " of FP32";
  if (at->point.level == Level::lanes) return kernel + ": " + at->words + ".";
  if (peak >= kFarUnder && peak >= slope) return kernel + " is compute-bound: " + both + ".";
  if (slope >= kFarUnder) return kernel + " is memory-bound by " + name + ": " + both + ".";
  if (const std::string unknown = unknownLevels(view); !unknown.empty())
    return kernel + " is far below the roofs that can be judged (" + both + "); what " + unknown +
           " transferred is unknown without hardware counters.";
  return kernel + " is far below both roofs (" + both +
         "): latency, barriers or instructions limit it.";
}

}  // namespace

const Roof* RooflineView::roofOf(Level level) const {
  const Level own = metrics::roofOf(level);
  const auto found = std::ranges::find(roofs, own, &Roof::level);
  return found == roofs.end() ? nullptr : &*found;
}

RooflineView rooflineOf(const RooflineInputs& in) {
  RooflineView view;
  if (in.ceilings != nullptr) addRoofs(view, *in.ceilings, in.whatIf);
  if (in.ceilings != nullptr && in.otherMachine) view.origin += kOtherMachine;
  if (in.companion != nullptr) addPoints(view, *in.companion, true, in.whatIf);
  if (in.main != nullptr) {
    addPoints(view, *in.main, false, in.whatIf);
    view.of = sizesText(in.main->plan.sizes);
  }
  view.published = publishedText(in);
  view.nearest = nearestOf(view);
  if (in.main != nullptr && view.nearest)
    view.verdict = verdictOf(view, shortNameOf(in.main->kernel));
  if (!in.whatIf) {
    addMarks(view, in);
    view.rungs = in.marks.rungs;
  }
  addTrail(view, in);
  addPinned(view, in);
  return view;
}

}  // namespace tilestep::features
