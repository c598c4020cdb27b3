// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compile/kernel.h"
#include "model/choice/appearance.h"

namespace tilestep::model {

/// One kernel of a lab, and the values that it is shown with.
struct LabKernel {
  std::string name;
  compile::Bindings tunables, sizes;  ///< The others are small.
  /// The sizes at which its time is shown, and tunables that differ from those above then. Without
  /// sizes no time is shown.
  compile::Bindings timedSizes, timedTunables;
  std::string quoted;   ///< The time that a text gives for it: "60 ms"; may be empty.
  std::string label{};  ///< On its button; the kernel's short name where it is empty.
  bool operator==(const LabKernel&) const = default;
};

/// All tunables at which its time is shown.
[[nodiscard]] compile::Bindings timedTunablesOf(const LabKernel& kernel);

/// The largest number that a prediction or its answer may be.
inline constexpr double kLargestPrediction = 1e12;

/// What a student predicts before anything of the lab is shown.
struct Prediction {
  std::string question;
  std::vector<std::string> choices;  ///< Empty: the answer is a number.
  double answer = 0;                 ///< A number, or that of the right choice, counted from 1.
  std::string because;               ///< Why it is the answer, in a sentence or two.
  bool operator==(const Prediction&) const = default;
};

/// A lab: a question, the kernels that it is about, the view that shows them, and a lesson. One
/// file, assets/labs/ID.toml; CONTRIBUTING.md describes the format.
struct Lab {
  std::string id;  ///< The file's stem: "divergence".
  int number = 0;  ///< Its place in the list.
  std::string title, question;
  std::vector<LabKernel> kernels;  ///< At least one.
  std::string lesson;              ///< A file of assets/lessons, without its ending.
  Stage stage = Stage::scene;      ///< The view that it opens in the middle of the window.
  int minutes = 0;                 ///< The time that it takes.
  Prediction prediction;
  /// The kernels' launches are timed in several ways (RunResult::timings) at their timed sizes.
  bool timings = false;
  std::string quoted;  ///< Where the kernels' quoted times are from, in a sentence; may be empty.
};

/// What the labs' files refer to.
struct LabTargets {
  std::vector<compile::CatalogueEntry> kernels;
  std::vector<std::string> lessons;  ///< "1-why-tile"
};

/// Reads text from anywhere. Everything is checked: an unknown key, a wrong type, a value out of
/// its range, and a kernel, tunable, size or lesson that does not exist are errors, with file, line
/// and reason. `file`: its stem is the lab's id.
Result<Lab> parseLab(std::string_view text, const std::string& file, const LabTargets& targets);

/// The labs of `home`/assets/labs by number, then by id; what could not be read is left in
/// `errors`.
std::vector<Lab> readLabs(const std::string& home,
                          const std::vector<compile::CatalogueEntry>& kernels,
                          std::vector<Error>* errors = nullptr);

/// The file of a lesson that comes with the program.
[[nodiscard]] std::string lessonFile(const std::string& home, const std::string& lesson);

}  // namespace tilestep::model
