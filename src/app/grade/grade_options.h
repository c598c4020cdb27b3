// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/csv_file.h"
#include "base/result.h"
#include "compile/front_matter/spec.h"
#include "grade/rules.h"

/// What `tilestep grade` is asked for.
namespace tilestep::app {

struct GradeOptions {
  std::vector<std::string> places, sizes, again;
  std::string spec, seed, file, byHand, junit, html, worker;
  CsvWish csv;
  unsigned workers = 2;
  uint64_t memoryBytes = uint64_t{2} << 30;  ///< For all workers together.
  bool json = false;
};

/// Whether these can be graded by: a report would replace no other file, there is memory for the
/// workers, and a temporary folder for compilers.
[[nodiscard]] Status checkOptions(const GradeOptions& options);

/// The spec's rules, with the launches of --sizes instead of theirs where there are any.
[[nodiscard]] Result<grade::Rules> rulesOf(const GradeOptions& options, const compile::Spec& spec);

}  // namespace tilestep::app
