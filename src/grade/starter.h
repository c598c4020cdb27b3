// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "compile/front_matter/spec.h"
#include "compile/kernel.h"

namespace tilestep::grade {

/// A file of a new assignment.
struct StarterFile {
  std::string path;  ///< Below the assignment's folder.
  std::string text;
};

/// The files that `assignment new` writes. For students: a kernel without a body, a public spec and
/// instructions. For the teacher: the private spec, and as the solution `model` without its front
/// matter. `name` is an identifier. Errors, of kind request: the model is a template or an
/// exercise, has several functions, or has no reference for its result.
Result<std::vector<StarterFile>> starterFor(const std::string& name,
                                            const compile::KernelSource& model,
                                            const compile::Spec& spec);

}  // namespace tilestep::grade
