// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "features/names.h"
#include "features/threads/thread_view.h"
#include "model/view.h"

namespace tilestep::features {

/// The chosen thread, and the companion's thread for the same element; null if none is chosen.
struct ThreadsView : View {
  static constexpr std::string_view kFeature = "threads";
  std::shared_ptr<const ThreadView> main, companion;
  std::shared_ptr<const ThreadStory> mainStory, companionStory;
  /// The positions of the chosen thread's events in the timeline, from 0 to 1. Null if the steps
  /// are not the thread's events, or if there are too many events.
  std::shared_ptr<const std::vector<double>> marks;
};

}  // namespace tilestep::features
