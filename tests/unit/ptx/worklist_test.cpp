// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/worklist.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>

#include "ptx/analysis/dataflow.h"
#include "ptx/analysis/graph.h"
#include "unit/ptx/support.h"

namespace tilestep::ptx::worklist_test {

using Numbers = std::vector<uint32_t>;

Graph randomGraph(std::mt19937& random, uint32_t size) {
  Graph edges(size);
  for (Numbers& to : edges) {
    for (uint32_t count = random() % 3; count > 0; --count)
      to.push_back(static_cast<uint32_t>(random() % size));
  }
  return edges;
}

/// Reachability by its definition: [from][to] is true if a path of at least one edge exists.
std::vector<Bits> waysOf(const Graph& edges) {
  const size_t size = edges.size();
  std::vector<Bits> ways(size, Bits(size, false));
  for (uint32_t from = 0; from < size; ++from) {
    for (const uint32_t to : edges[from]) ways[from][to] = true;
  }
  for (size_t by = 0; by < size; ++by) {
    for (size_t from = 0; from < size; ++from) {
      if (ways[from][by]) unite(ways[from], ways[by]);
    }
  }
  return ways;
}

TEST(Worklist, ReachAgreesWithTheDefinitionOnRandomGraphs) {
  std::mt19937 random(2);
  for (int round = 0; round < 200; ++round) {
    const Graph edges = randomGraph(random, 1 + round % 12);
    const std::vector<Bits> ways = waysOf(edges);
    const auto from = static_cast<uint32_t>(random() % edges.size());
    Bits expected = ways[from];
    expected[from] = true;
    EXPECT_EQ(reach(edges.size(), {from}, [&](uint32_t node) { return edges[node]; }), expected);
  }
}

TEST(Graph, CyclesAgreeWithTheDefinitionOnRandomGraphs) {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    const Graph edges = randomGraph(random, 1 + round % 12);
    const std::vector<Bits> ways = waysOf(edges);
    const Cycles cycles = cyclesOf(edges);
    for (uint32_t a = 0; a < edges.size(); ++a) {
      EXPECT_EQ(cycles.cyclic[a], ways[a][a]);
      for (uint32_t b = 0; b < edges.size(); ++b) {
        const bool isOne = a == b || (ways[a][b] && ways[b][a]);
        EXPECT_EQ(cycles.component[a] == cycles.component[b], isOne) << a << " and " << b;
      }
    }
  }
}

TEST(Dataflow, FactsFlowForwardAndBackwardThroughLoops) {
  const Function function = kernel("bra b;\na: @%p1 bra c;\nb: bra a;\nc: ret;\nbra c;");
  const ControlFlow flow = analyseControlFlow(function);
  const auto mark = [](uint32_t block, Bits& bits) { bits[block] = true; };
  const BlockBits passed = solveBlocks(flow, Direction::forward, flow.blocks.size(), mark);
  EXPECT_EQ(numbersOf(passed.in[1]), (Numbers{0, 1, 2}));
  EXPECT_EQ(numbersOf(passed.out[3]), (Numbers{0, 1, 2, 3, 4})) << "nothing reaches block 4";
  const BlockBits ahead = solveBlocks(flow, Direction::backward, flow.blocks.size(), mark);
  EXPECT_EQ(numbersOf(ahead.in[0]), (Numbers{1, 2, 3}));
  EXPECT_EQ(numbersOf(ahead.out[4]), (Numbers{3, 4}));
}

}  // namespace tilestep::ptx::worklist_test
