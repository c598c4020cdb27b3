// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "features/first_minute/minute.h"
#include "features/names.h"
#include "model/view.h"

namespace tilestep::features {

/// The part of the first minute that is shown.
struct FirstMinuteView : View {
  static constexpr std::string_view kFeature = "first_minute";
  bool shown = false;
  MinutePart part = MinutePart::alone;
  bool waits = false;   ///< The first trace is being made, so that there is no next part yet.
  std::string text;     ///< A paragraph with **bold** and `code`.
  bool covers = false;  ///< The speeds are covered until they have been guessed.
  std::vector<std::string> choices;  ///< Answers to the question in `text`; empty: none is asked.
  /// The scenes show the first slot, and the first element of M, with their readers; all else is
  /// faint.
  bool spotlight = false;
  unsigned travels = 0;  ///< Changes when the loads of the step are to travel; 0: they are not.
  std::string lesson;    ///< The file of the lesson that the end offers; empty: none.
  std::string lessonTitle;

  void addTo(Shown& to) const override { to.firstMinute = shown; }
};

}  // namespace tilestep::features
