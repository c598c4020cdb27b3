// SPDX-License-Identifier: Apache-2.0
// The part of `mutate` that plants bugs in compiled kernels.
#include <algorithm>
#include <cstdio>

#include "base/private_folder.h"
#include "checkers/kernel_runs.h"
#include "checkers/ptx_mutants.h"
#include "checkers/tally.h"
#include "corpus/corpus.h"
#include "support/source_root.h"

namespace tilestep::checkers {

void print(const Tallies& tallies) {
  std::printf(
      "\n| mutation | mutants | found by a checker | by the result alone | refused | the same | "
      "never reached | equal in any order | not found "
      "|\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n");
  std::map<std::string, int> kinds;
  for (const auto& [what, tally] : tallies) {
    int total = 0;
    const auto& fates = tally.fates;
    const auto of = [&fates](Fate fate) {
      const auto at = fates.find(fate);
      return at == fates.end() ? 0 : at->second;
    };
    for (const auto& [fate, count] : fates) total += count;
    for (const auto& [kind, count] : tally.kinds) kinds[kind] += count;
    std::printf("| %s | %d |", what.c_str(), total);
    for (const Fate fate : {Fate::checker, Fate::result, Fate::refused, Fate::same, Fate::unreached,
                            Fate::equal, Fate::alive}) {
      std::printf(" %d |", of(fate));
    }
    std::printf("\n");
  }
  std::printf("\nWhat the checkers said first:");
  for (const auto& [kind, count] : kinds) std::printf(" %s %d", kind.c_str(), count);
  std::printf("\n");
}

namespace {

struct Run {
  device::Job job;
  device::Outcome original;
};

class PtxRuns {
 public:
  void mutate(const std::string& name, const std::vector<corpus::Case>& cases, Tallies& tallies) {
    std::vector<Run> runs;
    for (const corpus::Case& each : cases) add(each, runs);
    if (runs.empty()) return;
    for (const PtxMutant& mutant : ptxMutantsOf(*runs[0].job.module)) {
      Tally& tally = tallies[mutant.what];
      const Fate fate = fateOf(mutant, runs, tally);
      ++tally.fates[fate];
      const bool barrier = mutant.what == "barrier deleted" && fate == Fate::result;
      if (fate != Fate::alive && fate != Fate::equal && !barrier) continue;
      std::printf("%s %s: %s, %s\n",
                  fate == Fate::alive ? "ALIVE "
                  : barrier           ? "RESULT"
                                      : "EQUAL ",
                  name.c_str(), mutant.what.c_str(), mutant.where.c_str());
      std::fflush(stdout);
    }
  }

 private:
  void add(const corpus::Case& each, std::vector<Run>& runs) {
    auto prepared = corpus::prepare(each, service_, simt_->info());
    if (!prepared) return;
    prepared->job.counters = true;
    prepared->job.timeoutSeconds = 2;
    auto outcome = simt_->run(prepared->job, {});
    if (!outcome || !outcome->faults.empty() || !outcome->hazards->empty()) return;
    runs.push_back({std::move(prepared->job), std::move(*outcome)});
  }

  Fate fateOf(const PtxMutant& mutant, const std::vector<Run>& runs, Tally& tally) {
    bool otherResult = false, otherRun = false, ran = false;
    for (const Run& run : runs) {
      device::Job job = run.job;
      job.module = mutant.module;
      const auto outcome = simt_->run(job, {});
      if (!outcome) continue;
      ran = true;
      if (!outcome->faults.empty() || !outcome->hazards->empty()) {
        ++tally.kinds[outcome->faults.empty() ? outcome->hazards->front().kind
                                              : outcome->faults.front().kind];
        return Fate::checker;
      }
      otherResult = otherResult || outcome->outputs != run.original.outputs ||
                    outcome->unwritten != run.original.unwritten;
      otherRun = otherRun || mutant.what != "comparison moved" ||
                 !(outcome->counters == run.original.counters);
    }
    if (!ran) return Fate::refused;
    if (otherResult) return Fate::result;
    if (!otherRun) return Fate::same;
    if (!isReached(mutant, runs)) return Fate::unreached;
    return isEqualInAnyOrder(mutant, runs) ? Fate::equal : Fate::alive;
  }

  bool isReached(const PtxMutant& mutant, const std::vector<Run>& runs) {
    return std::any_of(runs.begin(), runs.end(), [&](const Run& run) {
      device::Job job = run.job;
      job.module = trapAt(*run.job.module, mutant);
      const auto outcome = simt_->run(job, {});
      return !outcome || !outcome->faults.empty();
    });
  }

  bool isEqualInAnyOrder(const PtxMutant& mutant, const std::vector<Run>& runs) {
    return std::all_of(runs.begin(), runs.end(), [&](const Run& run) {
      for (uint64_t order = 1; order <= 8; ++order) {
        device::Job job = run.job;
        job.order = order;
        const auto right = simt_->run(job, {});
        job.module = mutant.module;
        const auto outcome = simt_->run(job, {});
        if (!outcome || !right || outcome->outputs != right->outputs) return false;
      }
      return true;
    });
  }

  const PrivateFolder cache_;
  compile::CompileService service_{{support::sourceRoot(), cache_.path().string(), ""}};
  std::unique_ptr<device::Device> simt_ = device::openSimt(1);
};

}  // namespace

Tallies mutatePtx(const std::set<std::string>& wanted) {
  Tallies tallies;
  PtxRuns runs;
  const auto isWanted = [&](const std::string& name) {
    return wanted.empty() || wanted.contains(name);
  };
  for (const auto& entry : compile::readCatalogue(support::sourceRoot() + "/kernels")) {
    if (!entry.spec || !isWanted(entry.spec->name)) continue;
    std::vector<corpus::Case> cases;
    for (const Point& point : pointsOf(*entry.spec, true)) {
      cases.push_back({"../../kernels/" + entry.spec->name, "", point.sizes, 0});
    }
    runs.mutate(entry.spec->name, cases, tallies);
  }
  for (const std::string& name : corpus::kernels()) {
    if (isWanted(name)) runs.mutate(name, corpus::casesOf(name), tallies);
  }
  return tallies;
}

}  // namespace tilestep::checkers
