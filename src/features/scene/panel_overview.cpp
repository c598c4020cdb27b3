// SPDX-License-Identifier: Apache-2.0
#include "features/scene/panel_overview.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/figure.h"

namespace tilestep::features {
namespace {

/// In blocks of more than 6 x 6 threads, arrows cannot be distinguished.
constexpr uint64_t kMostCells = 36;
/// The maximum number of dots per thread. With more accesses, a dot represents several.
constexpr uint64_t kMostDots = 100;

/// The thread of each access of the kind that the step's picture shows: loads if there are any;
/// otherwise reads of shared memory; otherwise stores.
struct Touches {
  std::vector<uint32_t> threads;
  std::string one, many;
  bool fromGlobal = false;
};
Touches touchesOf(const TracedStep& step) {
  Touches touches{{}, "load", "loads", true};
  for (const trace::GlobalLoad& load : step.activity.globalLoads)
    touches.threads.push_back(load.from.thread);
  if (!touches.threads.empty()) return touches;
  const bool reads = !step.activity.sharedReads.empty();
  touches =
      reads ? Touches{{}, "slot read", "slot reads", false} : Touches{{}, "store", "stores", false};
  for (const trace::Access& access : reads ? step.activity.sharedReads : step.activity.outputStores)
    touches.threads.push_back(access.thread);
  return touches;
}

/// The threads in the block's first two rows and columns; in a single row, the first four.
std::vector<uint32_t> sampledThreads(const Dim3& shape) {
  const uint32_t columns = std::min(shape.x, shape.y >= 2 ? 2U : 4U);
  const uint32_t rows = std::min(shape.y, 2U);
  std::vector<uint32_t> threads;
  for (uint32_t y = 0; y < rows; ++y)
    for (uint32_t x = 0; x < columns; ++x) threads.push_back(y * shape.x + x);
  return threads;
}

const Dim3& shapeOf(const TracedStep& step) {
  return step.side->replay->recording().blockShape;
}

std::vector<uint64_t> countsOf(const Touches& touches, const std::vector<uint32_t>& threads) {
  std::vector<uint64_t> counts;
  for (const uint32_t thread : threads)
    counts.push_back(static_cast<uint64_t>(std::ranges::count(touches.threads, thread)));
  return counts;
}

/// Extends a ribbon's end to contain the position.
void include(gfx::Ribbon::End& end, const gfx::Place& place) {
  gfx::CellRect& area = end.area;
  if (end.in == gfx::Place::In::none) {
    end = {place.in, place.index, {place.row, place.column, 1, 1}};
    return;
  }
  const uint32_t bottom = std::max(area.row + area.rows, place.row + 1);
  const uint32_t right = std::max(area.column + area.columns, place.column + 1);
  area.row = std::min(area.row, place.row);
  area.column = std::min(area.column, place.column);
  area.rows = bottom - area.row;
  area.columns = right - area.column;
}

}  // namespace

bool isOverview(const TracedStep& step) {
  const trace::BlockTrace& recording = step.side->replay->recording();
  const uint64_t threads = recording.blockShape.count();
  const uint64_t sums = threads * recording.accumulators;
  return std::max(threads, sums) > kMostCells;
}

std::map<Flow, uint64_t> flowsOf(const TracedStep& step) {
  std::map<Flow, uint64_t> flows;
  std::pair<const Flow, uint64_t>* latest = nullptr;  // Often the next flow, too.
  const auto count = [&](const Flow& flow) {
    if (latest == nullptr || latest->first != flow) latest = &*flows.try_emplace(flow, 0).first;
    ++latest->second;
  };
  for (const trace::GlobalLoad& load : step.activity.globalLoads)
    count({Flow::Kind::load, load.from.buffer, load.to ? load.to->buffer : int16_t{-1}});
  for (const trace::Access& read : step.activity.sharedReads)
    count({Flow::Kind::read, read.buffer, -1});
  for (const trace::Access& store : step.activity.outputStores)
    count({Flow::Kind::store, -1, store.buffer});
  return flows;
}

void Ribbons::add(const gfx::Place& from, const gfx::Place& to, const char* what) {
  Counted& counted = byEnds_[{from.in, from.index, to.in, to.index}];
  include(counted.ribbon.from, from);
  include(counted.ribbon.to, to);
  counted.what = what;
  ++counted.count;
}

std::vector<gfx::Ribbon> Ribbons::all(const TracedStep& step, const TracedStep* comparison) const {
  uint64_t most = 1;
  for (const TracedStep* one : {&step, comparison})
    if (one != nullptr)
      for (const auto& [flow, count] : flowsOf(*one)) most = std::max(most, count);
  std::vector<gfx::Ribbon> ribbons;
  for (const auto& [ends, counted] : byEnds_) {
    gfx::Ribbon ribbon = counted.ribbon;
    ribbon.share = static_cast<float>(counted.count) / static_cast<float>(most);
    ribbon.label = grouped(counted.count) + " " + counted.what;
    ribbons.push_back(std::move(ribbon));
  }
  return ribbons;
}

std::optional<gfx::Sample> sampleOf(const TracedStep& step, const TracedStep* comparison) {
  const Touches touches = touchesOf(step);
  if (touches.threads.empty()) return std::nullopt;
  const std::vector<uint32_t> threads = sampledThreads(shapeOf(step));
  const std::vector<uint64_t> counts = countsOf(touches, threads);
  uint64_t most = std::ranges::max(counts);
  if (comparison != nullptr) {
    const auto others = countsOf(touchesOf(*comparison), sampledThreads(shapeOf(*comparison)));
    most = std::max(most, std::ranges::max(others));
  }
  const uint64_t each = std::max<uint64_t>(1, (most + kMostDots - 1) / kMostDots);
  gfx::Sample sample;
  sample.caption =
      std::to_string(threads.size()) + " of " + grouped(shapeOf(step).count()) + " threads";
  sample.unit = each == 1 ? "one dot per " + touches.one
                          : "one dot per " + grouped(each) + " " + touches.many;
  sample.fromGlobal = touches.fromGlobal;
  sample.columns = std::min(shapeOf(step).x, shapeOf(step).y >= 2 ? 2U : 4U);
  sample.most = static_cast<uint32_t>((most + each - 1) / each);
  for (const uint64_t count : counts)
    sample.dots.push_back(static_cast<uint32_t>((count + each - 1) / each));
  return sample;
}

}  // namespace tilestep::features
