// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/control_flow.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "ptx/text/parser.h"
#include "support/results.h"
#include "unit/ptx/support.h"

namespace tilestep::ptx::control_flow_test {

/// A kernel with `labels` labels and `branches` indexed branches to all of them.
std::string branchesToLabels(size_t branches, size_t labels) {
  std::string table = "T: .branchtargets ", body;
  for (size_t i = 0; i < labels; ++i) {
    table += (i == 0 ? "L" : ", L") + std::to_string(i);
    body += "L" + std::to_string(i) + ": @%p1 ret;\n";
  }
  for (size_t i = 0; i < branches; ++i) body += "brx.idx %r1, T;\n";
  return kernelText(table + ";\n" + body + "ret;");
}

TEST(ControlFlow, ALargeBranchTableIsStoredOnce) {
  const auto module = valueOrThrow(parse(branchesToLabels(1000, 1000)));
  const Function& function = module.functions.front();
  EXPECT_EQ(function.tables.at(0).targets.size(), 1000U);
  EXPECT_EQ(function.body[1000].operands[1].elements.size(), 0U);
  const ControlFlow flow = analyseControlFlow(function);
  EXPECT_EQ(flow.blocks[flow.blockOf[1000]].successors.size(), 1000U);
}

TEST(ControlFlow, TooManyBranchTargetsAreRefused) {
  const Result<Module> module = parse(branchesToLabels(1001, 1000));
  EXPECT_TRUE(fails(module,
                    "the function has 1001000 branch targets in total; at most "
                    "1000000 can be analysed"));
}

TEST(ControlFlow, TooManyFactsAreRefused) {
  // Every register may be live in every block.
  std::string registers = ".reg .u32 %a<40000>;\n", blocks, guarded, reads;
  for (int i = 0; i < 30000; ++i) {
    const std::string number = std::to_string(i);
    registers += "mov.u32 %a" + number + ", %r1;\n";
    blocks += "M" + number + ": @%p1 bra M" + number + ";\n";
  }
  const Result<Module> wide = parse(kernelText(registers + blocks + "ret;"));
  EXPECT_TRUE(fails(wide, "pairs of a branch or label and a register"));
  // Every read may see every write.
  for (int i = 0; i < 20000; ++i) {
    guarded += "@%p1 mov.u32 %r1, 1;\n";
    reads += "mov.u32 %r2, %r1;\n";
  }
  const Result<Module> deep = parse(kernelText(guarded + reads + "ret;"));
  EXPECT_TRUE(fails(deep, "pairs of a write and a read of one register"));
}

/// A function of random instructions: ret, additions, and branches, guarded or not, to anywhere.
Function randomFunction(std::mt19937& random, uint32_t size) {
  const auto below = [&](uint32_t limit) { return static_cast<uint32_t>(random() % limit); };
  std::string body;
  for (uint32_t i = 0; i < size; ++i) {
    body += "L" + std::to_string(i) + ": ";
    const uint32_t kind = below(8);
    const std::string target = "L" + std::to_string(below(size));
    if (kind == 0) {
      body += "ret;\n";
    } else if (kind == 1) {
      body += "bra " + target + ";\n";
    } else {
      body += (kind < 5 ? "@%p1 bra " + target : "add.u32 %r1, %r1, 1") + ";\n";
    }
  }
  return kernel(body);
}

std::vector<uint32_t> successorsOf(const Function& function, uint32_t i) {
  const Instruction& at = function.body[i];
  const auto end = static_cast<uint32_t>(function.body.size());
  if (at.opcode == Opcode::ret) return {end};
  std::vector<uint32_t> next;
  if (at.opcode == Opcode::bra) next.push_back(at.operands[0].target);
  if (at.opcode != Opcode::bra || at.guard.reg != kNone) next.push_back(i + 1);
  return next;
}

/// Whether a path leads from `from` to the end without passing `without`.
bool reachesEnd(const Function& function, uint32_t from, uint32_t without) {
  std::set<uint32_t> seen{from};
  std::vector<uint32_t> work{from};
  while (!work.empty()) {
    const uint32_t at = work.back();
    work.pop_back();
    if (at == function.body.size()) return true;
    for (const uint32_t next : successorsOf(function, at)) {
      if (next != without && seen.insert(next).second) work.push_back(next);
    }
  }
  return false;
}

/// Applies the definition: no path to the end avoids a post-dominator, and all other
/// post-dominators post-dominate the immediate post-dominator.
uint32_t slowReconvergence(const Function& function, uint32_t branch) {
  const auto end = static_cast<uint32_t>(function.body.size());
  std::vector<uint32_t> all;
  for (uint32_t i = 0; i < end; ++i) {
    if (i != branch && !reachesEnd(function, branch, i)) all.push_back(i);
  }
  for (const uint32_t candidate : all) {
    bool isNearest = true;
    for (const uint32_t other : all) {
      if (other != candidate && reachesEnd(function, candidate, other)) isNearest = false;
    }
    if (isNearest) return candidate;
  }
  return end;
}

TEST(ControlFlow, AgreesWithTheDefinitionOnRandomFunctions) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const Function function = randomFunction(random, 2 + round % 14);
    const ControlFlow flow = analyseControlFlow(function);
    for (uint32_t i = 0; i < function.body.size(); ++i) {
      if (flow.reconvergence[i] == kNone || !reachesEnd(function, i, kNone)) continue;
      ASSERT_EQ(flow.reconvergence[i], slowReconvergence(function, i)) << "round " << round;
    }
  }
}

TEST(ControlFlow, HandlesManyBranchesToOneLabel) {
  std::string body;
  for (int i = 0; i < 20000; ++i) body += "@%p1 bra end;\n";
  const Function function = kernel(body + "end: ret;");
  const ControlFlow flow = analyseControlFlow(function);
  EXPECT_EQ(flow.reconvergence[0], 20000U);
  EXPECT_EQ(flow.reconvergence[19999], 20000U);
}

}  // namespace tilestep::ptx::control_flow_test
