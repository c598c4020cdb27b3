// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <memory>

#include "app/commands.h"
#include "app/options.h"
#include "app/text_table.h"
#include "lab/sweep.h"

namespace tilestep::app {
namespace {

struct SweepOptions {
  std::string kernel, csv;
  Choice choice;
  WorkerOptions worker;
  lab::Experiment experiment;
  bool best = false;
};

// A signal handler can reach nothing but this.
volatile std::sig_atomic_t interruptSeen = 0;

/// Ctrl-C ends the sweep and keeps what is done; a second one ends the program.
void catchInterrupts() {
  struct sigaction action = {};
  action.sa_handler = [](int) { interruptSeen = 1; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
}

/// The CSV file, written line by line so that nothing done is lost; none where no name is given.
class CsvFile {
 public:
  static Result<std::unique_ptr<CsvFile>> open(const std::string& path) {
    std::FILE* file = path.empty() ? nullptr : std::fopen(path.c_str(), "w");
    if (!path.empty() && !file) {
      return requestError("cannot write " + path + "; name a file in a folder that exists");
    }
    return std::unique_ptr<CsvFile>(new CsvFile(file));
  }
  void add(const std::vector<std::string>& cells) {
    if (!file_) return;
    const std::string line = lab::csvLine(cells);
    const bool written = std::fwrite(line.data(), 1, line.size(), file_.get()) == line.size();
    if (!written || std::fflush(file_.get()) != 0) failed_ = true;
  }
  [[nodiscard]] bool failed() const { return failed_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  explicit CsvFile(std::FILE* file) : file_(file) {}
  std::unique_ptr<std::FILE, Close> file_;
  bool failed_ = false;
};

struct SweepPlan {
  Kernel kernel;
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
  SweepPlan plan{std::move(kernel).value(), {}};
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

/// What people read: the names that vary, the figures, the reason.
std::string tableOf(const std::vector<std::string>& columns,
                    const std::vector<const lab::SweepRow*>& rows) {
  std::vector<std::string> shown;
  for (const std::string& column : columns) {
    bool filled = false;
    for (const lab::SweepRow* row : rows) filled |= !lab::sweepCells({column}, *row)[0].empty();
    if (filled) shown.push_back(column);
  }
  TextTable table(shown);
  for (const lab::SweepRow* row : rows) table.add(lab::sweepCells(shown, *row));
  return table.text();
}

int report(const SweepOptions& options, const std::vector<std::string>& columns,
           const std::vector<lab::SweepRow>& rows, size_t planned) {
  std::vector<const lab::SweepRow*> shown;
  for (const lab::SweepRow& row : rows) shown.push_back(&row);
  if (options.best) {
    const lab::SweepRow* best = lab::bestOf(rows);
    if (!best && rows.size() == planned) {
      return fail(requestError(
          "no point has a time, so none is the best: --best needs a device that measures"));
    }
    shown.assign(best ? 1 : 0, best);
  }
  if (print(tableOf(columns, shown), kDone) != kDone) return kWrong;
  if (rows.size() < planned) {
    say("tilestep: interrupted after " + std::to_string(rows.size()) + " of " +
        std::to_string(planned) + " points; they are kept");
    return kWrong;
  }
  size_t skipped = 0;
  for (const lab::SweepRow& row : rows) {
    if (row.status == lab::SweepRow::Status::skipped) ++skipped;
    const bool wrong =
        row.status == lab::SweepRow::Status::wrong || row.status == lab::SweepRow::Status::failed;
    if (wrong) return kWrong;
  }
  return skipped == rows.size() ? fail(requestError("no point could run: " + rows[0].reason))
                                : kDone;
}

int sweep(const SweepOptions& options) {
  const Result<SweepPlan> plan = planOf(options);
  if (!plan) return fail(plan.error());
  Result<std::unique_ptr<CsvFile>> csv = CsvFile::open(options.csv);
  if (!csv) return fail(csv.error());
  Result<std::unique_ptr<worker::Client>> client = startWorker(options.worker);
  if (!client) return fail(client.error());
  const std::vector<std::string> columns =
      lab::sweepColumns(plan->kernel.spec, options.experiment.counters);
  (*csv)->add(columns);
  catchInterrupts();
  std::vector<lab::SweepRow> rows;
  for (const lab::Experiment& experiment : plan->experiments) {
    worker::Reply reply =
        await(**client, (*client)->run(experiment), [] { return interruptSeen != 0; });
    // The worker gets the terminal's Ctrl-C too: what it answered then is no result.
    if (interruptSeen != 0) break;
    rows.push_back(
        lab::rowOf(plan->kernel.spec.name, experiment, bodyOf<lab::Result>(std::move(reply))));
    (*csv)->add(lab::sweepCells(columns, rows.back()));
  }
  if ((*csv)->failed()) say("tilestep: " + options.csv + " could not be written whole");
  return report(options, columns, rows, plan->experiments.size());
}

}  // namespace

Action addSweepCommand(CLI::App& root) {
  CLI::App& command =
      *root.add_subcommand("sweep", "Runs a kernel over sizes and tunables and tables the figures");
  auto options = std::make_shared<SweepOptions>();
  command.add_option("kernel", options->kernel, "A kernel's name, or a .cu file")
      ->required()
      ->type_name("KERNEL|FILE.cu");
  command.add_option("--device", options->experiment.device, "auto, simt or cuda:N")
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
  addWorkerOptions(command, options->worker);
  command.footer("Example: tilestep sweep matmul_tiled --set TILE_WIDTH=4:32:4 --size 512,1024");
  return [options] { return sweep(*options); };
}

}  // namespace tilestep::app
