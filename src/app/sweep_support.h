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

/// Shared by `tilestep sweep` with and without --best.
namespace tilestep::app {

struct SweepOptions {
  std::string kernel;
  CsvWish csv;
  Choice choice;
  std::vector<std::string> commands;  ///< If empty, this program is started with `worker`.
  unsigned workers = 1;               ///< Workers for each command.
  unsigned threads = 0;
  lab::Experiment experiment;
  bool best = false;
  bool all = false;              ///< With `best`: times every candidate.
  std::optional<double> budget;  ///< With `best`: seconds for the search.
};

struct SweepPlan {
  Kernel kernel;
  std::vector<std::string> columns;
  std::vector<lab::Experiment> experiments;
};

/// Runs the points that the CSV file does not have, and prints the table; returns the exit status
/// (sweep_command.cpp).
int runSweep(const SweepOptions& options, const SweepPlan& plan);

struct SweepWorkers {
  std::vector<std::unique_ptr<worker::Client>> clients;
  /// By client: the number of earlier clients with the same command.
  std::vector<unsigned> shares;
};

/// Starts the workers. Local ones share this machine's cores.
Result<SweepWorkers> startWorkers(const SweepOptions& options);

/// Makes Ctrl-C, and the SIGTERM of a cluster's scheduler, end the sweep but keep its results. A
/// second signal ends the program.
void catchInterrupts();
[[nodiscard]] bool interrupted();

/// A text table: the columns that are not empty, without those in `hidden`.
[[nodiscard]] std::string tableOf(const std::vector<std::string>& columns,
                                  const std::vector<lab::SweepLine>& lines,
                                  const std::set<std::string>& hidden = {});

/// A warning that the points were timed on different devices.
[[nodiscard]] std::string mixedSentence(const std::set<std::string>& devices);
/// A warning that the points were compiled by different compilers, such as "nvrtc 13.0".
[[nodiscard]] std::string mixedCompilersSentence(const std::set<std::string>& compilers);

/// Reports that the CSV file is incomplete, and how to continue it; returns the exit status.
int failIncomplete(const CsvFile& csv);

/// `sweep --best`: searches the tunables for the fastest choice (best_command.cpp).
int sweepForBest(const SweepOptions& options);

}  // namespace tilestep::app
