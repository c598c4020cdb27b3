// SPDX-License-Identifier: Apache-2.0
#include "metrics/roofline.h"

#include <algorithm>

#include "metrics/coalescing.h"

namespace tilestep::metrics {
namespace {

RooflinePoint pointOf(Level level, Figure bytes, bool coldBytes, const RooflineWork& work) {
  RooflinePoint point;
  point.level = level;
  point.intensity = {work.operations / bytes.value, Unit::flopPerByte, bytes.origin,
                     "operations / bytes, " + toText(level)};
  point.bytes = std::move(bytes);
  point.coldBytes = coldBytes;
  point.coldPerformance = coldBytes && work.coldSeconds.has_value();
  const auto& seconds = point.coldPerformance ? work.coldSeconds : work.seconds;
  if (seconds) {
    point.performance = Figure{work.operations / *seconds, Unit::flopPerSecond, Origin::measured,
                               point.coldPerformance ? work.coldMeasuredOn : work.measuredOn};
  }
  return point;
}

}  // namespace

double attainable(double flopPerByte, double peakFlopPerSecond, double bytesPerSecond) {
  return std::min(peakFlopPerSecond, flopPerByte * bytesPerSecond);
}

double ridgePoint(double peakFlopPerSecond, double bytesPerSecond) {
  return peakFlopPerSecond / bytesPerSecond;
}

std::string toText(Level level) {
  switch (level) {
    case Level::lanes:
      return "asked by lanes";
    case Level::l1:
      return "L1 sectors";
    case Level::l2:
      return "L2";
    case Level::dram:
      return "DRAM";
  }
  return {};
}

std::vector<RooflinePoint> rooflinePoints(const trace::Counters& total, const RooflineWork& work) {
  std::vector<RooflinePoint> points;
  if (work.operations <= 0) return points;
  const uint64_t asked = total.globalLoad.bytes + total.globalStore.bytes;
  const uint64_t sectors = total.globalLoad.sectors + total.globalStore.sectors;
  const auto add = [&](Level level, uint64_t bytes, Origin origin, const std::string& from,
                       bool cold) {
    if (bytes == 0) return;
    const Figure figure{static_cast<double>(bytes), Unit::bytes, origin, from};
    points.push_back(pointOf(level, figure, cold, work));
  };
  add(Level::lanes, asked, Origin::counted, work.countedBy, false);
  add(Level::l1, sectors * kSectorBytes, Origin::counted, work.countedBy, false);
  const bool cold = work.hardwareCold;
  if (work.l2Bytes) add(Level::l2, *work.l2Bytes, Origin::counted, work.hardware, cold);
  if (work.dramBytes) {
    add(Level::dram, *work.dramBytes, Origin::counted, work.hardware, cold);
    return points;
  }
  add(Level::dram, work.compulsoryBytes, Origin::computed,
      "every input read once, every output written once", true);
  if (!points.empty() && points.back().level == Level::dram) points.back().hollow = true;
  return points;
}

}  // namespace tilestep::metrics
