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
  std::shared_ptr<const SumTree> tree;        ///< Null unless the view is visible.
  std::shared_ptr<const SumPicture> picture;  ///< The tree's picture; null if there is no tree.
  std::vector<RowTime> times;                 ///< When each row runs relative to the step, by row.
  std::shared_ptr<const TracedKernel> of;     ///< The kernel that it shows.
  std::shared_ptr<const SumLadder> ladder;    ///< The lab's sums; null if the lab has none.
  bool isLadder = false;                      ///< The ladder is shown instead of the array.
  std::string lab;     ///< The id of the ladder's lab while the ladder is visible; otherwise empty.
  std::string device;  ///< The device that gives its times; may be empty.
  bool isRecorded = false;                 ///< The times come from a recording.
  bool coming = false;                     ///< The ladder is shown, and some counts are pending.
  std::optional<SumFigures> figures;       ///< Absent if the launch was not counted.
  std::string counted;                     ///< The counted launch, and the device that counted it.
  std::string sentence;                    ///< Describes the present step.
  uint32_t firstEvent = 0, lastEvent = 0;  ///< The present step; inclusive.
  std::optional<size_t> row;               ///< The row of the step's last event.

  void addTo(Shown& to) const override { to.sumLadder = isLadder; }
};

}  // namespace tilestep::features
