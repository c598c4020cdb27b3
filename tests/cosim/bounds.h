// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>

#include "cosim/forms.h"

namespace tilestep::cosim {

/// The accepted error of an approximation: the error in PTX ISA 9.0, relative to float64.
struct Bound {
  double exact;      ///< The function of the sources, flushed as in the instruction.
  double tolerance;  ///< Absolute; negative if PTX ISA states none.
};
[[nodiscard]] Bound boundOf(const Form& form, double a, double b);

/// The numbers in one value: two for a pair of halves, else one.
[[nodiscard]] std::vector<double> numbersIn(Kind kind, uint64_t bits);

/// Why `here` is not an acceptable answer to a case that the GPU answers with `gpu`; nothing if it
/// is acceptable. Both are right within the stated error of the exact value. If PTX ISA states no
/// error, and for NaN and infinity, the GPU's answer is right.
[[nodiscard]] std::optional<std::string> complaintOf(const Form& form,
                                                     std::span<const uint64_t> sources,
                                                     uint64_t gpu, uint64_t here);

/// The error of `answer` as a share of the stated error; 0 if none is stated.
[[nodiscard]] double shareOfBound(const Form& form, std::span<const uint64_t> sources,
                                  uint64_t answer);

}  // namespace tilestep::cosim
