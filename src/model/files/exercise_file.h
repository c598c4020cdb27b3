// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/dim3.h"
#include "base/result.h"
#include "compile/front_matter/spec.h"
#include "compile/kernel.h"
#include "lab/judge/criterion.h"

namespace tilestep::model {

/// A listing with a bug, and the requirements for the corrected kernel. Each exercise is a file,
/// assets/exercises/ID.cu, whose format CONTRIBUTING.md describes.
struct Exercise {
  std::string id;  ///< The file's stem, which is also the name of the kernel's function.
  int number = 0;  ///< Its position in the list.
  std::string title, symptom;
  std::vector<std::string> hints;  ///< At least one; each reveals more than the one before.
  std::vector<lab::Criterion>
      fails;                    ///< The criteria that the listing fails at the hidden launches.
  compile::LaunchChoice shown;  ///< The launch that shows the symptom.
  Dim3 block{0, 0, 0};          ///< The traced block of that launch.
  std::vector<compile::LaunchChoice> hidden;  ///< At least one.
  std::string listing;                        ///< The code alone, from its first line.
  compile::Spec spec;
};

/// Parses untrusted text. Unknown keys, wrong types, out-of-range values, sizes or tunables that
/// the kernel does not have, and illegal launches are errors with file, line and reason. The stem
/// of `file` is the exercise's id.
Result<Exercise> parseExercise(const std::string& text, const std::string& file);

/// The prefix of every exercise's id, so that no other kernel has the same name.
inline constexpr std::string_view kExercisePrefix = "bug_";

/// The exercises of `home`/assets/exercises by number, then by id. `errors` receives the errors of
/// files that could not be read.
std::vector<Exercise> readExercises(const std::string& home, std::vector<Error>* errors = nullptr);

/// The listing as a kernel with its own spec.
Result<compile::SpecifiedKernel> listingOf(const Exercise& exercise);

}  // namespace tilestep::model
