// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "features/first_minute/minute.h"
#include "features/names.h"
#include "model/view.h"

namespace tilestep::features {

struct FirstMinuteView : View {
  static constexpr std::string_view kFeature = "first_minute";
  bool shown = false;
  MinutePart part = MinutePart::alone;
  bool waits = false;   ///< The tour waits for the first trace, so there is no next part yet.
  std::string text;     ///< A paragraph with **bold** and `code`.
  bool covers = false;  ///< Hides the speeds until the guess.
  /// Answers to the question in `text`; empty if there is no question.
  std::vector<std::string> choices;
  /// Highlights the first slot, the first element of M, and the threads that read them.
  bool spotlight = false;
  unsigned travels = 0;  ///< Incremented to animate the loads of the step; 0 for no animation.
  std::string lesson;  ///< The file of the lesson offered at the end; empty if there is no lesson.
  std::string lessonTitle;

  void addTo(Shown& to) const override { to.firstMinute = shown; }
};

}  // namespace tilestep::features
