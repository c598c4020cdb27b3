// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <thread>

#include "app/commands.h"
#include "app/csv_file.h"
#include "app/options.h"
#include "app/sweep_progress.h"
#include "app/text_table.h"
#include "lab/sweep.h"
#include "worker/crew.h"

namespace tilestep::app {
namespace {

constexpr unsigned kMostWorkers = 256;

struct SweepOptions {
  std::string kernel, csv;
  Choice choice;
  std::vector<std::string> commands;  ///< Empty: this program with `worker`.
  unsigned workers = 1;               ///< Of each command.
  unsigned threads = 0;
  lab::Experiment experiment;
  bool best = false, resume = false;
};

// A signal handler can reach nothing but this.
volatile std::sig_atomic_t interruptSeen = 0;

/// Ctrl-C ends the sweep and keeps what is done, as does a cluster's SIGTERM; a second one ends the
/// program.
void catchInterrupts() {
  struct sigaction action = {};
  action.sa_handler = [](int) { interruptSeen = 1; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

struct SweepPlan {
  Kernel kernel;
  std::vector<std::string> columns;
  std::vector<lab::Experiment> experiments;
};

Result<SweepPlan> planOf(const SweepOptions& options) {
  Result<Kernel> kernel = loadKernel(options.kernel);
  if (!kernel) return kernel.error();
  const Result<Axes> axes = axesOf(options.choice, kernel->spec);
  if (!axes) return axes.error();
  const Result<std::vector<lab::Point>> sizes = lab::combinations(axes->sizes);
  if (!sizes) return sizes.error();
  std::vector<lab::Axis> all = axes->sizes;
  all.insert(all.end(), axes->tunables.begin(), axes->tunables.end());
  const Result<std::vector<lab::Point>> points = lab::combinations(all);
  if (!points) return points.error();
  SweepPlan plan{std::move(kernel).value(), {}, {}};
  plan.columns = lab::sweepColumns(plan.kernel.spec, options.experiment.counters);
  for (const lab::Point& point : *points) {
    lab::Experiment experiment = options.experiment;
    experiment.source = plan.kernel.source;
    for (const auto& [name, value] : point) {
      const bool isSize = plan.kernel.spec.sizes.contains(name);
      (isSize ? experiment.sizes : experiment.tunables)[name] = value;
    }
    plan.experiments.push_back(std::move(experiment));
  }
  return plan;
}

struct Workers {
  std::vector<std::unique_ptr<worker::Client>> clients;
  std::vector<unsigned> shares;  ///< How many before it have the same command.
};

/// The workers share this machine's cores where they are local.
Result<Workers> startWorkers(const SweepOptions& options) {
  std::vector<std::string> commands = options.commands;
  if (commands.empty()) commands.emplace_back();
  unsigned threads = options.threads;
  if (threads == 0 && options.workers > 1) {
    threads = std::max(1U, std::thread::hardware_concurrency() / options.workers);
  }
  Workers workers;
  std::map<std::string, unsigned> started;
  for (const std::string& command : commands) {
    for (unsigned i = 0; i < options.workers; ++i) {
      auto client = startWorker({command, threads});
      if (!client) return client.error();
      workers.clients.push_back(std::move(*client));
      workers.shares.push_back(started[command]++);
    }
  }
  return workers;
}

/// What the file holds of this sweep, where it is to be gone on with.
Result<lab::SweepSoFar> soFarOf(const SweepOptions& options, const SweepPlan& plan) {
  if (!options.resume) return lab::SweepSoFar{};
  if (options.csv.empty()) {
    return requestError("--resume goes on with a file: name it with --csv FILE");
  }
  const Result<std::string> text = textIfThere(options.csv);
  if (!text) return text.error();
  return lab::readSweep(options.csv, *text, plan.columns, plan.kernel.spec, plan.experiments);
}

/// What people read: the names that vary, the figures, the reason.
std::string tableOf(const std::vector<std::string>& columns,
                    const std::vector<lab::SweepLine>& lines) {
  std::vector<size_t> shown;
  lab::SweepLine names;
  for (size_t i = 0; i < columns.size(); ++i) {
    bool filled = false;
    for (const lab::SweepLine& line : lines) filled |= !line[i].empty();
    if (!filled) continue;
    shown.push_back(i);
    names.push_back(columns[i]);
  }
  TextTable table(names);
  for (const lab::SweepLine& line : lines) {
    lab::SweepLine cells;
    for (const size_t i : shown) cells.push_back(line[i]);
    table.add(cells);
  }
  return table.text();
}

/// The exit status that the lines deserve.
int judge(const SweepPlan& plan, const std::vector<lab::SweepLine>& lines) {
  const auto column = [&](std::string_view name) {
    return static_cast<size_t>(std::ranges::find(plan.columns, name) - plan.columns.begin());
  };
  const size_t status = column("status");
  size_t skipped = 0;
  for (const lab::SweepLine& line : lines) {
    if (line[status] == "wrong" || line[status] == "failed") return kWrong;
    if (line[status] == "skipped") ++skipped;
  }
  return skipped < lines.size()
             ? kDone
             : fail(requestError("no point could run: " + lines[0][column("reason")]));
}

/// What becomes of a sweep that was cut off.
std::string keptSentence(const SweepOptions& options, size_t done, size_t planned) {
  const std::string points = std::to_string(done) + " of " + std::to_string(planned) + " points";
  return options.csv.empty()
             ? points + "; with --csv FILE a sweep can be gone on with later"
             : points + "; they are kept: go on with the same command and --resume (" +
                   options.csv + ")";
}

int report(const SweepOptions& options, const SweepPlan& plan,
           const std::vector<lab::SweepLine>& lines, const Status& ended) {
  const size_t planned = plan.experiments.size();
  std::vector<lab::SweepLine> shown = lines;
  if (options.best) {
    const lab::SweepLine* best = lab::bestOf(plan.columns, lines);
    if (!best && lines.size() == planned) {
      return fail(requestError(
          "no point has a time, so none is the best: --best needs a device that measures"));
    }
    shown.clear();
    if (best) shown.push_back(*best);
  }
  const bool nothing = !ended && lines.empty();
  if (!nothing && print(tableOf(plan.columns, shown), kDone) != kDone) return kWrong;
  if (!ended) {
    const int status = fail(ended.error());
    if (lines.empty()) return status;
    say("tilestep: no worker is left after " + keptSentence(options, lines.size(), planned));
    return kWrong;
  }
  if (lines.size() == planned) return judge(plan, lines);
  say("tilestep: interrupted after " + keptSentence(options, lines.size(), planned));
  return kWrong;
}

/// Workers may be on machines of different kinds, and no table shows that.
std::string mixedSentence(const std::set<std::string>& devices) {
  std::string names;
  for (const std::string& name : devices) names += (names.empty() ? "" : " and ") + name;
  return "the points were timed on " + names +
         ", so their times do not compare: give workers whose GPUs are of one kind";
}

int sweep(const SweepOptions& options) {
  const Result<SweepPlan> plan = planOf(options);
  if (!plan) return fail(plan.error());
  Result<lab::SweepSoFar> soFar = soFarOf(options, *plan);
  if (!soFar) return fail(soFar.error());
  Result<Workers> workers = startWorkers(options);
  if (!workers) return fail(workers.error());
  Result<CsvFile> csv = CsvFile::goOn(options.csv, plan->columns, *soFar);
  if (!csv) return fail(csv.error());
  catchInterrupts();
  std::vector<lab::SweepLine> lines = std::move(soFar->lines);
  const size_t before = lines.size();
  SweepProgress progress(before, plan->experiments.size());
  worker::Crew::Events events;
  events.interrupted = [] { return interruptSeen != 0; };
  events.tick = [&](size_t finished, const auto& news) { progress.show(finished, news); };
  events.left = [&](const Error& why) {
    progress.clear();
    say("tilestep: the sweep goes on without a worker: " + why.message);
  };
  std::set<std::string> measuredOn;
  events.done = [&](size_t index, Result<lab::Result> outcome) {
    if (outcome && outcome->measurement) measuredOn.insert(outcome->device.name);
    const lab::SweepRow row =
        lab::rowOf(plan->kernel.spec.name, plan->experiments[index], std::move(outcome));
    lines.push_back(lab::sweepCells(plan->columns, row));
    csv->add(lines.back());
  };
  worker::Crew crew(std::move(workers->clients), std::move(workers->shares));
  const Status ended = crew.run(plan->experiments, before, events);
  progress.clear();
  if (csv->failed()) say("tilestep: " + options.csv + " could not be written whole");
  if (measuredOn.size() > 1) say("tilestep: " + mixedSentence(measuredOn));
  return report(options, *plan, lines, ended);
}

void addSweepWorkers(CLI::App& command, SweepOptions& options) {
  command
      .add_option("--worker", options.commands,
                  "Run the work with this command, such as \"ssh host tilestep worker\"; given "
                  "again, the points are shared")
      ->type_name("\"COMMAND ARGS\"")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      .add_option("--workers", options.workers,
                  "Start each worker's command so often (1); on a machine of several "
                  "GPUs of one kind they take different ones")
      ->type_name("N")
      ->check(CLI::Range(1U, kMostWorkers));
  command
      .add_option("--threads", options.threads,
                  "Threads of a local worker's interpreter (0: all cores, shared by the workers)")
      ->type_name("N")
      ->check(CLI::Range(0, 1024));
}

}  // namespace

Action addSweepCommand(CLI::App& root) {
  CLI::App& command =
      *root.add_subcommand("sweep", "Runs a kernel over sizes and tunables and tables the figures");
  auto options = std::make_shared<SweepOptions>();
  command.add_option("kernel", options->kernel, "A kernel's name, or a .cu file")
      ->required()
      ->type_name("KERNEL|FILE.cu");
  command.add_option("--device", options->experiment.device, "auto, simt, cuda:N or recorded:NAME")
      ->type_name("DEVICE");
  addChoiceOptions(command, options->choice, true);
  command.add_flag("--counters", options->experiment.counters, "Add the counters of each point");
  command.add_flag("--check", options->experiment.check, "Check each point's result");
  command
      .add_option("--timeout", options->experiment.timeoutSeconds,
                  "Give a point up after so long (60)")
      ->type_name("SECONDS");
  command.add_flag("--best", options->best, "Print the fastest point alone");
  command.add_option("--csv", options->csv, "Write every point here")->type_name("FILE");
  command.add_flag("--resume", options->resume,
                   "Go on with a sweep that was cut off: keep the points that --csv FILE holds");
  addSweepWorkers(command, *options);
  command.footer("Example: tilestep sweep matmul_tiled --set TILE_WIDTH=4:32:4 --size 512,1024");
  return [options] { return sweep(*options); };
}

}  // namespace tilestep::app
