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

/// A listing with a bug, and what the mended kernel must meet. One file,
/// assets/exercises/ID.cu; CONTRIBUTING.md describes the format.
struct Exercise {
  std::string id;  ///< The file's stem, which is also the name of the kernel's function.
  int number = 0;  ///< Its place in the list.
  std::string title, symptom;
  std::vector<std::string> hints;             ///< At least one; each says more than the one before.
  std::vector<lab::Criterion> fails;          ///< What the listing fails at the hidden launches.
  compile::LaunchChoice shown;                ///< The launch that shows the symptom.
  Dim3 block{0, 0, 0};                        ///< Its traced block.
  std::vector<compile::LaunchChoice> hidden;  ///< At least one.
  std::string listing;                        ///< The code alone, from its first line.
  compile::Spec spec;
};

/// Reads text from anywhere. Everything is checked: an unknown key, a wrong type, a value out of
/// its range, a size or tunable that the kernel does not have and a launch that is not legal are
/// errors, with file, line and reason. `file`: its stem is the exercise's id.
Result<Exercise> parseExercise(const std::string& text, const std::string& file);

/// An exercise's id begins with it, so that no other kernel has its name.
inline constexpr std::string_view kExercisePrefix = "bug_";

/// The exercises of `home`/assets/exercises by number, then by id; what could not be read is left
/// in `errors`.
std::vector<Exercise> readExercises(const std::string& home, std::vector<Error>* errors = nullptr);

/// The listing as a kernel under its own spec.
Result<compile::SpecifiedKernel> listingOf(const Exercise& exercise);

}  // namespace tilestep::model
