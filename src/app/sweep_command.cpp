// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <set>

#include "app/commands.h"
#include "app/options.h"
#include "app/sweep_progress.h"
#include "app/sweep_support.h"

namespace tilestep::app {
namespace {

constexpr unsigned kMostWorkers = 256;

Result<SweepPlan> planOf(const SweepOptions& options) {
  Result<Kernel> kernel = loadKernel(options.kernel, options.choice.entry);
  if (!kernel) return kernel.error();
  sayNotes(*kernel);
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
  for (std::string& column : lab::askedColumns()) plan.columns.push_back(std::move(column));
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

size_t columnOf(const SweepPlan& plan, std::string_view name) {
  return static_cast<size_t>(std::ranges::find(plan.columns, name) - plan.columns.begin());
}

/// The points to run, in ascending order: failed points first, then those without a line.
std::vector<size_t> pointsToRun(const SweepPlan& plan, const std::vector<lab::SweepLine>& lines) {
  const size_t status = columnOf(plan, "status");
  std::vector<size_t> points;
  for (size_t i = 0; i < plan.experiments.size(); ++i)
    if (i >= lines.size() || lines[i][status] == "failed") points.push_back(i);
  return points;
}

/// The exit status for these lines.
int judge(const SweepPlan& plan, const std::vector<lab::SweepLine>& lines) {
  const size_t status = columnOf(plan, "status");
  size_t skipped = 0;
  for (const lab::SweepLine& line : lines) {
    if (line[status] == "wrong" || line[status] == "failed") return kWrong;
    if (line[status] == "skipped") ++skipped;
  }
  return skipped < lines.size()
             ? kDone
             : fail(requestError("no point could run: " + lines[0][columnOf(plan, "reason")]));
}

/// Reports what is kept of an interrupted sweep, and how to resume it.
std::string keptSentence(const SweepOptions& options, size_t done, size_t planned) {
  const std::string points = std::to_string(done) + " of " + std::to_string(planned) + " points";
  return options.csv.path.empty()
             ? points + "; with --csv FILE, a sweep can be continued later"
             : points + "; they are kept: continue with the same command and --resume (" +
                   options.csv.path + ")";
}

/// `left` is the number of points that were not run; `crew` is an error if no worker is left.
int report(const SweepOptions& options, const SweepPlan& plan, const CsvFile& csv, size_t left,
           const Status& crew) {
  const size_t planned = plan.experiments.size(), done = planned - left;
  const std::vector<std::string> asked = lab::askedColumns();
  const std::set<std::string> hidden(asked.begin(), asked.end());
  if (!csv.lines().empty() && print(tableOf(plan.columns, csv.lines(), hidden), kDone) != kDone)
    return kWrong;
  if (!csv.written()) return failIncomplete(csv);
  if (!crew) {
    const int status = fail(crew.error());
    if (done == 0) return status;
    say("tilestep: no worker is left after " + keptSentence(options, done, planned));
    return kWrong;
  }
  if (left == 0) return judge(plan, csv.lines());
  say("tilestep: interrupted after " + keptSentence(options, done, planned));
  return kWrong;
}

/// The column's values in lines in which `figure` is not empty.
std::set<std::string> cellsOf(const SweepPlan& plan, const std::string& column,
                              const std::string& figure, const std::vector<lab::SweepLine>& lines) {
  const size_t from = columnOf(plan, column), given = columnOf(plan, figure);
  std::set<std::string> cells;
  if (std::max(from, given) == plan.columns.size()) return cells;
  for (const lab::SweepLine& line : lines)
    if (!line[given].empty()) cells.insert(line[from]);
  return cells;
}

/// Reports differences that make lines incomparable.
void sayWhatDiffers(const SweepPlan& plan, const std::vector<lab::SweepLine>& lines) {
  const auto devices = cellsOf(plan, "device_name", "median_ms", lines);
  if (devices.size() > 1) say("tilestep: " + mixedSentence(devices));
  auto compilers = cellsOf(plan, "compiler", "median_ms", lines);
  compilers.merge(cellsOf(plan, "compiler", "global_load_bytes", lines));
  if (compilers.size() > 1) say("tilestep: " + mixedCompilersSentence(compilers));
}

/// Runs these points, writes their lines, and reports the outcome.
int runPoints(const SweepOptions& options, const SweepPlan& plan, const std::vector<size_t>& points,
              SweepWorkers workers, CsvFile& csv) {
  std::vector<lab::Experiment> experiments;
  for (const size_t point : points) experiments.push_back(plan.experiments[point]);
  size_t left = points.size();
  SweepProgress progress(plan.experiments.size() - left, plan.experiments.size());
  worker::Crew::Events events;
  events.interrupted = [&] { return interrupted() || !csv.written(); };
  events.tick = [&](size_t finished, const auto& news) { progress.show(finished, news); };
  events.left = [&](const Error& why) {
    progress.clear();
    say("tilestep: the sweep continues without one worker: " + why.message);
  };
  events.done = [&](size_t index, Result<lab::RunResult> outcome) {
    const lab::SweepRow row = lab::rowOf(lab::sweptName(plan.kernel.source, plan.kernel.spec),
                                         experiments[index], std::move(outcome));
    --left;
    csv.put(points[index], lab::sweepCells(plan.columns, row));
  };
  worker::Crew crew(std::move(workers.clients), std::move(workers.shares));
  const Status ended = crew.run(experiments, 0, events);
  progress.clear();
  sayWhatDiffers(plan, csv.lines());
  return report(options, plan, csv, left, ended);
}

int sweep(const SweepOptions& options) {
  if (options.all || options.budget)
    return fail(requestError("--all and --budget belong to a search; add --best"));
  if (const Status may = checkCsv(options.csv); !may) return fail(may.error());
  const Result<SweepPlan> plan = planOf(options);
  if (!plan) return fail(plan.error());
  return runSweep(options, *plan);
}

void addSweepWorkers(Command& command, SweepOptions& options) {
  command.option("--worker", &options.commands,
                 "Run the work with this command, such as \"ssh host tilestep worker\"; repeat it "
                 "to share the points",
                 {.type = "\"COMMAND ARGS\"", .oneWordEach = true});
  command.option("--workers", &options.workers,
                 "Start each worker's command N times (1); on a machine with several "
                 "GPUs of one kind, they use different ones",
                 {.type = "N", .range = Between<unsigned>{1, kMostWorkers}});
  addThreadsOption(command, options.threads,
                   "Threads of a local worker's interpreter (0: all cores, shared by the workers)");
}

void addBestOptions(Command& command, SweepOptions& options) {
  command.flag("--best", options.best,
               "Search the tunables (all, or the values given by --set) for the fastest choice at "
               "each size; without --set, the result is kept for this device");
  command.flag("--all", options.all,
               "With --best: drop no choice before it was timed, except those that are refused");
  command.option("--budget", &options.budget,
                 "With --best: search for SECONDS, then measure the best choices found",
                 {.type = "SECONDS", .range = Between<double>{1.0, 1e6}});
}

void addFileOptions(Command& command, CsvWish& csv) {
  command.option("--csv", &csv.path, "Write every point to FILE", {.type = "FILE"});
  command.flag("--resume", csv.resume,
               "Continue an interrupted sweep: keep the points in --csv FILE, and run those that "
               "failed again");
  command.flag("--force", csv.force, "Overwrite --csv FILE if it exists", "--resume");
}

}  // namespace

int runSweep(const SweepOptions& options, const SweepPlan& plan) {
  const Result<FileLock> lock = claimCsv(options.csv);
  if (!lock) return fail(lock.error());
  Result<CsvFile> csv = CsvFile::read(options.csv, plan.columns, [&](auto& lines) {
    return lab::checkSweep(options.csv.path, plan.columns, lines, plan.kernel.spec,
                           plan.experiments);
  });
  if (!csv) return fail(csv.error());
  Result<SweepWorkers> workers = startWorkers(options);
  if (!workers) return fail(workers.error());
  if (const Status begun = csv->begin(); !begun) return fail(begun.error());
  const std::vector<size_t> points = pointsToRun(plan, csv->lines());
  const size_t again = points.size() + csv->lines().size() - plan.experiments.size();
  if (again > 0)
    say("tilestep: " + std::to_string(again) +
        (again == 1 ? " point that failed is run again" : " points that failed are run again"));
  catchInterrupts();
  return runPoints(options, plan, points, std::move(*workers), *csv);
}

void addSweepCommand(CommandLine& line) {
  auto options = std::make_shared<SweepOptions>();
  lab::Experiment& experiment = options->experiment;
  Command command =
      line.add("sweep", "Runs a kernel over sizes and tunables and tabulates the figures",
               [options] { return options->best ? sweepForBest(*options) : sweep(*options); });
  addKernelArgument(command, options->kernel);
  addDeviceOption(command, experiment.device, "auto, simt, cuda:N or recorded:NAME");
  addChoiceOptions(command, options->choice, true);
  command.flag("--counters", experiment.counters, "Add the counters of each point");
  command.flag("--check", experiment.check, "Check each point's result");
  addLimitOptions(command, experiment, "Give up on a point after SECONDS (60)");
  addBestOptions(command, *options);
  command.option("--seed", &experiment.seed,
                 "Seed of the inputs, and of the order in which --best tries choices (1)",
                 {.type = "S"});
  addFileOptions(command, options->csv);
  addSweepWorkers(command, *options);
  command.footer(
      "Example: tilestep sweep matmul_tiled --set TILE_WIDTH=4:32:4 --size 512,1024\n"
      "Example: tilestep sweep rung13_top --best --size 1024,4096 --budget 120");
}

}  // namespace tilestep::app
