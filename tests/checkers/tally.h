// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>

namespace tilestep::checkers {

/// The fate of a mutant:
/// - same: it is the same program, or behaves the same in every run
/// - unreached: no run reaches the changed instruction
/// - equal: nothing differs in any order of blocks and warps
/// - alive: the result differs in another order, or for an unknown reason
enum class Fate { checker, result, refused, same, unreached, equal, alive };

struct Tally {
  std::map<Fate, int> fates;
  std::map<std::string, int> kinds;  ///< The first finding of the checkers.
};

/// By kind of mutation.
using Tallies = std::map<std::string, Tally>;
void print(const Tallies& tallies);

/// Plants bugs in the PTX of the kernels in kernels/ and the corpus that are in `wanted`; in all if
/// it is empty.
Tallies mutatePtx(const std::set<std::string>& wanted);

}  // namespace tilestep::checkers
