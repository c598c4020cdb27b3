// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "features/names.h"
#include "model/scene/traced_kernel.h"
#include "model/view.h"

namespace tilestep::features {

/// The loads of one block from global memory after a number of phases.
struct StoryPoint {
  uint64_t asked = 0;    ///< Element loads (model/text/traffic.h).
  uint64_t sectors = 0;  ///< Sectors that those loads request.
  bool operator==(const StoryPoint&) const = default;
};

/// The cumulative loads of one kernel's block. points[p] is the sum before phase p, and the last
/// point the sum at the end. Only the last point includes loads outside of phases.
struct StoryLine {
  std::string name;  ///< "tiled"
  std::vector<StoryPoint> points;
  /// The length of this kernel's phases along k divided by that of the main kernel's phases.
  double every = 1;
  uint64_t elements = 1;  ///< Output elements that the block computes.
};

/// The load histories of both kernels over the main kernel's phases. Immutable.
struct LoadHistory {
  StoryLine main;
  StoryLine companion;  ///< Has no points unless there is a companion that covers the same k.
  /// The blocks compute different numbers of elements, so loads are shown per element.
  bool perElement = false;
  /// The shown form of a line's value: per element if `perElement` is set.
  [[nodiscard]] double shown(const StoryLine& line, uint64_t value) const {
    const auto loads = static_cast<double>(value);
    return perElement ? loads / static_cast<double>(line.elements) : loads;
  }
  /// The index of the line's point that is reached after `over` phases of the main kernel.
  [[nodiscard]] size_t passed(const StoryLine& line, size_t over) const;
  [[nodiscard]] size_t phases() const { return main.points.empty() ? 0 : main.points.size() - 1; }
};

/// Null if the main kernel has no phases, more than a million, or no loads in them; `companion` may
/// be null.
[[nodiscard]] std::shared_ptr<const LoadHistory> storyOf(const TracedKernel& main,
                                                         const TracedKernel* companion);

/// The number of completed phases at the end of the step's phase; after the last phase, all.
[[nodiscard]] size_t phasesOver(const LoadHistory& story, const TracedStep& step);

struct LoadHistoryView : View {
  static constexpr std::string_view kFeature = "load_history";
  std::shared_ptr<const LoadHistory> story;  ///< Null if there are no phases with loads.
  size_t phasesOver = 0;                     ///< phasesOver of the present step.
};

}  // namespace tilestep::features
