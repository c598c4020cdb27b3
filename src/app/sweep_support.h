// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/csv_file.h"
#include "app/kernel_choice.h"
#include "lab/sweep.h"
#include "worker/crew.h"

/// What `tilestep sweep` has in common with and without --best.
namespace tilestep::app {

struct SweepOptions {
  std::string kernel;
  CsvWish csv;
  Choice choice;
  std::vector<std::string> commands;  ///< Empty: this program with `worker`.
  unsigned workers = 1;               ///< Workers for each command.
  unsigned threads = 0;
  lab::Experiment experiment;
  bool best = false;
  bool all = false;              ///< With `best`: drop nothing before it is timed.
  std::optional<double> budget;  ///< With `best`: seconds for the search.
};

struct SweepWorkers {
  std::vector<std::unique_ptr<worker::Client>> clients;
  std::vector<unsigned> shares;  ///< How many before it have the same command.
};

/// The workers share this machine's cores where they are local.
Result<SweepWorkers> startWorkers(const SweepOptions& options);

/// Ctrl-C ends the sweep and keeps what is done, as does a cluster's SIGTERM; a second one ends the
/// program.
void catchInterrupts();
[[nodiscard]] bool interrupted();

/// What people read: the columns that hold anything, without those in `hidden`.
[[nodiscard]] std::string tableOf(const std::vector<std::string>& columns,
                                  const std::vector<lab::SweepLine>& lines,
                                  const std::set<std::string>& hidden = {});

/// Warns if workers run on machines of different kinds, which the table does not show.
[[nodiscard]] std::string mixedSentence(const std::set<std::string>& devices);

/// `sweep --best`: searches the tunables for the fastest choice (best_command.cpp).
int sweepForBest(const SweepOptions& options);

}  // namespace tilestep::app
