// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/accumulators.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "ptx/analysis/control_flow.h"
#include "ptx/analysis/definitions.h"
#include "ptx/analysis/graph.h"
#include "ptx/analysis/value_flow.h"
#include "ptx/analysis/worklist.h"

namespace tilestep::ptx {
namespace {

using Step = ValueFlow::Step;

/// A union-find structure over definitions. A class is *running* if it holds one running value.
class Classes {
 public:
  explicit Classes(size_t count) : parent_(count), isRunning_(count, false) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }

  uint32_t find(uint32_t definition) {
    while (parent_[definition] != definition) {
      definition = parent_[definition] = parent_[parent_[definition]];
    }
    return definition;
  }
  bool isRunning(uint32_t definition) { return isRunning_[find(definition)]; }

  /// Merges the classes of `a` and `b` into one running class. Returns whether anything changed.
  bool join(uint32_t a, uint32_t b) {
    a = find(a);
    b = find(b);
    const bool isNews = a != b || !isRunning_[a];
    parent_[b] = a;
    isRunning_[a] = true;
    return isNews;
  }

 private:
  std::vector<uint32_t> parent_;
  std::vector<bool> isRunning_;
};

class Analysis {
 public:
  Analysis(ValueFlows flows, const ControlFlow& control, size_t definitions, size_t instructions)
      : flows_(std::move(flows)),
        control_(control),
        definitions_(definitions),
        instructions_(instructions),
        classes_(definitions) {}

  Accumulators run() {
    findLoops();
    findChains();
    spread();
    joinAtSinks();
    spread();
    followResults();
    markWanted();
    return number();
  }

 private:
  template <class Visit>
  void forEachEdge(Visit visit) const {
    for (const ValueFlow& flow : flows_.carried) {
      for (const Sources& sources : flow.from) {
        for (const uint32_t source : sources) visit(source, flow);
      }
    }
  }

  /// Finds values that are updated in a loop by additions and copies of themselves.
  void findLoops() {
    Graph edges(definitions_);
    forEachEdge([&](uint32_t source, const ValueFlow& flow) { edges[source].push_back(flow.to); });
    const std::vector<uint32_t> component = cyclesOf(edges).component;
    std::vector<bool> isFed(definitions_, false);
    forEachEdge([&](uint32_t source, const ValueFlow& flow) {
      const bool isInLoop = component[source] == component[flow.to];
      if (isInLoop && flow.step != Step::copy) isFed[component[source]] = true;
    });
    forEachEdge([&](uint32_t source, const ValueFlow& flow) {
      const bool isInLoop = component[source] == component[flow.to];
      if (isInLoop && isFed[component[source]]) classes_.join(source, flow.to);
    });
  }

  /// Finds sums in straight-line code: an fma that adds to the result of another fma.
  void findChains() {
    std::vector<bool> isSum(definitions_, false);
    for (const ValueFlow& flow : flows_.carried) {
      if (flow.step == Step::multiplyAdd) isSum[flow.to] = true;
    }
    forEachEdge([&](uint32_t source, const ValueFlow& flow) {
      if (flow.step == Step::multiplyAdd && isSum[source]) classes_.join(source, flow.to);
    });
  }

  /// Adds copies of a running value and later additions to that value to its class. A sum of two
  /// different running values belongs to neither class.
  void spread() {
    sweep(flows_.carried.size(), [&](uint32_t at) { return spreadTo(flows_.carried[at]); });
  }

  bool spreadTo(const ValueFlow& flow) {
    bool changed = false;
    uint32_t running = kNone;
    bool isMixed = false;
    for (const Sources& sources : flow.from) {
      const uint32_t one = joinRunning(sources, changed);
      if (one == kNone) continue;
      isMixed |= running != kNone && classes_.find(running) != classes_.find(one);
      running = one;
    }
    if (running != kNone && !isMixed) changed |= classes_.join(running, flow.to);
    return changed;
  }

  /// If each thread runs one of two loops before a common store, the sums of both are one value.
  void joinAtSinks() {
    for (const ValueSink& sink : flows_.sinks) {
      for (const Sources& sources : sink.elements) {
        uint32_t running = kNone;
        for (const uint32_t source : sources) {
          if (!classes_.isRunning(source)) continue;
          if (running != kNone && areExclusive(running, source)) classes_.join(running, source);
          running = source;
        }
      }
    }
  }

  /// Whether no thread can run updates of both values.
  bool areExclusive(uint32_t a, uint32_t b) {
    const std::vector<uint32_t> ofA = blocksOf(a), ofB = blocksOf(b);
    return !leads(ofA, ofB) && !leads(ofB, ofA);
  }

  std::vector<uint32_t> blocksOf(uint32_t definition) {
    std::vector<uint32_t> blocks;
    for (const ValueFlow& flow : flows_.carried) {
      if (flow.step != Step::copy && classes_.find(flow.to) == classes_.find(definition))
        blocks.push_back(control_.blockOf[flow.instruction]);
    }
    return blocks;
  }

