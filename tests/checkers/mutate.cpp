// SPDX-License-Identifier: Apache-2.0
// mutate [--ptx] [KERNEL ...]: plants one bug at each barrier, bound and index of the kernels, runs
// each mutant in the interpreter with --check, and reports what found it. Without KERNEL, it uses
// all of kernels/. --ptx plants bugs in the compiled PTX, also that of the corpus. Prints a line
// for each mutant that nothing found, and a table.
#include <cstdio>
#include <set>

#include "base/files.h"
#include "checkers/kernel_runs.h"
#include "checkers/mutants.h"
#include "checkers/tally.h"
#include "support/source_root.h"

namespace {

using namespace tilestep;
using namespace tilestep::checkers;

/// PTX without comments. Equal PTX means the same program.
std::string ptxOf(lab::Lab& lab, const compile::KernelSource& source) {
  lab::Experiment experiment;
  experiment.source = source;
  experiment.device = "simt";
  const auto ptx = lab.ptx(experiment, false);
  return ptx ? *ptx : std::string();
}

Fate fateOf(lab::Lab& lab, const Mutant& mutant, const std::vector<Point>& points, Tally& tally) {
  bool wrongResult = false, ran = false;
  for (const Point& point : points) {
    const auto result = runChecked(lab, mutant.source, point, 5);
    if (!result) continue;
    ran = true;
    const bool told = !result->faults.empty() || (result->hazards && !result->hazards->empty());
    if (told) {
      ++tally.kinds[result->faults.empty() ? result->hazards->front().kind
                                           : result->faults.front().kind];
      return Fate::checker;
    }
    wrongResult = wrongResult || (result->check && !result->check->ok);
  }
  return wrongResult ? Fate::result : ran ? Fate::alive : Fate::refused;
}

void mutateOne(lab::Lab& lab, const compile::KernelSource& source, const compile::KernelSpec& spec,
               Tallies& tallies) {
  const std::string original = ptxOf(lab, source);
  const std::vector<Point> points = pointsOf(spec, false);
  for (const Mutant& mutant : mutantsOf(source)) {
    Tally& tally = tallies[mutant.what.starts_with("index") ? "index moved by one"
                           : mutant.what.starts_with(" ")   ? "bound moved by one"
                                                            : mutant.what];
    const bool same = !original.empty() && ptxOf(lab, mutant.source) == original;
    const Fate fate = same ? Fate::same : fateOf(lab, mutant, points, tally);
    ++tally.fates[fate];
    if (fate != Fate::alive && fate != Fate::result) continue;
    std::printf("%s %s:%d %s\n    %s\n    %s\n", fate == Fate::alive ? "ALIVE " : "RESULT",
                spec.name.c_str(), mutant.line, mutant.what.c_str(), mutant.before.c_str(),
                mutant.after.c_str());
    std::fflush(stdout);
  }
}

}  // namespace

int main(int count, char** words) {
  std::set<std::string> wanted(words + 1, words + count);
  if (wanted.erase("--ptx") != 0) {
    print(mutatePtx(wanted));
    return 0;
  }
  lab::Lab lab({support::sourceRoot(), "", 1});
  Tallies tallies;
  for (const compile::CatalogueEntry& entry :
       compile::readCatalogue(support::sourceRoot() + "/kernels")) {
    if (!entry.spec || (!wanted.empty() && !wanted.contains(entry.spec->name))) continue;
    mutateOne(lab, entry.source, *entry.spec, tallies);
  }
  print(tallies);
  return 0;
}
