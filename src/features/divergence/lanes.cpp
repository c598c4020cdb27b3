// SPDX-License-Identifier: Apache-2.0
#include "features/divergence/lanes.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "base/dim3.h"

namespace tilestep::features {
namespace {

uint32_t count(uint32_t mask) {
  return static_cast<uint32_t>(std::popcount(mask));
}

/// The lanes of a warp that have a thread in a block of `threads` threads.
uint32_t lanesWithThread(uint32_t warp, uint64_t threads) {
  const uint64_t before = uint64_t{warp} * kWarpLanes;
  const uint64_t here = threads > before ? std::min<uint64_t>(threads - before, kWarpLanes) : 0;
  return here == kWarpLanes ? ~0U : (1U << here) - 1;
}

/// "A" to "Z", then "A2" to "Z2", and so on.
std::string letterOf(size_t index) {
  const std::string letter(1, static_cast<char>('A' + index % 26));
  return index < 26 ? letter : letter + std::to_string(index / 26 + 1);
}

/// The threads that execute each line, by warp, and the lines in order of first occurrence.
struct Lines {
  std::map<uint32_t, std::vector<uint32_t>> masks;
  std::vector<uint32_t> order;
  std::vector<uint32_t> all;  ///< The threads that execute at least one line.
};

Lines linesOf(const TracedKernel& kernel, size_t warps) {
  const trace::BlockTrace& recording = kernel.replay->recording();
  Lines lines;
  lines.all.resize(warps);
  for (size_t i = 0; i < recording.size(); ++i) {
    const trace::TraceEvent event = recording.event(i);
    const auto [at, isNew] = lines.masks.try_emplace(kernel.lineOf(event), warps, 0U);
    if (isNew) lines.order.push_back(at->first);
    at->second[event.warp] |= event.mask;
    lines.all[event.warp] |= event.mask;
  }
  return lines;
}

/// Sets `paths`, and returns each line's index in it.
std::map<uint32_t, size_t> pathsOf(const Lines& lines, std::vector<LanePath>& paths) {
  std::map<std::vector<uint32_t>, size_t> known;
  std::map<uint32_t, size_t> pathOfLine;
  size_t letters = 0;
  for (const uint32_t line : lines.order) {
    const std::vector<uint32_t>& masks = lines.masks.at(line);
    const auto [at, isNew] = known.try_emplace(masks, paths.size());
    if (isNew) {
      const bool all = masks == lines.all;
      paths.push_back({all ? "all" : letterOf(letters++), all, masks, {}});
    }
    paths[at->second].lines.push_back(line);
    pathOfLine[line] = at->second;
  }
  for (LanePath& path : paths) std::ranges::sort(path.lines);
  return pathOfLine;
}

}  // namespace

LanesPicture lanesOf(const TracedKernel& kernel) {
  LanesPicture picture;
  const trace::BlockTrace& recording = kernel.replay->recording();
  const uint64_t threads = recording.blockShape.count();
  const size_t warps = (threads + kWarpLanes - 1) / kWarpLanes;
  const std::map<uint32_t, size_t> pathOfLine = pathsOf(linesOf(kernel, warps), picture.paths);
  std::vector<WarpRows> all(warps);
  for (size_t i = 0; i < recording.size(); ++i) {
    const trace::TraceEvent event = recording.event(i);
    const uint32_t line = kernel.lineOf(event);
    all[event.warp].rows.push_back(
        {static_cast<uint32_t>(i), line, event.mask, pathOfLine.at(line)});
    picture.active += count(event.mask);
    picture.slots += kWarpLanes;
  }
  for (uint32_t warp = 0; warp < warps; ++warp) {
    if (all[warp].rows.empty()) continue;
    all[warp].warp = warp;
    all[warp].threads = lanesWithThread(warp, threads);
    picture.warps.push_back(std::move(all[warp]));
  }
  return picture;
}

std::string sourceLineOf(const TracedKernel& kernel, uint32_t line) {
  const std::string& text = kernel.sourceText;
  size_t at = 0;
  for (uint32_t number = 1; number < line && at != std::string::npos; ++number) {
    at = text.find('\n', at);
    if (at != std::string::npos) ++at;
  }
  if (line == 0 || at == std::string::npos || at >= text.size()) return {};
  std::string one = text.substr(at, text.find('\n', at) - at);
  const size_t first = one.find_first_not_of(" \t\r"), last = one.find_last_not_of(" \t\r");
  return first == std::string::npos ? std::string() : one.substr(first, last - first + 1);
}

std::optional<BranchFigures> branchFiguresOf(const lab::RunResult& result) {
  if (!result.counters) return std::nullopt;
  const trace::Counters& total = result.counters->total;
  if (!total.branches || !total.divergentBranches || !total.warpInstructions) return std::nullopt;
  BranchFigures figures{*total.branches, *total.divergentBranches, *total.warpInstructions};
  if (figures.branches > 0)
    figures.efficiency = static_cast<double>(figures.branches - figures.divergent) /
                         static_cast<double>(figures.branches);
  if (*total.warpInstructions > 0)
    figures.activeLanes = static_cast<double>(total.threadInstructions) /
                          (kWarpLanes * static_cast<double>(*total.warpInstructions));
  return figures;
}

std::string lanesSentence(const TracedStep& step) {
  const trace::BlockTrace& recording = step.side->replay->recording();
  if (step.step.firstEvent != step.step.lastEvent || step.step.lastEvent >= recording.size())
    return "This step consists of several instructions. Press 3 to step through them one by one.";
  const trace::TraceEvent event = recording.event(step.step.firstEvent);
  const uint32_t threads = count(lanesWithThread(event.warp, recording.blockShape.count())),
                 on = count(event.mask);
  std::string text = "Warp " + std::to_string(event.warp);
  if (const uint32_t line = step.side->lineOf(event)) text += ", line " + std::to_string(line);
  if (on == threads) return text + ": all " + std::to_string(on) + " lanes are on.";
  return text + ": " + std::to_string(on) + " of " + std::to_string(threads) + " lanes are on, " +
         std::to_string(threads - on) + (threads - on == 1 ? " is off." : " are off.");
}

}  // namespace tilestep::features