  [[nodiscard]] bool leads(const std::vector<uint32_t>& from,
                           const std::vector<uint32_t>& to) const {
    const std::vector<bool> reached = reach(
        control_.blocks.size(),
        from, [&](uint32_t block) -> const auto& { return control_.blocks[block].successors; });
    return std::ranges::any_of(to, [&](uint32_t block) { return reached[block]; });
  }

  /// Merges running values that may be in the same register, such as those of a loop and its
  /// remainder loop. Returns the resulting class, or kNone.
  uint32_t joinRunning(const Sources& sources, bool& changed) {
    uint32_t running = kNone;
    for (const uint32_t source : sources) {
      if (!classes_.isRunning(source)) continue;
      if (running != kNone) changed |= classes_.join(running, source);
      running = source;
    }
    return running;
  }

  static uint32_t meet(uint32_t a, uint32_t b) {
    if (a == kNone || a == b) return b;
    return b == kNone ? a : kMixed;
  }

  uint32_t resultOf(const Sources& sources) const {
    uint32_t result = kNone;
    for (const uint32_t source : sources) result = meet(result, results_[source]);
    return result;
  }

  /// Computes results_[d]: the only class from which definition d's value was derived, kNone if
  /// there is no such class, or kMixed if there are several.
  void followResults() {
    results_.assign(definitions_, kNone);
    for (uint32_t definition = 0; definition < definitions_; ++definition) {
      if (classes_.isRunning(definition)) results_[definition] = classes_.find(definition);
    }
    Graph readers(definitions_);
    for (uint32_t at = 0; at < flows_.derived.size(); ++at) {
      for (const uint32_t source : flows_.derived[at].from) readers[source].push_back(at);
    }
    solve(
        flows_.derived.size(), Direction::forward, [&](uint32_t at) { return follow(at); },
        [&](uint32_t at) -> const auto& { return readers[flows_.derived[at].to]; });
  }

  bool follow(uint32_t at) {
    const Derivation& derivation = flows_.derived[at];
    if (classes_.isRunning(derivation.to)) return false;
    const uint32_t result = meet(results_[derivation.to], resultOf(derivation.from));
    return std::exchange(results_[derivation.to], result) != result;
  }

  void markWanted() {
    isWanted_.assign(definitions_, false);
    for (const ValueSink& sink : flows_.sinks) {
      for (const Sources& sources : sink.elements) {
        const uint32_t result = resultOf(sources);
        if (result < kMixed) isWanted_[result] = true;
      }
    }
  }

  Accumulators number() {
    Accumulators found;
    std::vector<uint32_t> numbers(definitions_, kNone);
    found.updatedBy.assign(instructions_, kNone);
    for (const ValueFlow& flow : flows_.carried) {
      if (!updates(flow)) continue;
      uint32_t& number = numbers[classes_.find(flow.to)];
      if (number == kNone) number = found.count++;
      if (flow.elements == 0) {
        found.updatedBy[flow.instruction] = number;
      } else {
        auto& vector = found.vectors[flow.instruction];
        vector.resize(flow.elements, kNone);
        vector[flow.element] = number;
      }
    }
    for (const ValueSink& sink : flows_.sinks) {
      if (sink.isGlobalStore) addStore(found, sink, numbers);
    }
    return found;
  }

  bool updates(const ValueFlow& flow) {
    if (flow.step == Step::copy || !classes_.isRunning(flow.to)) return false;
    return isWanted_[classes_.find(flow.to)];
  }

  void addStore(Accumulators& found, const ValueSink& sink,
                const std::vector<uint32_t>& numbers) const {
    AccumulatorStore store{sink.instruction, {}};
    bool hasAny = false;
    for (const Sources& sources : sink.elements) {
      const uint32_t result = resultOf(sources);
      const uint32_t number = result < kMixed ? numbers[result] : kNone;
      store.elements.push_back(number);
      hasAny |= number != kNone;
    }
    if (hasAny) found.stores.push_back(std::move(store));
  }

  static constexpr uint32_t kMixed = kNone - 1;

  ValueFlows flows_;
  const ControlFlow& control_;
  size_t definitions_;
  size_t instructions_;
  Classes classes_;
  std::vector<uint32_t> results_;
  std::vector<bool> isWanted_;  ///< By class.
};

}  // namespace

std::vector<std::pair<uint32_t, uint32_t>> Accumulators::storePairs() const {
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  for (const AccumulatorStore& store : stores)
    for (const uint32_t accumulator : store.elements)
      if (accumulator != kNone) pairs.emplace_back(accumulator, store.instruction);
  std::ranges::sort(pairs);
  pairs.erase(std::ranges::unique(pairs).begin(), pairs.end());
  return pairs;
}

Accumulators findAccumulators(const Function& function) {
  const ControlFlow flow = analyseControlFlow(function);
  const Definitions definitions(function, flow);
  return Analysis(collectValueFlows(function, definitions), flow, definitions.count(),
                  function.body.size())
      .run();
}

}  // namespace tilestep::ptx
