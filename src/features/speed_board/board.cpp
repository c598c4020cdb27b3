// SPDX-License-Identifier: Apache-2.0
#include "features/speed_board/board.h"

#include <algorithm>

#include "base/figure.h"
#include "features/roofline/roofline_view.h"

namespace tilestep::model {
namespace {

using metrics::Level;

/// Bytes by DRAM's hardware counters; without them, each buffer once.
void addBandwidth(std::vector<SpeedFigure>& figures, const metrics::RooflineWork& work) {
  const uint64_t bytes = metrics::bytesAt(work, Level::dram);
  const std::optional<double> seconds = metrics::secondsAt(work, Level::dram);
  if (bytes == 0 || !seconds) return;
  const double rate = static_cast<double>(bytes) / *seconds;
  const bool cold = seconds == work.coldSeconds && seconds != work.seconds;
  const std::string over = cold ? " over the median time of runs that found the caches cold."
                                : " over the time of the launch, with warm caches.";
  figures.push_back({work.dramBytes ? "DRAM" : "DRAM, at least", toText(rate, Unit::bytesPerSecond),
                     work.dramBytes
                         ? "Bytes that DRAM read and wrote (" + work.hardware + ")" + over
                         : "Every input read once and every output written once" + over +
                               " Hardware counters (C) say how many bytes DRAM moved.",
                     rate});
}

void addShare(std::vector<SpeedFigure>& figures, const RooflineView& roofline) {
  const auto at = std::ranges::find_if(roofline.points, [&](const RoofPoint& point) {
    return !point.companion && point.point.level == roofline.nearest;
  });
  const bool known = at != roofline.points.end() && !at->bound && at->flopPerSecond &&
                     at->attainable && *at->attainable > 0;
  if (!known) return;
  const double share = *at->flopPerSecond / *at->attainable;
  const std::string level = metrics::toText(at->point.level);
  figures.push_back({"of the roof (" + level + ")", toText(share, Unit::ratio),
                     "FLOP/s over what the roof of " + level + " allows at " +
                         toText(at->point.intensity.value, Unit::flopPerByte) + ": " +
                         toText(*at->attainable, Unit::flopPerSecond) + ". Roofs of " +
                         roofline.device + ", " + roofline.origin + ".",
                     share});
}

}  // namespace

std::vector<SpeedFigure> speedFiguresOf(const Snapshot& now) {
  std::vector<SpeedFigure> figures;
  if (!now.figuresMain || now.figuresStale || !now.figuresMain->measurement) return figures;
  const lab::RunResult& result = *now.figuresMain;
  const metrics::RooflineWork work = rooflineWorkOf(result, false);
  const double seconds = result.measurement->medianMs / 1e3;
  if (seconds <= 0) return figures;
  figures.push_back({"one launch", toText(seconds, Unit::seconds),
                     "Measured on " + work.measuredOn + ".", seconds});
  if (work.operations > 0)
    figures.push_back({"work", toText(work.operations / seconds, Unit::flopPerSecond),
                       "Operations by the kernel's formula over that time.",
                       work.operations / seconds});
  addBandwidth(figures, work);
  addShare(figures, now.view<RooflineView>());
  return figures;
}

}  // namespace tilestep::model
