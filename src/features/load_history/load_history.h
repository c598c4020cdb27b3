// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/scene/traced_kernel.h"

namespace tilestep::model {

/// What one block has asked of global memory when so many phases are over.
struct StoryPoint {
  uint64_t asked = 0;    ///< Element loads (model/text/traffic.h).
  uint64_t sectors = 0;  ///< Of those loads' requests.
  bool operator==(const StoryPoint&) const = default;
};

/// The loads of one kernel's block as its phases pass; points[p]: before phase p, the last: at the
/// end. Loads outside phases are in the last alone.
struct StoryLine {
  std::string name;  ///< "tiled"
  std::vector<StoryPoint> points;
  double every = 1;       ///< Phases of the main kernel that one of its own lasts, along k.
  uint64_t elements = 1;  ///< Of the outputs that the block makes.
};

/// Both kernels over the main one's phases. Never changes.
struct LoadHistory {
  StoryLine main;
  StoryLine companion;  ///< Without points where nothing stands beside that goes along the same k.
  bool perElement = false;  ///< The blocks make other numbers of elements: shown for each element.
  /// Of a line, as it is shown.
  [[nodiscard]] double shown(const StoryLine& line, uint64_t value) const {
    const auto loads = static_cast<double>(value);
    return perElement ? loads / static_cast<double>(line.elements) : loads;
  }
  /// The companion's points that are passed when `over` phases of the main kernel are.
  [[nodiscard]] size_t passed(const StoryLine& line, size_t over) const;
  [[nodiscard]] size_t phases() const { return main.points.empty() ? 0 : main.points.size() - 1; }
};

/// Null where the main kernel has no phases or loads nothing in them; `companion` may be null.
[[nodiscard]] std::shared_ptr<const LoadHistory> storyOf(const TracedKernel& main,
                                                         const TracedKernel* companion);

/// How many phases are over at the end of the step's phase: all, behind the last one.
[[nodiscard]] size_t phasesOver(const LoadHistory& story, const TracedStep& step);

}  // namespace tilestep::model
