// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "lab/judge/criterion.h"

namespace tilestep::lab {

/// How a kind of fault counts against a kernel.
struct FaultKind {
  std::string_view kind;  ///< See device::Fault.
  Criterion criterion;    ///< The criterion that it fails.
  const char* words;      ///< A noun phrase for people: "a misaligned access".
  const char* sentence;   ///< The same as a sentence, to which ", at line N." can be added.
};

/// Null if the kind implies nothing about the kernel, such as an unsupported instruction.
[[nodiscard]] const FaultKind* faultKind(std::string_view kind);

}  // namespace tilestep::lab
