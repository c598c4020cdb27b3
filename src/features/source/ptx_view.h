// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "features/names.h"
#include "model/scene/traced_kernel.h"

namespace tilestep::features {

/// Execution counts of lines and instructions. Counts warp instructions of the traced block that
/// access memory, add to a sum or wait at a barrier; a trace contains no others. Immutable.
struct RunCounts {
  std::map<uint32_t, uint64_t> byLine;         ///< By source line, counted from 1.
  std::map<uint32_t, uint64_t> byInstruction;  ///< By index in the entry's body.
};
[[nodiscard]] RunCounts runCountsOf(const TracedKernel& side);
/// The counts of a step.
[[nodiscard]] RunCounts runCountsOf(const TracedStep& step);

/// The kernel's PTX as shown beside its source. Immutable.
struct PtxView {
  static constexpr uint32_t kNone = 0xffffffff;
  struct Line {
    std::string text;
    uint32_t instruction = kNone;  ///< Index in the body; kNone for a label.
    uint32_t source = 0;           ///< Source line; 0 if there is none.
  };
  std::vector<Line> lines;  ///< The entry's lines, without .loc and similar directives.
};
/// Null if `text` cannot be parsed or does not contain the entry, named `spec.entry`.
[[nodiscard]] std::shared_ptr<const PtxView> ptxViewOf(const std::string& text,
                                                       const compile::KernelSpec& spec);

}  // namespace tilestep::features
