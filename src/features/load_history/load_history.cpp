// SPDX-License-Identifier: Apache-2.0
#include "features/load_history/load_history.h"

#include <algorithm>

#include "model/text/traffic.h"

namespace tilestep::features {
namespace {

/// The limit of what can be drawn. The numbers of phases come from a trace and may be arbitrary.
constexpr uint32_t kMostPhases = 1 << 20;

StoryLine lineOf(const TracedKernel& side) {
  StoryLine line{side.shortName, {}};
  if (side.tallies.phases.empty() || side.tallies.phases.back().phase >= kMostPhases) return line;
  StoryPoint sum;
  const uint32_t bytes = loadedElementBytes(side.result->plan);
  const auto add = [&](const trace::Tally& tally) {
    sum.asked += elementLoads(tally.counters.globalLoad, bytes) + elementLoads(tally.copies, bytes);
    sum.sectors += tally.counters.globalLoad.sectors + tally.copies.sectors;
  };
  line.points.push_back(sum);
  // Loads ahead of the kernel's loop belong before the first phase.
  const bool isAhead = side.replay->cut().firstEpoch > 0;
  if (isAhead) add(side.tallies.outside);
  size_t next = 0;
  for (uint32_t phase = 0; phase <= side.tallies.phases.back().phase; ++phase) {
    // Phases in which the block does nothing are not listed.
    if (side.tallies.phases[next].phase == phase) add(side.tallies.phases[next++].tally);
    line.points.push_back(sum);
  }
  if (!isAhead) add(side.tallies.outside);
  line.points.back() = sum;
  return line;
}

}  // namespace

std::shared_ptr<const LoadHistory> storyOf(const TracedKernel& main,
                                           const TracedKernel* companion) {
  auto story = std::make_shared<LoadHistory>();
  story->main = lineOf(main);
  if (story->main.points.empty() || story->main.points.back().asked == 0) return nullptr;
  story->main.elements = std::max<uint64_t>(elementsMade(main), 1);
  if (companion == nullptr) return story;
  StoryLine comparison = lineOf(*companion);
  comparison.elements = std::max<uint64_t>(elementsMade(*companion), 1);
  const uint64_t mine = phaseLengthOf(main), other = phaseLengthOf(*companion);
  const bool known = mine > 0 && other > 0;
  if (known) comparison.every = static_cast<double>(other) / static_cast<double>(mine);
  if (comparison.points.empty() ||
      (!known && comparison.points.size() != story->main.points.size()))
    return story;
  story->perElement = comparison.elements != story->main.elements;
  story->companion = std::move(comparison);
  return story;
}

size_t LoadHistory::passed(const StoryLine& line, size_t over) const {
  if (line.points.empty()) return 0;
  if (over >= phases()) return line.points.size() - 1;
  return std::min(static_cast<size_t>(static_cast<double>(over) / line.every + 1e-9),
                  line.points.size() - 1);
}

size_t phasesOver(const LoadHistory& story, const TracedStep& step) {
  return step.step.phase ? std::min<size_t>(*step.step.phase + 1, story.phases()) : story.phases();
}

}  // namespace tilestep::features
