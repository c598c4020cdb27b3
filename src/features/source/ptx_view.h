// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/scene/traced_kernel.h"

namespace tilestep::model {

/// How often lines and instructions ran: warp instructions of the traced block that touch memory,
/// add to a sum or wait at a barrier. Others are not in a trace. Never changes.
struct RunCounts {
  std::map<uint32_t, uint64_t> byLine;         ///< Of the source, from 1.
  std::map<uint32_t, uint64_t> byInstruction;  ///< Index in the entry's body.
};
[[nodiscard]] RunCounts runCountsOf(const TracedKernel& side);

/// The kernel's PTX beside its source. Never changes.
struct PtxView {
  static constexpr uint32_t kNone = 0xffffffff;
  struct Line {
    std::string text;
    uint32_t instruction = kNone;  ///< Index in the entry's body; kNone: a label, a declaration.
    uint32_t source = 0;           ///< Line of the source; 0: none.
  };
  std::vector<Line> lines;  ///< Of the entry; directives that only tell places are left out.
};
/// Null where `text` does not parse or has no such entry. `spec.entry` names it in the source.
[[nodiscard]] std::shared_ptr<const PtxView> ptxViewOf(const std::string& text,
                                                       const compile::KernelSpec& spec);

/// Instructions of a step's events, ascending, each once.
[[nodiscard]] std::vector<uint32_t> instructionsOf(const TracedStep& step);

}  // namespace tilestep::model
