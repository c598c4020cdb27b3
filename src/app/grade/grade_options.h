// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/csv_file.h"
#include "base/result.h"
#include "compile/front_matter/spec.h"
#include "grade/rules.h"

/// The options of `tilestep grade`.
namespace tilestep::app {

struct GradeOptions {
  std::vector<std::string> places, sizes, again;
  std::string spec, seed, file, byHand, junit, html, worker;
  CsvWish csv;
  unsigned workers = 2;
  uint64_t memoryBytes = uint64_t{2} << 30;  ///< For all workers together.
  bool json = false;
};

/// Errors: a report would replace another file, the memory does not suffice for the workers, or
/// there is no temporary folder for compilers.
[[nodiscard]] Status checkOptions(const GradeOptions& options);

/// The spec's rules, with the launches of --sizes if there are any.
[[nodiscard]] Result<grade::Rules> rulesOf(const GradeOptions& options, const compile::Spec& spec);

}  // namespace tilestep::app
