// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/size_limits.h"

#include <vector>

#include "ptx/analysis/branches.h"
#include "ptx/analysis/uses.h"

namespace tilestep::ptx {
namespace {

constexpr uint64_t kMostTargets = 1'000'000;
constexpr uint64_t kMostBlockFacts = 1'000'000'000;
constexpr uint64_t kMostPairs = 100'000'000;

std::string tooMany(uint64_t count, const std::string& what, uint64_t most) {
  return "the function has " + std::to_string(count) + " " + what + "; at most " +
         std::to_string(most) + " can be analysed";
}

uint64_t targetsOf(const Function& function) {
  uint64_t targets = 0;
  for (const Instruction& i : function.body) {
    targets += i.opcode == Opcode::brx ? branchTable(function, i).targets.size() : 0;
    targets += isBranch(i) ? 1 : 0;
  }
  return targets;
}

struct Uses {
  uint64_t writes = 0, reads = 0;
};

std::vector<Uses> usesOf(const Function& function) {
  std::vector<Uses> uses(function.registers.size());
  for (const Instruction& i : function.body) {
    for (const uint32_t reg : writtenRegisters(i)) ++uses[reg].writes;
    for (const uint32_t reg : readRegisters(i)) ++uses[reg].reads;
  }
  return uses;
}

}  // namespace

std::string whyTooLarge(const Function& function) {
  const uint64_t targets = targetsOf(function);
  if (targets > kMostTargets) return tooMany(targets, "branch targets in total", kMostTargets);
  // A register that is written only once needs no set of reaching definitions.
  uint64_t facts = function.registers.size(), pairs = 0;
  for (const Uses& each : usesOf(function)) {
    if (each.writes < 2) continue;
    facts += each.writes;
    pairs += each.writes * each.reads;
  }
  // Blocks begin at labels and after branches.
  const uint64_t blockFacts = (function.labels.size() + targets) * facts;
  if (blockFacts > kMostBlockFacts)
    return tooMany(blockFacts, "pairs of a branch or label and a register", kMostBlockFacts);
  if (pairs > kMostPairs)
    return tooMany(pairs, "pairs of a write and a read of one register", kMostPairs);
  return {};
}

}  // namespace tilestep::ptx
