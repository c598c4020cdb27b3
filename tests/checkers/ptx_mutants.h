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
  std::vector<std::pair<size_t, uint32_t>> at;  ///< Function and instruction, in the original.
};

/// The mutants of every function: each barrier of a block or a warp deleted; each ordering
/// comparison of integers moved by one (< to <=, …); each access of global or shared memory shifted
/// by an element, up and down; all accesses through one register shifted together, where there are
/// several.
[[nodiscard]] std::vector<PtxMutant> ptxMutantsOf(const ptx::Module& module);

/// The original, but that it stops where the mutant differs: what does not stop never got there.
[[nodiscard]] std::shared_ptr<const ptx::Module> trapAt(const ptx::Module& module,
                                                        const PtxMutant& mutant);

}  // namespace tilestep::checkers
