// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>

#include "cosim/forms.h"

namespace tilestep::cosim {

/// How far off an approximation may be. Errors are those that PTX ISA 9.0 states, against float64.
struct Bound {
  double exact;      ///< The function of the sources, flushed as the instruction does.
  double tolerance;  ///< Absolute; negative where PTX ISA states none.
};
[[nodiscard]] Bound boundOf(const Form& form, double a, double b);

/// The numbers in one value: two of a pair of halves, else one.
[[nodiscard]] std::vector<double> numbersIn(Kind kind, uint64_t bits);

/// Why `here` is no acceptable answer to a case that the GPU answers with `gpu`; nothing if it is.
/// Within the stated error of the exact value both are right; where PTX ISA states none, and for
/// NaN and infinity, the GPU's answer counts.
[[nodiscard]] std::optional<std::string> complaintOf(const Form& form,
                                                     std::span<const uint64_t> sources,
                                                     uint64_t gpu, uint64_t here);

/// The error of `answer` as a share of the stated one; 0 where none is stated.
[[nodiscard]] double shareOfBound(const Form& form, std::span<const uint64_t> sources,
                                  uint64_t answer);

}  // namespace tilestep::cosim
