// SPDX-License-Identifier: Apache-2.0
// Analyses of kernels with arbitrary branches: loops with several entries, unreachable code,
// branches to the end, empty bodies. Results are compared with the definitions.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "fuzz/checks.h"
#include "fuzz/random_program.h"
#include "ptx/analysis/definitions.h"
#include "ptx/analysis/graph.h"
#include "ptx/analysis/liveness.h"
#include "ptx/analysis/uses.h"
#include "ptx/analysis/worklist.h"
#include "ptx/text/parser.h"
#include "simt/check/first_looks.h"
#include "simt/check/row_watch.h"
#include "simt/engines.h"
#include "simt/program.h"

namespace tilestep::fuzz::flow_fuzz_test {

constexpr uint64_t kPrograms = 1500;

/// Calls check(function, text) for the kernels of `programs` programs.
template <class Check>
void forEachFlow(uint64_t programs, Check check) {
  for (uint64_t number = 0; number < programs; ++number) {
    const std::string text = randomFlow(number);
    const Result<ptx::Module> module = ptx::parse(text, "flow.ptx");
    ASSERT_TRUE(module) << toString(module.error()) << "\n" << text;
    check(*module, *module->find("fuzz"), text);
    if (testing::Test::HasFatalFailure()) FAIL() << "program " << number << ":\n" << text;
  }
}

/// By instruction: its possible successors.
ptx::Graph stepsOf(const ptx::ControlFlow& flow) {
  ptx::Graph steps(flow.blockOf.size());
  for (const ptx::BasicBlock& block : flow.blocks) {
    for (uint32_t i = block.first; i + 1 < block.end; ++i) steps[i] = {i + 1};
    for (const uint32_t next : block.successors)
      steps[block.end - 1].push_back(flow.blocks[next].first);
  }
  return steps;
}

bool contains(const std::vector<uint32_t>& registers, uint32_t reg) {
  return std::ranges::find(registers, reg) != registers.end();
}

/// By instruction: whether a path from directly after `from` (from the function's start for kNone)
/// reaches it without a certain write of the register.
ptx::Bits seesFrom(const ptx::Function& function, const ptx::Graph& steps, uint32_t from,
                   uint32_t reg) {
  const std::vector<uint32_t> first =
      from != ptx::kNone ? steps[from] : std::vector<uint32_t>(function.body.empty() ? 0 : 1, 0);
  return ptx::reach(steps.size(), first, [&](uint32_t i) {
    const ptx::Instruction& at = function.body[i];
    const bool ends = at.guard.reg == ptx::kNone && contains(ptx::writtenRegisters(at), reg);
    return ends ? std::vector<uint32_t>() : steps[i];
  });
}

TEST(FlowFuzz, EveryKernelIsAnalysedAndRoundTrips) {
  forEachFlow(kPrograms, [](const auto&, const auto&, const std::string& text) {
    ASSERT_EQ(checkPtx(text), "");
  });
}

TEST(FlowFuzz, LivenessAgreesWithItsDefinition) {
  size_t found = 0;
  forEachFlow(300, [&](const auto&, const ptx::Function& function, const std::string&) {
    const ptx::ControlFlow flow = ptx::analyseControlFlow(function);
    const ptx::Graph steps = stepsOf(flow);
    const ptx::Bits early = ptx::Liveness(function, flow).readBeforeWritten();
    for (uint32_t reg = 0; reg < early.size(); ++reg) {
      const ptx::Bits seen = seesFrom(function, steps, ptx::kNone, reg);
      bool isRead = false;
      for (const uint32_t i : ptx::numbersOf(seen))
        isRead = isRead || contains(ptx::readRegisters(function.body[i]), reg);
      ASSERT_EQ(early[reg], isRead) << function.registers[reg].name;
      found += isRead ? 1 : 0;
    }
  });
  EXPECT_GT(found, 1000U);
}

/// By register: the number of instructions that write it; empty if one instruction writes a
/// register twice.
std::vector<size_t> writersOf(const ptx::Function& function) {
  std::vector<size_t> writers(function.registers.size(), 0);
  std::set<uint32_t> twice;
  for (const ptx::Instruction& i : function.body) {
    std::set<uint32_t> here;
    for (const uint32_t reg : ptx::writtenRegisters(i)) {
      ++writers[reg];
      if (!here.insert(reg).second) twice.insert(reg);
    }
  }
  for (const uint32_t reg : twice) writers[reg] = 0;
  return writers;
}

TEST(FlowFuzz, TheWritesThatAReadMaySeeAgreeWithTheDefinition) {
  size_t found = 0;
  forEachFlow(300, [&](const auto&, const ptx::Function& function, const std::string&) {
    const ptx::ControlFlow flow = ptx::analyseControlFlow(function);
    const ptx::Definitions definitions(function, flow);
    const ptx::Graph steps = stepsOf(flow);
    const std::vector<size_t> writers = writersOf(function);
    using Pairs = std::set<std::pair<uint32_t, uint32_t>>;  // (definition, who reads it)
    Pairs expected, actual;
    for (uint32_t i = 0; i < function.body.size(); ++i) {
      uint32_t definition = definitions.firstOf(i);
      for (const uint32_t reg : ptx::writtenRegisters(function.body[i])) {
        const uint32_t number = definition++;
        if (writers[reg] < 2) continue;  // A single write counts as visible everywhere.
        for (const uint32_t at : ptx::numbersOf(seesFrom(function, steps, i, reg))) {
          if (contains(ptx::readRegisters(function.body[at]), reg)) expected.insert({number, at});
        }
      }
    }
    definitions.walk([&](uint32_t at, const ptx::Definitions::Sets& sets) {
      for (const uint32_t reg : ptx::readRegisters(function.body[at])) {
        if (writers[reg] < 2) continue;
        for (const uint32_t definition : sets[reg]) actual.insert({definition, at});
      }
    });
    ASSERT_EQ(actual, expected);
    found += expected.size();
  });
  EXPECT_GT(found, 1000U);
}

TEST(FlowFuzz, TheCheckersAnalyseEveryKernel) {
  size_t rows = 0;
  forEachFlow(kPrograms, [&](const ptx::Module& module, const ptx::Function& entry, const auto&) {
    ASSERT_EQ(simt::firstLooks(entry).size(), entry.body.size());
    const std::vector<simt::KnownParameter> known{{"out", simt::kGlobalStart, 0, 100, 4},
                                                  {"in", simt::kGlobalStart, 1, 100, 4},
                                                  {"n", 100, -1, 0, 0}};
    const simt::Symbols symbols(module, entry, {});
    const simt::Program program =
        simt::decode(entry, symbols, *simt::engines().front(),
                     {.checked = true, .parameters = &known, .interleaved = true});
    for (const simt::DecodedBlock& block : program.blocks) {
      ASSERT_TRUE(block.next == simt::kNoBlock || block.next < program.blocks.size());
      ASSERT_LE(block.begin, block.end);
    }
    const ptx::RegisterGraph graph(entry);
    const std::vector<std::string> width{"n"};
    const simt::RowParts parts(entry, graph, width);
    for (uint32_t reg = 0; reg < entry.registers.size(); ++reg)
      rows += parts.of(reg).kind == simt::RowParts::Kind::rows ? 1 : 0;
  });
  EXPECT_GT(rows, 0U) << "some registers hold row * n + column";
}

}  // namespace tilestep::fuzz::flow_fuzz_test
