// SPDX-License-Identifier: Apache-2.0
#include "features/timeline/timeline_view.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "base/figure.h"
#include "model/scene/traced_kernel.h"
#include "model/text/step_summary.h"
#include "model/text/traffic.h"
#include "model/timeline_figures.h"

namespace tilestep::features {
namespace {

using trace::Timeline;

std::string decimal(double value, int digits = 2) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string textOfNs(uint64_t ns) {
  return toText(static_cast<double>(ns) * 1e-9, Unit::seconds);
}

std::string share(double ratio) {
  return toText(ratio, Unit::ratio);
}

std::string counted(uint64_t count, const char* what) {
  return grouped(count) + " " + what + (count == 1 ? "" : "s");
}

uint64_t sumOf(const std::vector<uint64_t>& values) {
  return std::accumulate(values.begin(), values.end(), uint64_t{0});
}

std::string wholeText(double cycles) {
  return grouped(static_cast<uint64_t>(std::llround(cycles)));
}

std::string sideText(const Dim3& block) {
  std::string text = std::to_string(block.x) + " × " + std::to_string(block.y);
  return block.z > 1 ? text + " × " + std::to_string(block.z) : text;
}

std::string titleOf(const lab::RunResult& result) {
  std::string text = shortNameOf(result.kernel);
  for (const auto& [name, value] : result.plan.tunables)
    text += ", " + name + " " + std::to_string(value);
  text += "; " + sizesText(result.plan.sizes);
  const Launch& launch = result.plan.launches.front();
  return text + "; " + counted(launch.grid.count(), "block") + " of " + sideText(launch.block);
}

std::string originOf(const lab::RunResult& result) {
  const bool recorded = !result.device.recordedOn.empty();
  return (recorded ? "recorded on " : "measured on ") + device::machineText(result.device) +
         (recorded ? ", " + result.device.recordedOn : "") + ", by its own clocks";
}

std::string overheadText(const Timeline& t) {
  std::string text = "This run read clocks: it took ";
  text += t.price > 0 ? decimal(t.price) + " times the plain kernel's time"
                      : "an unknown amount longer";
  if (t.registers != t.plainRegisters)
    text += ", with " + std::to_string(t.registers) + " registers per thread instead of " +
            std::to_string(t.plainRegisters);
  return text + ".";
}

TimelineFact spanFact(const Timeline& t, uint64_t spanNs) {
  return {"from first to last", textOfNs(spanNs),
          "End of the last block − start of the first block = " + textOfNs(spanNs) +
              ", on the GPU's nanosecond clock, which advances every " + std::to_string(t.tickNs) +
              " ns. Measured in the run that read the clocks."};
}

TimelineFact togetherFact(const metrics::Waves& waves) {
  return {"blocks together", std::to_string(waves.blocksTogether),
          "The largest number of blocks that were resident at one time on one multiprocessor "
          "(SM). The occupancy panel shows how many its threads, registers and shared memory "
          "allow."};
}

TimelineFact wavesFact(const Timeline& t, const metrics::Waves& waves) {
  const uint64_t full = uint64_t{t.multiprocessors} * waves.blocksTogether;
  return {"waves", decimal(waves.waves),
          counted(t.blocks(), "block") + " ÷ (" + std::to_string(t.multiprocessors) +
              " multiprocessors × " + std::to_string(waves.blocksTogether) +
              " blocks together) = " + decimal(waves.waves) + ". A full wave has " + grouped(full) +
              " blocks, the last one " + grouped(waves.lastWaveBlocks) +
              ".\nBlocks are assigned to waves by their start. Two shades alternate from wave to "
              "wave."};
}

TimelineFact tailFact(const TimelineView& view, const metrics::Waves& waves) {
  const uint64_t tail = view.spanNs - view.tailNs;
  return {"tail", share(waves.tailShare),
          "The tail lasts from the moment when the first multiprocessor has no block left (" +
              textOfNs(view.tailNs) + ") to the end (" + textOfNs(view.spanNs) + "): " +
              textOfNs(tail) + " ÷ " + textOfNs(view.spanNs) + " = " + share(waves.tailShare) +
              ". During the tail, at least one whole multiprocessor is idle. The number of "
              "resident warps decreases earlier: see \"no blocks left to start\"."};
}

/// Absent if no block waited for another to finish.
std::optional<TimelineFact> drainFact(const Timeline& t, uint64_t spanNs,
                                      const metrics::Waves& waves) {
  if (waves.waves <= 1 || spanNs == 0) return std::nullopt;
  const uint64_t last = *std::ranges::max_element(t.startNs);
  const std::string ratio = share(static_cast<double>(spanNs - last) / static_cast<double>(spanNs));
  return TimelineFact{
      "no blocks left to start", ratio,
      "From the start of the last block (" + textOfNs(last) + ") to the end (" + textOfNs(spanNs) +
          "): " + textOfNs(spanNs - last) + " ÷ " + textOfNs(spanNs) + " = " + ratio +
          ". From then on, no new block replaces a block that ends, so the number of resident "
          "warps decreases. The tail is the last part of this time."};
}

TimelineFact occupancyFact(const Timeline& t) {
  const uint64_t resident = sumOf(t.busyWarpCycles) + sumOf(t.waitWarpCycles);
  const std::string ratio = share(metrics::achievedOccupancy(t));
  return {"achieved occupancy", ratio,
          "Resident warps of a multiprocessor ÷ the most it can hold, while it is active: " +
              grouped(resident) + " warp-cycles ÷ (" + std::to_string(t.maxWarps) + " warps × " +
              grouped(sumOf(t.activeCycles)) + " active cycles) = " + ratio + "."};
}

TimelineFact waitFact(const Timeline& t) {
  const uint64_t wait = sumOf(t.waitWarpCycles), busy = sumOf(t.busyWarpCycles);
  const std::string ratio = share(metrics::barrierWaitShare(t));
  // Not all blocks have kept epochs, so phases have shares of fewer blocks.
  const bool some = t.rows() > 0 && t.rows() < t.blocks();
  return {
      some ? "at barriers, all blocks" : "at barriers", ratio,
      "Share of a warp's time over " +
          (t.blocks() == 1 ? "its one block" : "all " + counted(t.blocks(), "block")) +
          ", from the first to the "
          "last instruction: " +
          grouped(wait) + " ÷ " + grouped(wait + busy) + " warp-cycles = " + ratio +
          ". This is latency: while one warp waits, other warps of its multiprocessor may work."};
}

std::string ratioText(uint64_t cycles, uint64_t all) {
  return share(static_cast<double>(cycles) / static_cast<double>(all));
}

struct Part {
  std::string name;
  uint64_t cycles = 0;
};

std::vector<Part> partsOf(const metrics::PhaseTime& time,
                          const TimelineView::EpochName& epochName) {
  std::vector<Part> parts;
  for (uint32_t e = 0; e < time.busy.size(); ++e)
    parts.push_back({time.busy.size() > 1 ? epochName(e) : "in phases", time.busy[e]});
  parts.push_back({"at barriers", time.wait});
  if (time.outside > 0) parts.push_back({"outside of phases", time.outside});
  return parts;
}

}  // namespace

Dim3 TimelineView::blockAt(uint32_t index) const {
  return trace::threadOf(index, grid);  // Blocks of a grid are numbered like threads of a block.
}

std::optional<uint32_t> TimelineView::indexOf(const Dim3& block) const {
  if (block.x >= grid.x || block.y >= grid.y || block.z >= grid.z) return std::nullopt;
  return trace::numberOf(block, grid);
}

std::optional<size_t> TimelineView::rowOf(uint32_t index) const {
  if (timeline.epochStep == 0 || index % timeline.epochStep != 0) return std::nullopt;
  const size_t row = index / timeline.epochStep;
  return row < timeline.rows() ? std::optional(row) : std::nullopt;
}

std::string TimelineView::sharesText(const metrics::PhaseTime& time, const EpochName& epochName) {
  std::string text;
  for (const Part& part : partsOf(time, epochName))
    text += (text.empty() ? "" : ", ") + part.name + " " + ratioText(part.cycles, time.all());
  return text;
}

std::string TimelineView::phaseText(const EpochName& epochName) const {
  const auto time = metrics::phaseTime(timeline);
  if (!time) return {};
  std::string text = "Shares of a warp's time over " + keptBlocks(timeline) + ": " +
                     sharesText(*time, epochName) + ". A phase, on average: ";
  for (uint32_t e = 0; e < phaseCycles.size(); ++e) {
    const metrics::EpochCycles& cycles = phaseCycles[e];
    if (e > 0) text += "; ";
    if (phaseCycles.size() > 1) text += epochName(e) + " ";
    text += wholeText(cycles.busy) + " cycles, then " + wholeText(cycles.wait) + " at its barrier";
  }
  return text + ". Other warps work meanwhile.";
}

std::string TimelineView::phaseFormulas(const EpochName& epochName) const {
  const auto time = metrics::phaseTime(timeline);
  if (!time) return {};
  std::string text = "Over " + keptBlocks(timeline) + ":";
  for (const Part& part : partsOf(*time, epochName))
    text += "\n" + part.name + ": " + grouped(part.cycles) + " ÷ " + grouped(time->all()) +
            " warp-cycles = " + ratioText(part.cycles, time->all());
  return text;
}

std::optional<uint32_t> TimelineView::nearestWithEpochs(uint32_t index) const {
  if (timeline.rows() == 0 || timeline.epochStep == 0) return std::nullopt;
  const uint32_t row = (index + timeline.epochStep / 2) / timeline.epochStep;
  const auto last = static_cast<uint32_t>(timeline.rows() - 1);
  return std::min(row, last) * timeline.epochStep;
}

std::shared_ptr<const TimelineView> timelineViewOf(const lab::RunResult& result) {
  auto view = std::make_shared<TimelineView>();
  view->timeline = *result.timeline;
  const Timeline& t = view->timeline;
  view->grid = result.plan.launches.front().grid;
  view->kernel = result.kernel;
  view->sizes = result.plan.sizes;
  view->tunables = result.plan.tunables;
  view->title = titleOf(result);
  view->origin = originOf(result);
  view->overhead = overheadText(t);
  view->lanes = metrics::blockLanes(t);
  view->blocksOfSm = metrics::residentBlocks(t);
  view->wavesOfSm = metrics::residentWaves(t, view->lanes);
  view->warps = metrics::residentWarpSeries(t);
  view->phaseCycles = metrics::phaseEpochCycles(t);
  view->spanNs = metrics::spanNs(t);
  const metrics::Waves waves = metrics::waves(t);
  view->tailNs =
      view->spanNs -
      static_cast<uint64_t>(std::llround(waves.tailShare * static_cast<double>(view->spanNs)));
  view->waveCount = *std::ranges::max_element(view->lanes.wave) + 1;
  view->facts = {spanFact(t, view->spanNs), wavesFact(t, waves), togetherFact(waves),
                 tailFact(*view, waves),    occupancyFact(t),    waitFact(t)};
  if (auto drain = drainFact(t, view->spanNs, waves))
    view->facts.insert(view->facts.begin() + 3, std::move(*drain));
  return view;
}

}  // namespace tilestep::features
