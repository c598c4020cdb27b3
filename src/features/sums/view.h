// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "features/names.h"
#include "features/sums/ladder.h"
#include "features/sums/picture.h"
#include "features/sums/text.h"
#include "features/sums/tree.h"
#include "model/view.h"

namespace tilestep::features {

/// How the main kernel's block adds up an array, and the cost of the launch.
struct SumsView : View {
  static constexpr std::string_view kFeature = "sums";
  std::shared_ptr<const SumTree> tree;        ///< Null unless it is visible.
  std::shared_ptr<const SumPicture> picture;  ///< For the tree; null if that is null.
  std::vector<RowTime> times;                 ///< By row: when it runs, relative to the step.
  std::shared_ptr<const TracedKernel> of;     ///< The kernel that it shows.
  std::shared_ptr<const SumLadder> ladder;    ///< The lab's sums; null if there are none.
  bool isLadder = false;                      ///< It is shown instead of the array.
  std::string lab;     ///< Its lab's id while it is visible; otherwise empty.
  std::string device;  ///< The device that times its kernels: "NVIDIA H200, …"; empty: none does.
  bool isRecorded = false;                 ///< By a recording.
  bool coming = false;                     ///< It is shown, and some of its counts are missing.
  std::optional<SumFigures> figures;       ///< Absent if they were not counted.
  std::string counted;                     ///< The counted launch, and who counted it.
  std::string sentence;                    ///< Describes the present step.
  uint32_t firstEvent = 0, lastEvent = 0;  ///< The present step; both included.
  std::optional<size_t> row;               ///< The row in which the step ends.

  void addTo(Shown& to) const override { to.sumLadder = isLadder; }
};

}  // namespace tilestep::features
