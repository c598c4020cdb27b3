// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "lab/judge/criterion.h"

namespace tilestep::lab {

/// The implications of a kind of fault for a kernel.
struct FaultKind {
  std::string_view kind;  ///< See device::Fault.
  Criterion criterion;    ///< The criterion that it fails.
  const char* words;      ///< A noun phrase for people: "a misaligned access".
  const char* sentence;  ///< The same as the beginning of a sentence that continues with the place.
};

/// Null if the kind implies nothing about the kernel, such as an unsupported instruction.
[[nodiscard]] const FaultKind* faultKind(std::string_view kind);

}  // namespace tilestep::lab
