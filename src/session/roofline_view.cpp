// SPDX-License-Identifier: Apache-2.0
#include "session/roofline_view.h"

#include <utility>

#include "base/figure.h"
#include "lab/figures.h"
#include "metrics/coalescing.h"
#include "session/side.h"
#include "session/traffic.h"

namespace tilestep::session {
namespace {

using metrics::Level;

/// Bytes of the hardware counters at the levels that have one.
void addHardware(metrics::RooflineWork& work, const lab::Result& result) {
  if (!result.hardware) return;
  const auto sum = [&](const char* read, const char* written,
                       double scale) -> std::optional<uint64_t> {
    const device::HardwareFigure* in = result.hardware->find(read);
    const device::HardwareFigure* out = result.hardware->find(written);
    if (in == nullptr || out == nullptr) return std::nullopt;
    return static_cast<uint64_t>((in->value + out->value) * scale);
  };
  work.l2Bytes = sum("l2_read_sectors", "l2_write_sectors", metrics::kSectorBytes);
  work.dramBytes = sum("dram_bytes_read", "dram_bytes_written", 1);
  work.hardwareCold = result.hardware->caches == device::CacheState::cold;
  work.hardware = "the hardware counters of " + deviceText(result.device) + ", caches " +
                  (work.hardwareCold ? "cold" : "warm");
}

metrics::RooflineWork workOf(const lab::Result& result, bool elsewhere) {
  metrics::RooflineWork work;
  work.operations = result.plan.operations;
  work.compulsoryBytes = lab::compulsoryBytesOf(result.plan);
  const bool interpreted = result.device.id == "simt" || result.countersFrom == "simt";
  work.countedBy = interpreted ? "the interpreter" : deviceText(result.device);
  if (elsewhere) return work;
  if (result.measurement) {
    work.seconds = result.measurement->medianMs / 1e3;
    work.measuredOn = deviceText(result.device);
    if (!result.measurement->method.empty()) work.measuredOn += ", " + result.measurement->method;
    if (result.measurement->coldMedianMs) {
      work.coldSeconds = *result.measurement->coldMedianMs / 1e3;
      work.coldMeasuredOn = deviceText(result.device) +
                            ", median of single runs, each after the L2 cache was emptied";
    }
  }
  addHardware(work, result);
  return work;
}

const Roof* roofOf(const RooflineView& view, Level level) {
  // The lanes' model knows no cache: every byte asked for would come from DRAM.
  const Level own = level == Level::lanes ? Level::dram : level;
  for (const Roof& roof : view.roofs)
    if (roof.level == own) return &roof;
  return nullptr;
}

std::string explain(Level level, bool above, bool hollow) {
  switch (level) {
    case Level::lanes:
      return above
                 ? "Above the DRAM roof: most of what the lanes ask for never reaches DRAM. Lanes "
                   "of one warp share sectors, then L1 and L2 serve what was read before."
                 : "If every byte asked for came from DRAM, DRAM's roof would be the limit.";
    case Level::l1:
      return "Sectors of 32 bytes that the requests touch, before any hit. Its roof is L1's.";
    case Level::dram:
      return hollow ? "The least DRAM traffic there can be from cold caches: each input read once, "
                      "each output written once."
                    : "Bytes that DRAM gave and took. What still lies in L2 at the end was not "
                      "written yet.";
    case Level::l2:
      return "Bytes that L2 gave and took, in sectors of 32.";
  }
  return {};
}

/// Traffic and time of different states of the caches are never shown as if they were of one.
std::string cachesText(const metrics::RooflinePoint& point) {
  if (!point.coldBytes || !point.performance) return {};
  return point.coldPerformance ? "Bytes and time are both those of cold caches.\n"
                               : "The bytes are those of cold caches, the time that of warm ones: "
                                 "runs that find their "
                                 "operands in L2 move fewer.\n";
}

std::string hoverText(const RoofPoint& at, const std::string& kernel, bool above) {
  const metrics::RooflinePoint& point = at.point;
  std::string text = kernel + ", " + metrics::toText(point.level) + "\n";
  text += toText(point.intensity) + " = operations ÷ " + toText(point.bytes) + "\n";
  if (at.flopPerSecond)
    text += toText(*at.flopPerSecond, Unit::flopPerSecond) +
            (at.bound ? " at most: min(peak, intensity × bandwidth), computed" : ", measured") +
            "\n";
  text += explain(point.level, above, point.hollow) + "\n" + cachesText(point);
  text += std::string(toText(point.bytes.origin)) + ": " + point.bytes.from;
  if (point.performance) text += "\nmeasured: " + point.performance->from;
  return text;
}

void addPoints(RooflineView& view, const lab::Result& result, bool companion, bool elsewhere) {
  if (!result.counters || result.plan.operations <= 0) return;
  for (metrics::RooflinePoint& point :
       metrics::rooflinePoints(result.counters->total, workOf(result, elsewhere))) {
    RoofPoint at{std::move(point), companion, {}, {}, false, {}};
    const Roof* roof = roofOf(view, at.point.level);
    std::optional<double> bound;
    if (roof != nullptr && view.peakFlopPerSecond)
      bound = metrics::attainable(at.point.intensity.value, *view.peakFlopPerSecond,
                                  roof->bytesPerSecond);
    if (at.point.performance)
      at.flopPerSecond = at.point.performance->value;
    else
      at.flopPerSecond = bound;
    at.attainable = bound;
    at.bound = !at.point.performance;
    const bool above = !at.bound && bound && *at.flopPerSecond > *bound;
    at.hover = hoverText(at, shortNameOf(result.kernel), above);
    view.points.push_back(std::move(at));
  }
}

void addRoof(RooflineView& view, Level level, const char* name, std::optional<double> value) {
  if (!value) return;
  view.roofs.push_back(
      {level, std::string(name) + " " + toText(*value, Unit::bytesPerSecond), *value});
}

}  // namespace

RooflineView rooflineOf(const device::Ceilings* ceilings, const lab::Result* companion,
                        const lab::Result* main, bool elsewhere) {
  RooflineView view;
  if (ceilings != nullptr) {
    view.device = ceilings->device;
    view.origin = (elsewhere ? "what if, " : "") + ceilings->origin;
    view.measured = ceilings->measured;
    view.peakFlopPerSecond = ceilings->fp32FlopPerSecond;
    addRoof(view, Level::dram, "DRAM", ceilings->dramBytesPerSecond);
    addRoof(view, Level::l2, "L2", ceilings->l2BytesPerSecond);
    addRoof(view, Level::l1, "L1", ceilings->l1BytesPerSecond);
  }
  if (companion != nullptr) addPoints(view, *companion, true, elsewhere);
  if (main != nullptr) {
    addPoints(view, *main, false, elsewhere);
    view.of = sizesText(main->plan.sizes);
  }
  return view;
}

}  // namespace tilestep::session
