// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "lab/judge/criterion.h"

namespace tilestep::lab {

/// What a fault of one kind says of a kernel.
struct FaultKind {
  std::string_view kind;  ///< As device::Fault has it.
  Criterion criterion;    ///< What it fails.
  const char* words;      ///< For a person who is to see where it happened: "a misaligned access".
  const char* sentence;   ///< The same, for a sentence that goes on with where.
};

/// Null where it says nothing of the kernel, such as an instruction that the interpreter lacks.
[[nodiscard]] const FaultKind* faultKind(std::string_view kind);

}  // namespace tilestep::lab
