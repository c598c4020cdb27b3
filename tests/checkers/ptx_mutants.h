// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ptx/ir.h"

namespace tilestep::checkers {

/// One change of a compiled kernel.
struct PtxMutant {
  std::string what;  ///< "barrier deleted", "comparison moved", "access shifted", "address shifted"
  std::string where;  ///< "line 93: ld.shared.f32 + 4"
  std::shared_ptr<const ptx::Module> module;
  /// Function and instruction, as indices into the original.
  std::vector<std::pair<size_t, uint32_t>> at;
};

/// The mutants of every function: each barrier of a block or a warp deleted; each ordering
/// comparison of integers moved by one (< to <=, …); each access of global or shared memory shifted
/// by one element, up and down; and all accesses through one register shifted together, if there
/// are several.
[[nodiscard]] std::vector<PtxMutant> ptxMutantsOf(const ptx::Module& module);

/// The original with a trap where the mutant differs. If a run does not trap, it never reached that
/// instruction.
[[nodiscard]] std::shared_ptr<const ptx::Module> trapAt(const ptx::Module& module,
                                                        const PtxMutant& mutant);

}  // namespace tilestep::checkers
