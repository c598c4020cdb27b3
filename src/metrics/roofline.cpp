// SPDX-License-Identifier: Apache-2.0
#include "metrics/roofline.h"

#include <algorithm>

#include "metrics/coalescing.h"

namespace tilestep::metrics {
namespace {

/// Whether the bytes at a level are those of cold caches.
bool isCold(const RooflineWork& work, Level level) {
  if (level == Level::dram && !work.dramBytes) return true;  // The compulsory minimum.
  return work.hardwareCold && (level == Level::l2 || level == Level::dram);
}

Figure bytesFigure(const RooflineWork& work, Level level) {
  Figure figure{static_cast<double>(bytesAt(work, level)), Unit::bytes, Origin::counted, {}};
  const bool hollow = level == Level::dram && !work.dramBytes;
  if (hollow) {
    figure.origin = Origin::computed;
    figure.from = "every input read once, every output written once";
  } else {
    figure.from = level == Level::lanes || level == Level::l1 ? work.countedBy : work.hardware;
  }
  return figure;
}

RooflinePoint pointOf(const RooflineWork& work, Level level) {
  RooflinePoint point;
  point.level = level;
  point.bytes = bytesFigure(work, level);
  point.intensity = {work.operations / point.bytes.value, Unit::flopPerByte, point.bytes.origin,
                     "operations / bytes, " + toText(level)};
  point.hollow = level == Level::dram && !work.dramBytes;
  point.coldBytes = isCold(work, level);
  point.coldPerformance = point.coldBytes && work.coldSeconds.has_value();
  if (const std::optional<double> seconds = secondsAt(work, level))
    point.performance = Figure{work.operations / *seconds, Unit::flopPerSecond, Origin::measured,
                               point.coldPerformance ? work.coldMeasuredOn : work.measuredOn};
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
    case Level::shared:
      return "shared memory";
  }
  return {};
}

Level roofOf(Level level) {
  return level == Level::lanes ? Level::dram : level;
}

RoofDistance distanceTo(double flopPerSecond, double flopPerByte, double peakFlopPerSecond,
                        double bytesPerSecond) {
  RoofDistance distance;
  distance.attainable = attainable(flopPerByte, peakFlopPerSecond, bytesPerSecond);
  distance.share = flopPerSecond / distance.attainable;
  distance.peakShare = flopPerSecond / peakFlopPerSecond;
  distance.byMemory = flopPerByte < ridgePoint(peakFlopPerSecond, bytesPerSecond);
  return distance;
}

uint64_t bytesAt(const RooflineWork& work, Level level) {
  switch (level) {
    case Level::lanes:
      return work.askedBytes;
    case Level::l1:
      return work.sectorBytes;
    case Level::l2:
      return work.l2Bytes.value_or(0);
    case Level::dram:
      return work.dramBytes.value_or(work.compulsoryBytes);
    case Level::shared:
      return work.sharedBytes.value_or(0);
  }
  return 0;
}

std::optional<double> secondsAt(const RooflineWork& work, Level level) {
  return isCold(work, level) && work.coldSeconds ? work.coldSeconds : work.seconds;
}

std::vector<RooflinePoint> rooflinePoints(const RooflineWork& work) {
  std::vector<RooflinePoint> points;
  if (work.operations <= 0) return points;
  for (const Level level : {Level::lanes, Level::l1, Level::l2, Level::dram, Level::shared})
    if (bytesAt(work, level) > 0) points.push_back(pointOf(work, level));
  return points;
}

std::vector<RooflinePoint> rooflinePoints(const trace::Counters& total, const RooflineWork& work) {
  RooflineWork with = work;
  with.askedBytes = total.globalLoad.bytes + total.globalStore.bytes;
  with.sectorBytes = (total.globalLoad.sectors + total.globalStore.sectors) * kSectorBytes;
  return rooflinePoints(with);
}

}  // namespace tilestep::metrics
