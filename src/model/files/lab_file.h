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

struct LabKernel {
  std::string name;
  compile::Bindings tunables, sizes;  ///< Tunables and sizes that are not listed are small.
  /// The sizes for which its time is shown, and the tunables that have other values at these sizes.
  /// Without sizes, no time is shown.
  compile::Bindings timedSizes, timedTunables;
  std::string quoted;   ///< The time that a published text quotes for it: "60 ms"; may be empty.
  std::string label{};  ///< The label of its button; if empty, the kernel's short name.
  bool operator==(const LabKernel&) const = default;
};

/// All tunables for which its time is shown.
[[nodiscard]] compile::Bindings timedTunablesOf(const LabKernel& kernel);

/// The largest absolute value of a prediction or its answer.
inline constexpr double kLargestPrediction = 1e12;

/// The student's prediction, requested before anything of the lab is shown.
struct Prediction {
  std::string question;
  std::vector<std::string> choices;  ///< Empty if the answer is a number.
  double answer = 0;    ///< A number, or the index of the right choice, counted from 1.
  std::string because;  ///< The explanation of the answer, in a sentence or two.
  bool operator==(const Prediction&) const = default;
};

/// A lab: a question, the kernels that it is about, the view that shows them, and a lesson. Each
/// lab is a file, assets/labs/ID.toml, whose format CONTRIBUTING.md describes.
struct Lab {
  std::string id;  ///< The file's stem: "divergence".
  int number = 0;  ///< Its position in the list.
  std::string title, question;
  std::vector<LabKernel> kernels;  ///< At least one.
  std::string lesson;              ///< The name of a file in assets/lessons, without its extension.
  Stage stage = Stage::scene;      ///< The view that the lab opens in the middle of the window.
  int minutes = 0;                 ///< The expected duration.
  Prediction prediction;
  /// The kernels' launches are timed by several methods (RunResult::timings) at their timed sizes.
  bool timings = false;
  std::string quoted;  ///< The source of the kernels' quoted times, in a sentence; may be empty.
};

/// The kernels and lessons that the labs' files refer to.
struct LabTargets {
  std::vector<compile::CatalogueEntry> kernels;
  std::vector<std::string> lessons;  ///< "1-why-tile"
};

/// Parses untrusted text. Unknown keys, wrong types, out-of-range values, and kernels, tunables,
/// sizes or lessons that do not exist are errors with file, line and reason. The stem of `file` is
/// the lab's id.
Result<Lab> parseLab(std::string_view text, const std::string& file, const LabTargets& targets);

/// The labs of `home`/assets/labs by number, then by id. `errors` receives the errors of files that
/// could not be read.
std::vector<Lab> readLabs(const std::string& home,
                          const std::vector<compile::CatalogueEntry>& kernels,
                          std::vector<Error>* errors = nullptr);

/// The file of a lesson that comes with the program.
[[nodiscard]] std::string lessonFile(const std::string& home, const std::string& lesson);

}  // namespace tilestep::model
