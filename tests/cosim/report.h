// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cosim/answers.h"

namespace tilestep::cosim {

/// "%a = 0x3f800000 (1), %b = …", in hexadecimal and decimal.
[[nodiscard]] std::string describeSources(const Form& form, uint32_t number);
/// "0x3f800000 (1)" of each result of a case.
[[nodiscard]] std::string describeResults(const Form& form, const std::vector<uint64_t>& results,
                                          uint32_t number);

/// Describes the first case in which the interpreter's results differ from the stored answer; empty
/// if there is none. An approximation may differ within its bound.
[[nodiscard]] std::string firstDifference(const Form& form, const Answer& kept,
                                          const std::vector<uint64_t>& here);
/// Likewise, compared with all results of the GPU.
[[nodiscard]] std::string firstDifference(const Form& form, const std::vector<uint64_t>& gpu,
                                          const std::vector<uint64_t>& here);

}  // namespace tilestep::cosim
