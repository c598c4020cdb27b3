// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/worklist.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>

#include "ptx/analysis/dataflow.h"
#include "ptx/analysis/graph.h"
#include "unit/ptx/support.h"

namespace tilestep::ptx {
namespace worklist_test {

using Numbers = std::vector<uint32_t>;

const auto kNowhere = [](uint32_t) { return Numbers(); };

Graph randomGraph(std::mt19937& random, uint32_t size) {
  Graph edges(size);
  for (Numbers& to : edges) {
    for (uint32_t count = random() % 3; count > 0; --count)
      to.push_back(static_cast<uint32_t>(random() % size));
  }
  return edges;
}

/// By definition: pairs of nodes with a way of at least one edge between them.
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

TEST(Worklist, NodesWaitOnceAndFirstComeFirstServed) {
  Worklist work(3);
  Numbers visited;
  for (const uint32_t node : {2U, 0U, 2U}) work.add(node);
  work.run([&](uint32_t node) {
    visited.push_back(node);
    if (visited.size() < 4) work.add(1);
  });
  EXPECT_EQ(visited, (Numbers{2, 0, 1, 1}));
}

TEST(Worklist, ASolverVisitsAllNodesOnceWhereNothingChanges) {
  for (const Direction order : {Direction::forward, Direction::backward}) {
    Numbers visited;
    const auto update = [&](uint32_t node) {
      visited.push_back(node);
      return false;
    };
    solve(3, order, update, kNowhere);
    EXPECT_EQ(visited, order == Direction::forward ? (Numbers{0, 1, 2}) : (Numbers{2, 1, 0}));
  }
}

TEST(Worklist, ASolverVisitsWhatDependsOnAChangeAgain) {
  // The least number on any way to a node, in a graph with loops.
  const Graph edges{{}, {2}, {3}, {1, 4}, {}};
  Numbers least{7, 5, 9, 3, 8};
  const Graph back = reversed(edges);
  const auto update = [&](uint32_t node) {
    uint32_t now = least[node];
    for (const uint32_t before : back[node]) now = std::min(now, least[before]);
    return std::exchange(least[node], now) != now;
  };
  solve(edges.size(), Direction::forward, update, [&](uint32_t node) { return edges[node]; });
  EXPECT_EQ(least, (Numbers{7, 3, 3, 3, 3}));
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

TEST(Worklist, ASweepStartsOverUntilARoundChangesNothing) {
  std::vector<int> left{0, 2, 1};
  Numbers visited;
  sweep(left.size(), [&](uint32_t node) {
    visited.push_back(node);
    return left[node]-- > 0;
  });
  EXPECT_EQ(visited, (Numbers{0, 1, 2, 0, 1, 2, 0, 1, 2}));
}

TEST(Worklist, FactsSettleOrRunOutOfRounds) {
  int facts = 0;
  const auto towardsThree = [](int now) { return std::min(now + 1, 3); };
  EXPECT_FALSE(settle(facts, 3, towardsThree)) << "the fourth round would show that it is 3";
  facts = 0;
  EXPECT_TRUE(settle(facts, 4, towardsThree));
  EXPECT_EQ(facts, 3);
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

TEST(Graph, AChainThatIsVeryLongIsNoTrouble) {
  Graph edges(200000);
  for (uint32_t node = 0; node + 1 < edges.size(); ++node) edges[node].push_back(node + 1);
  edges.back().push_back(0);
  EXPECT_EQ(cyclesOf(edges).component, Numbers(edges.size(), 0));
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

TEST(Dataflow, OnlyInstructionsThatRunAgainAreInLoops) {
  // Two ways into the loop of b and c; a block that loops to itself; code that nothing reaches.
  const Function function = kernel(
      "@%p1 bra c;\nb: add.u32 %r1, %r1, 1;\n@%p2 bra d;\nc: @%p3 bra b;\nd: ret;\n"
      "e: add.u32 %r2, %r2, 1;\n@%p4 bra e;\nbra d;");
  const ControlFlow flow = analyseControlFlow(function);
  std::string inLoops;
  for (uint32_t i = 0; i < function.body.size(); ++i) inLoops += flow.isInLoop(i) ? 'L' : '-';
  EXPECT_EQ(inLoops, "-LLL-LL-");
  EXPECT_EQ(flow.loops.component[flow.blockOf[1]], flow.loops.component[flow.blockOf[3]]);
  EXPECT_NE(flow.loops.component[flow.blockOf[1]], flow.loops.component[flow.blockOf[5]]);
}

TEST(Dataflow, PredecessorsAreTheSuccessorsTurnedRound) {
  const Function function = kernel("@%p1 bra c;\nb: @%p2 bra c;\nbra b;\nc: ret;");
  const ControlFlow flow = analyseControlFlow(function);
  Graph successors, predecessors;
  for (const BasicBlock& block : flow.blocks) {
    successors.push_back(block.successors);
    predecessors.push_back(block.predecessors);
  }
  EXPECT_EQ(predecessors, reversed(successors));
}

}  // namespace worklist_test
}  // namespace tilestep::ptx
