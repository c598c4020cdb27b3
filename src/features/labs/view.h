// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "features/names.h"
#include "model/files/lab_file.h"
#include "model/view.h"

namespace tilestep::features {

/// The labs, and the open lab. A lab stays open from its choice until its lesson is closed.
struct LabsView : View {
  static constexpr std::string_view kFeature = "labs";
  std::shared_ptr<const std::vector<Lab>> labs;  ///< Null before the first view.
  std::optional<size_t> open;                    ///< An index of `labs`.
  bool predicting = false;      ///< The lab waits for the user's prediction and shows nothing else.
  std::optional<size_t> shown;  ///< The lab's kernel that the scene shows with the lab's values.
  std::string comparison;       ///< The prediction and the answer; empty without a prediction.

  void addTo(Shown& to) const override {
    to.predicting = predicting;
    to.asks |= predicting;
    to.hasLessons |= labs && !labs->empty();
  }
  [[nodiscard]] const Lab* openLab() const { return open ? &(*labs)[*open] : nullptr; }
  /// The open lab; if no lab is open, the lab with this lesson. Null if there is neither.
  [[nodiscard]] const Lab* about(const std::string& lessonFile) const {
    if (open || !labs || lessonFile.empty()) return openLab();
    const std::string lesson = std::filesystem::path(lessonFile).stem().string();
    const auto at = std::ranges::find(*labs, lesson, &Lab::lesson);
    return at == labs->end() ? nullptr : &*at;
  }
};

}  // namespace tilestep::features
