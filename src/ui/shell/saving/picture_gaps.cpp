// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/saving/picture_gaps.h"

#include "base/figure.h"

namespace tilestep::ui {

Result<std::string> lacksOf(const PictureGaps& gaps) {
  if (gaps.values)
    return workError(
        "The values of large matrices were not ready in time: save the picture again in a moment");
  std::string text;
  if (gaps.below || gaps.right) {
    const std::string where = !gaps.right  ? "below"
                              : gaps.below ? "below and on the right"
                                           : "on the right";
    text = "The picture is cut " + where + ", because it cannot be larger.";
  }
  if (gaps.details)
    text += std::string(text.empty() ? "" : " ") +
            "Large matrices are drawn coarsely, because their details were not ready in time.";
  return text;
}

void StepGaps::add(size_t step, const std::string& lacks) {
  if (lacks.empty() || ++steps_ > 1) return;
  first_ = step;
  lacks_ = lacks;
}

std::string StepGaps::text() const {
  if (steps_ == 0) return {};
  const std::string which =
      steps_ == 1 ? "The picture of step " + grouped(first_) + " is incomplete. "
                  : grouped(steps_) + " steps have incomplete pictures, the first of them step " +
                        grouped(first_) + ". ";
  return which + lacks_;
}

}  // namespace tilestep::ui
