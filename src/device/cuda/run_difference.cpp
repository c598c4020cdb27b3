// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/run_difference.h"

#include <algorithm>

#include "base/figure.h"
#include "ptx/analysis/uses.h"

namespace tilestep::cuda {
namespace {

template <class Matches>
bool anyInstruction(const ptx::Module& module, Matches matches) {
  return std::ranges::any_of(module.functions, [&](const ptx::Function& function) {
    return std::ranges::any_of(function.body, matches);
  });
}

bool isAtomic(const ptx::Instruction& each) {
  return ptx::effectOf(each) == ptx::Effect::atomic;
}

}  // namespace

std::optional<RunDifference> differenceOf(const device::Job& job, const Outputs& one,
                                          const Outputs& other) {
  for (size_t i = 0; i < job.operands.size() && i < one.size() && i < other.size(); ++i) {
    if (one[i] == other[i]) continue;
    RunDifference difference{job.operands[i].name, 0, 0, job.operands[i].elements};
    const size_t width = bytesOf(job.operands[i].type);
    const size_t bytes = std::min(one[i].size(), other[i].size());
    for (size_t at = 0; at + width <= bytes; at += width) {
      const auto begin = one[i].begin() + static_cast<ptrdiff_t>(at);
      if (std::equal(begin, begin + static_cast<ptrdiff_t>(width),
                     other[i].begin() + static_cast<ptrdiff_t>(at))) {
        continue;
      }
      if (difference.count++ == 0) difference.first = at / width;
    }
    return difference;
  }
  return std::nullopt;
}

bool addsFloatsAtomically(const ptx::Module& module) {
  return anyInstruction(module, [](const ptx::Instruction& each) {
    return isAtomic(each) && each.has("add") && ptx::isFloat(each.type);
  });
}

device::Fault differingResults(const device::Job& job, const std::string& names,
                               const std::string& kind, bool plainDiffer,
                               const RunDifference& difference) {
  const std::string where = " (" + difference.operand + ": " + grouped(difference.count) + " of " +
                            grouped(difference.elements) + " elements, the first " +
                            difference.operand + "[" + std::to_string(difference.first) + "])";
  const bool hasAtomics = job.module && anyInstruction(*job.module, isAtomic);
  const std::string race =
      hasAtomics ? "likely a race, or a result that depends on the order of its atomics"
                 : "likely a race";
  device::Fault fault;
  fault.kind = "results-differ";
  fault.count = difference.count;
  fault.message =
      plainDiffer
          ? "The results of " + names + " differ from run to run" + where + ": " + race + "."
          : "The " + kind + " run of " + names + " gave a different result from its plain runs" +
                where + ", whose results agree: " + race +
                " that appears only at a different speed, or the rewriting is at fault.";
  fault.message += " Look for it in the interpreter with --device simt --check.";
  return fault;
}

}  // namespace tilestep::cuda
