// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>

namespace tilestep::checkers {

/// The fate of a mutant. `same`: it is the same program, or did the same in every run.
/// `unreached`: no run came to where it differs. `equal`: nothing differs in any order of blocks
/// and warps. `alive`: the result does in another order, or differs for an unknown reason.
enum class Fate { checker, result, refused, same, unreached, equal, alive };

struct Tally {
  std::map<Fate, int> fates;
  std::map<std::string, int> kinds;  ///< The first finding of the checkers.
};

/// By kind of mutation.
using Tallies = std::map<std::string, Tally>;
void print(const Tallies& tallies);

/// Plants bugs in the PTX of kernels/ and the corpus (those of `wanted`; all where it is empty).
Tallies mutatePtx(const std::set<std::string>& wanted);

}  // namespace tilestep::checkers
