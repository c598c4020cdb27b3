// SPDX-License-Identifier: Apache-2.0
#include "model/feature.h"

#include <utility>

#include "compile/front_matter/front_matter.h"
#include "features/live/live.h"
#include "model/choice/planning.h"
#include "model/export/table_parts.h"
#include "model/model.h"
#include "model/text/step_summary.h"
#include "model/text/traffic.h"

namespace tilestep::features::live {
namespace {

std::string rateOf(const std::optional<double>& amount, double ms) {
  return amount ? number(*amount / ms * 1e3) : std::string();
}

std::vector<std::string> rowOf(const LiveRun& run, double seconds, double ms) {
  return {number(seconds),
          number(ms),
          rateOf(run.operations, ms),
          rateOf(run.askedBytes, ms),
          rateOf(run.sectorBytes, ms),
          rateOf(run.dramBytes, run.dramMs.value_or(ms)),
          run.split ? number(run.split->load) : "",
          run.split && run.split->phases ? number(run.split->compute) : "",
          run.split ? number(run.split->wait) : "",
          run.split && run.split->phases ? number(run.split->outside) : "",
          run.label,
          run.recorded ? "recorded median" : "launch"};
}

std::string titleOf(const LiveView& view) {
  const LiveRun* newest = view.runs.empty() ? nullptr : &view.runs.back();
  std::string title = "Live: one launch per row, timed by the GPU";
  if (newest != nullptr) title += " (" + newest->device + ")";
  title +=
      "; rates are the work of one launch (operations by formula, bytes counted once for each "
      "choice) divided by its own time; shares of a warp's cycles are measured once for each "
      "choice";
  if (newest != nullptr && newest->split && !newest->split->blocks.empty())
    title += ", over " + newest->split->blocks;
  title += ".";
  if (newest != nullptr && newest->dramBytes)
    title += " " + newest->dramName + ": " + newest->dramFrom;
  if (view.forgotten > 0)
    title += " " + std::to_string(view.forgotten) + " older launches are not kept.";
  if (view.dropped > 0)
    title += " " + std::to_string(view.dropped) +
             " launches were lost, because they were not read in time or were too short to time.";
  return title;
}

Table liveTable(const Snapshot& now, const TableOptions& /*options*/) {
  const LiveView& view = now.view<LiveView>();
  Table out{titleOf(view),
            {"seconds", "launch milliseconds", "FLOP/second", "asked bytes/second",
             "L1 sector bytes/second", "DRAM bytes/second", "share loading or busy",
             "share computing", "share waiting", "share outside of phases", "choice", "what"},
            {},
            false};
  for (const LiveRun& run : view.runs)
    if (run.recorded) add(out, rowOf(run, run.seconds, run.recorded->medianMs));
  for (const auto& chunk : view.chunks)
    for (const LivePoint& point : *chunk)
      if (const LiveRun* run = view.runOf(point)) add(out, rowOf(*run, point.seconds, point.ms));
  return out;
}

constexpr Job kJob{"live", Urgency::live};

LiveRun liveRunOf(const lab::Experiment& experiment, const device::DeviceInfo* device) {
  LiveRun run;
  Request request(experiment);
  run.experiment = request.experiment;
  run.key = std::move(request.key);
  const std::string stem = compile::nameOf(experiment.source);
  run.kernel = run.label = shortNameOf(stem);
  for (const auto& [name, value] : experiment.tunables)
    run.label += " · " + name + " " + std::to_string(value);
  run.label += " · " + sizesText(experiment.sizes);
  if (device != nullptr) run.device = device->name;
  return run;
}

/// The reason why this device cannot stream any choice; empty if it can.
std::string whyNone(const Model& model) {
  const device::DeviceInfo* device = model.resolved->device;
  if (device == nullptr)
    return model.workerFailed ? "No worker answers, so nothing can be run; see the notices."
                              : "Waiting for the worker.";
  if (!device->recordedOn.empty())
    return "This is a recording: it holds the median of many launches for each point, not a stream "
           "of launches. Move a slider, or press [ and ], to add recorded points to the plot.";
  if (!device->measures)
    return "The interpreter counts exactly, but it gives no times, so there is nothing to plot "
           "over time. Choose a GPU under Device, or take a recording.";
  return {};
}

class Live : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return LiveView::kFeature; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"live", "live", liveTable}};
  }
  bool apply(const Command& command, Model& model) override {
    static const auto table = CommandTable<Live>()
                                  .add("watch", &Live::watch)
                                  .add("pause", &Live::pause)
                                  .add("clear", &Live::clear);
    return table.apply(*this, model, command);
  }

  void want(Model& model) override {
    const std::string& key = model.wanted.measureMain;
    const LiveRun* run = recorder_.current();
    // A different choice may succeed.
    if (!key.empty() && run != nullptr && run->key != key) ended_.clear();
    addRecorded(model);
    const bool goesOn = watched_ && !paused_ && ended_.empty();
    if (!goesOn || key.empty() || !whyNone(model).empty()) return model.jobs.drop(kJob);
    if (asked_ == key && model.jobs.waitsOrRuns(kJob)) return;
    std::optional<lab::Experiment> experiment = model.measuredExperiment();
    if (!experiment) return model.jobs.drop(kJob);
    asked_ = key;
    recorder_.begin(liveRunOf(*experiment, model.resolved->device));
    experiment->counters = experiment->measure = experiment->hardware = false;
    model.jobs.want(kJob, std::move(*experiment), model.now);
  }

  /// After a dead worker, a lost GPU or a fault, live mode does not restart automatically.
  void accept(const Arrival& arrival, Model& model) override {
    if (const Error* error = std::get_if<Error>(&arrival.reply.body)) ended_ = error->message;
    stopped_ = model.now;
  }

  void poll(Model& model) override {
    const Jobs::Samples samples = model.jobs.takeSamples(kJob);
    if (samples.batches.empty()) return;
    if (samples.fresh) recorder_.newStream();
    for (const device::LiveBatch& batch : samples.batches) recorder_.add(batch, model.now);
    model.changed = true;
  }

  [[nodiscard]] ViewPointer view(const Moment& moment) override {
    const Model& model = moment.model;
    const ShownFigures& measured = model.figures.measured;
    LiveRun* run = recorder_.current();
    const bool known = run != nullptr && run->key == measured.mainKey && measured.main;
    if (known) addFacts(*run, *measured.main);
    if (known && model.figures.timedOf == run->key && model.wanted.measureMain == run->key)
      run->split = model.figures.split;
    const bool runs = model.jobs.waitsOrRuns(kJob);
    auto view = std::make_shared<LiveView>(recorder_.view(runs ? model.now : stopped_));
    view->said = whyNone(model);
    view->ofNow = run != nullptr && run->key == model.wanted.measureMain;
    const device::DeviceInfo* device = moment.resolved.device;
    // This device gives no times. Samples of other devices do not apply to it.
    if (device != nullptr && !device->measures) {
      view = std::make_shared<LiveView>();
      view->said = whyNone(model);
    }
    const bool recorded = device != nullptr && !device->recordedOn.empty();
    if (recorded && !view->ofNow && !view->runs.empty())
      view->said += " It has no time for the present choice.";
    if (!view->said.empty()) {
      view->state = LiveView::State::none;
    } else if (!ended_.empty()) {
      view->state = LiveView::State::paused;
      view->said = "Live mode ended: " + ended_;
    } else if (paused_) {
      view->state = LiveView::State::paused;
    } else if (runs) {
      view->state = view->recent.samples > 0 ? LiveView::State::running : LiveView::State::waiting;
    } else if (watched_) {
      view->said = "This choice cannot be launched; the notices say why.";
    }
    return view;
  }

 private:
  /// Shows or hides live mode. It runs while shown, unless paused.
  void watch(Model& model, bool watched) {
    if (std::exchange(watched_, watched) == watched) return;
    stopped_ = model.now;
    seen_.reset();
    want(model);
    model.changed = true;
  }

  /// Pauses or resumes live mode. Also restarts it after an error.
  void pause(Model& model, bool paused) {
    ended_.clear();
    paused_ = paused;
    stopped_ = model.now;
    want(model);
    model.changed = true;
  }

  void clear(Model& model) {
    recorder_.clear();
    model.changed = true;
  }

  /// Adds a recorded point at the present time.
  void addRecorded(Model& model) {
    const std::shared_ptr<const lab::RunResult> result = model.figures.measured.main;
    if (!watched_ || !model.measuredIsCurrent() || std::exchange(seen_, result) == result) return;
    if (!result || result->device.recordedOn.empty() || !result->measurement) return;
    const std::optional<lab::Experiment> main = model.measuredExperiment();
    if (!main) return;
    LiveRun run = liveRunOf(*main, model.resolved->device);
    if (recorder_.current() != nullptr && recorder_.current()->key == run.key) return;
    addFacts(run, *result);
    run.device = deviceText(result->device);
    run.recorded = result->measurement;
    if (model.figures.timedOf == run.key) run.split = model.figures.split;
    recorder_.addRecorded(std::move(run), model.now);
  }

  LiveRecorder recorder_;
  std::string asked_;  ///< The key of the streamed experiment.
  bool watched_ = false, paused_ = false;
  std::string ended_;                           ///< The reason why the stream ended by itself.
  double stopped_ = 0;                          ///< Seconds.
  std::shared_ptr<const lab::RunResult> seen_;  ///< The result of the last recorded point.
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<Live>();
}

}  // namespace tilestep::features::live
