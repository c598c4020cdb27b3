// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/launch.h"
#include "fuzz/checks.h"
#include "model/files/exercise_file.h"

namespace tilestep::fuzz {
namespace {

/// A text on one line, within its bounds.
bool isText(const std::string& text) {
  return !text.empty() && text.size() <= 600 &&
         std::ranges::none_of(text, [](unsigned char c) { return c < ' ' || c == 0x7f; });
}

std::string checkLaunch(const model::Exercise& exercise, const compile::LaunchChoice& launch) {
  const auto plan = compile::plan(exercise.spec.kernel, launch.sizes, launch.tunables, Limits{});
  return plan ? "" : "a launch that is not legal: " + plan.error().message;
}

}  // namespace

std::string checkExercise(std::string_view text) {
  const auto read = model::parseExercise(std::string(text), "bug_any.cu");
  if (!read) return checkRefusal(read.error(), text);
  if (read->number < 1 || read->number > 999) return "a number out of its range";
  if (!isText(read->symptom)) return "a symptom that is no text on one line";
  if (read->hints.empty() || read->hints.size() > 6) return "a number of hints out of its range";
  if (!std::ranges::all_of(read->hints, isText)) return "a hint that is no text on one line";
  if (read->hidden.empty() || read->hidden.size() > 12) return "a number of launches out of range";
  if (read->block.x > 65535 || read->block.y > 65535) return "a block out of its range";
  for (const compile::LaunchChoice& launch : read->hidden)
    if (std::string trouble = checkLaunch(*read, launch); !trouble.empty()) return trouble;
  (void)model::listingOf(*read);
  return checkLaunch(*read, read->shown);
}

}  // namespace tilestep::fuzz
