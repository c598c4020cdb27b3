// SPDX-License-Identifier: Apache-2.0
#include "features/lessons/view.h"

#include <cstdio>

namespace tilestep::features {
namespace {

/// The step's index and name. Shortened, because file names have at most 255 bytes.
std::string fileNameOf(size_t index, const std::string& slug) {
  constexpr size_t kLongestName = 100;
  char number[16];
  std::snprintf(number, sizeof number, "%02zu-", index + 1);
  std::string name = slug.substr(0, kLongestName);  // Letters, digits and dashes.
  while (name.ends_with('-')) name.pop_back();
  return number + name;
}

}  // namespace

void LessonsView::addTo(Shown& to) const {
  to.hasLessons |= !lessons.empty();
  to.lesson = lesson.has_value();
  if (!lesson) return;
  to.lessonTitle = lesson->lesson->title;
  to.lessonStepName = fileNameOf(lesson->index, lesson->step().slug);
  to.asks |= !lesson->revealed;
  to.hiddenTexts = lesson->hidden();
  for (size_t i = 0; i < kCoverable; ++i) to.covered[i] = lesson->covers(static_cast<Covered>(i));
}

}  // namespace tilestep::features
