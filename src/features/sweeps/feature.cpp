// SPDX-License-Identifier: Apache-2.0
// Sweeps: the selection, the requests and the results. The ladder is one kind of sweep.
#include "model/feature.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/files.h"
#include "base/utc.h"
#include "compile/front_matter/front_matter.h"
#include "features/sweeps/ladder.h"
#include "features/sweeps/sweep_axes.h"
#include "features/sweeps/sweep_table.h"
#include "features/sweeps/view.h"
#include "lab/sweep.h"
#include "model/choice/planning.h"
#include "model/model.h"
#include "model/roofline_marks.h"

namespace tilestep::features::sweeps {
namespace {

constexpr Job kJob{"sweeps", Urgency::sweep};
constexpr const char* kAbout = "sweep";
/// Notices about kept points stay when a sweep begins.
constexpr const char* kAboutKept = "kept sweeps";

bool samePlan(const SweepPlan& a, const SweepPlan& b) {
  const auto samePoint = [](const SweepPoint& p, const SweepPoint& q) {
    return p.key == q.key && p.illegal == q.illegal && p.column == q.column && p.row == q.row;
  };
  const auto sameSeries = [](const SweepSeries& s, const SweepSeries& t) {
    return s.name == t.name && s.code == t.code && s.spec->arch == t.spec->arch;
  };
  return a.kind == b.kind && a.source == b.source && a.device == b.device &&
         a.compiler == b.compiler && a.x == b.x && a.y == b.y && a.fixed == b.fixed &&
         a.axesAt == b.axesAt && a.impossible == b.impossible && a.leftOut == b.leftOut &&
         std::ranges::equal(a.series, b.series, sameSeries) &&
         std::ranges::equal(a.points, b.points, samePoint);
}

/// A recording with the points of a file, but without its times, for the values on the axes.
lab::DeviceRecording recordingOf(const SweepFile& file, const compile::KernelSpec& spec) {
  lab::DeviceRecording recording;
  const SweepFileRow& first = file.rows.front();
  recording.device.id = first.device;
  recording.device.name = first.deviceName.empty() ? first.device : first.deviceName;
  recording.kernels.push_back({spec.name, 0, {}, {}});
  for (const SweepFileRow& row : file.rows) {
    if (row.kernel != first.kernel) continue;
    lab::RecordedPoint point;
    for (const auto& [name, value] : row.values)
      (spec.sizes.contains(name) ? point.sizes : point.tunables)[name] = value;
    recording.device.measures |= row.sample.time.has_value();
    recording.points.push_back(std::move(point));
  }
  return recording;
}

/// The kind of sweep that varies what differs between a file's lines.
SweepChoice pictureOf(const SweepFile& file, const compile::KernelSpec& spec) {
  const auto varies = [&](const std::string& name) {
    const auto of = [&](const SweepFileRow& row) {
      const auto at = row.values.find(name);
      return at == row.values.end() ? 0 : at->second;
    };
    return std::ranges::any_of(file.rows,
                               [&](const auto& row) { return of(row) != of(file.rows.front()); });
  };
  std::vector<size_t> tunables;
  for (size_t i = 0; i < spec.tunables.size(); ++i)
    if (varies(spec.tunables[i].name)) tunables.push_back(i);
  if (tunables.size() == 1) return {.axes = tunables.front()};
  return {.kind = tunables.empty() ? SweepKind::sizes : SweepKind::shapes};
}

/// The presently chosen tunables of a series' kernel; absent for rungs other than the chosen
/// kernel.
std::optional<compile::Bindings> chosenTunables(const Choice& choice, const SweepInputs& in,
                                                const SweepSeries& series) {
  if (in.kind == SweepKind::ladder) {
    if (!series.main) return std::nullopt;
    return tunablesOf(choice, *in.main.entry->spec);
  }
  if (series.main) return in.main.tunables;
  const auto is = [&](const SweepKernel& kernel) {
    return compile::nameOf(kernel.entry->source) == series.kernel;
  };
  if (in.comparison && is(*in.comparison)) return in.comparison->tunables;
  const auto other = std::ranges::find_if(in.others, is);
  return other == in.others.end() ? compile::Bindings{} : other->tunables;
}

class Sweeping : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return kJob.name; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"sweep", "sweep",
             [](const Snapshot& now, const TableOptions&) { return sweepTable(now); }}};
  }
  void start(Model& model) override { sweeps_ = Sweeps(model.points.get()); }

  bool apply(const Command& command, Model& model) override {
    static const auto table = CommandTable<Sweeping>()
                                  .add("look", &Sweeping::lookAt)
                                  .add("automatic", &Sweeping::runByThemselves)
                                  .add("run", &Sweeping::run)
                                  .add("cancel", &Sweeping::cancel)
                                  .add("go", &Sweeping::goTo)
                                  .add("open", &Sweeping::open)
                                  .add("close", &Sweeping::close);
    return table.apply(*this, model, command);
  }

  /// If the kernel cannot be used, the previous picture remains.
  void want(Model& model) override {
    if (!model.resolved->isUsable()) return;
    if (std::exchange(planned_, model.resolved) != model.resolved) plan(model);
  }

  /// Requests one point after another, and collects what has been read.
  void poll(Model& model) override {
    beginByItself(model);
    for (const Error& error : sweeps_.takeTrouble())
      sayTrouble(model, "Points of an earlier sweep cannot be read: ", error);
    if (const std::optional<Error> error = model.points->takeTrouble())
      sayTrouble(model, "Points of sweeps are only kept until the window closes: ", *error);
    std::optional<lab::Experiment> wanted = sweeps_.wanted();
    counting_ = !wanted && ladderShown() && sweeps_.plan() &&
                (wanted = ladder_.wanted(*sweeps_.plan())).has_value();
    if (!wanted) {
      if (!std::exchange(asked_, {}).empty()) model.jobs.drop(kJob);
      return;
    }
    const Request request(*wanted);
    const std::string& key = request.key;
    if (model.jobs.waitsOrRuns(kJob) && asked_ == key) return;
    asked_ = key;
    model.jobs.want(kJob, request, model.now);
  }

  void accept(const Arrival& arrival, Model& model) override {
    if (arrival.key != asked_) return;
    if (counting_) {
      ladder_.accept(arrival.reply);
      return;
    }
    if (const auto* result = worker::resultOf(arrival.reply)) {
      sweeps_.accept(*result, utcToday());
      model.figures.best.take(*result, model.resolved->find(result->kernel));
    } else if (const Error* error = std::get_if<Error>(&arrival.reply.body)) {
      if (!sweeps_.acceptError(*error, arrival.reply.lost))
        model.say({Notice::Kind::error,
                   kAbout,
                   "The sweep has ended, because the worker was lost three times in a row: " +
                       error->message + " The points so far are kept; C continues.",
                   {},
                   {}});
    }
  }

  void addMarks(const Moment& moment, RooflineMarks& to) override {
    const Model& model = moment.model;
    if (moment.shared.measures && moment.resolved.known != nullptr) return;
    to.rungs = ladder_.traces(model, sweeps_, recordingInUse(model));
  }

  [[nodiscard]] ViewPointer view(const Moment& moment) override {
    const Model& model = moment.model;
    auto view = std::make_shared<SweepsView>();
    view->pending = waits_;
    view->progress = sweeps_.progress();
    view->progress.paused = view->progress.running && model.jobs.busyBefore(kJob);
    if (!sweeps_.plan() || !look_) {
      picture_.reset();
      viewKey_.clear();
      return view;
    }
    const std::string key =
        std::to_string(sweeps_.version()) + "/" + std::to_string(static_cast<int>(look_->quantity));
    if (key != viewKey_ || !picture_) {
      viewKey_ = key;
      picture_ = std::make_shared<const SweepView>(
          sweeps_.view(look_->quantity, now_, guessSeconds(model)));
    }
    view->picture = picture_;
    if (ladderShown())
      view->ladder = ladder_.view(model, sweeps_, picture_, recordingInUse(model), viewKey_);
    return view;
  }

 private:
  [[nodiscard]] bool ladderShown() const { return look_ && look_->kind == SweepKind::ladder; }

  /// The sweep that is shown; absent if none is. A running sweep continues regardless.
  void lookAt(Model& model, const std::optional<SweepChoice>& choice) {
    if (choice == look_) return;
    look_ = choice;
    // A command may have searched for better tunables since these were read.
    if (ladderShown()) model.points->readTunedAgain(model.resolved->tuningDevice());
    plan(model);
    model.changed = true;
  }

  /// Whether a sweep runs automatically when it is shown.
  void runByThemselves(Model& /*model*/, bool on) { automatic_ = on; }

  static void sayTrouble(Model& model, const std::string& what, const Error& error) {
    model.say({Notice::Kind::warning, kAboutKept, what + error.message + ".", placeOf(error), {}});
  }

  /// Begins the shown sweep once, if it does not take long.
  void beginByItself(Model& model) {
    constexpr double kLongest = 120;  // Seconds.
    const std::shared_ptr<const SweepPlan>& plan = sweeps_.plan();
    const bool due = automatic_ && look_ && picture_ && picture_->plan == plan && begun_ != plan;
    if (!due || model.undo.inGesture()) return;
    begun_ = plan;
    if (picture_->waiting > 0 && picture_->secondsLeft.value_or(0) <= kLongest) run(model, false);
  }

  /// Runs the remaining points of the sweep; all of them if none remain, or with `again`.
  void run(Model& model, bool again) {
    model.clearNotice(kAbout);
    if (look_) sweeps_.start(look_->quantity, again);
    if (again && ladderShown()) ladder_.forgetFailed();
    model.changed = true;
  }

  /// Results so far are kept.
  void cancel(Model& model) {
    sweeps_.cancel();
    model.changed = true;
  }

  /// Chooses the kernel, tunables and sizes of a cell (SweepView::cells), and shows the scene.
  /// False if the cell cannot run.
  bool goTo(Model& model, size_t cell) {
    if (!sweeps_.plan() || cell >= sweeps_.plan()->points.size()) return false;
    const std::shared_ptr<const SweepPlan> plan = sweeps_.plan();
    const SweepPoint& point = plan->points[cell];
    if (!point.illegal.empty()) return false;
    const std::string& kernel = plan->series[point.series].kernel;
    const compile::CatalogueEntry* entry = model.resolved->find(kernel);
    if (entry == nullptr) return false;  // A library's product has no steps.
    model.endGesture();
    model.change("sweep point", [&](Choice& choice) {
      if (choice.kernel != kernel) {
        // Swaps the two, so that both stay visible.
        if (choice.comparison.kernel != Comparison::kNone) choice.comparison.kernel = choice.kernel;
        choice.kernel = kernel;
        choice.withoutBarrier = 0;
        choice.comparison.block.reset();
      }
      const Choice before = choice;
      choice.tunables[kernel] = point.tunables;
      if (entry->spec)
        followOutgrownTile(before, choice, *entry->spec, model.resolved->sceneLimits);
      choice.measure.values = point.sizes;
      choice.measure.linked = std::ranges::all_of(point.sizes, [&](const auto& size) {
        return size.second == point.sizes.begin()->second;
      });
      choice.looks.switches.stage = Stage::scene;
    });
    model.endGesture();
    ++model.looksTakenBack;
    return true;
  }

  /// Opens a file of `tilestep sweep` or of the window. The sweeps of its kernel show only its
  /// points until it is closed.
  void open(Model& model, const std::string& path) {
    const auto refuse = [&](const Error& error) {
      model.say({Notice::Kind::error,
                 kAbout,
                 "This file cannot be read as a sweep: " + error.message + ".",
                 error.where ? placeOf(error) : path,
                 {}});
    };
    const Result<std::string> text = readTextFile(path, kMostSweepFileBytes);
    if (!text) return refuse(text.error());
    Result<SweepFile> file = parseSweepFile(path, *text);
    if (!file) return refuse(file.error());
    if (file->rows.empty()) return refuse(requestError("it has no points"));
    const std::string kernel = file->rows.front().kernel;
    const size_t colon = kernel.find(':');  // See lab::sweptName.
    const std::string stem = kernel.substr(0, colon);
    const compile::CatalogueEntry* entry = model.resolved->find(stem);
    if (entry == nullptr || !entry->spec)
      return refuse(
          requestError("its kernel " + stem + " is not here; open " + stem + ".cu first"));
    if (lab::sweptName(entry->source, *entry->spec) != kernel)
      return refuse(
          requestError("its points belong to another function of " + stem +
                       ".cu; start the window with --kernel " + stem + ".cu" +
                       (colon == kernel.npos ? "" : " --entry " + kernel.substr(colon + 1))));
    const uint64_t now = lab::textHashOf(entry->source);
    const auto isOther = [&](const SweepFileRow& row) { return row.text != 0 && row.text != now; };
    if (std::ranges::any_of(file->rows, isOther))
      return refuse(
          requestError("its points belong to a different version of " + stem + "; sweep it again"));
    file_ = std::make_shared<const lab::DeviceRecording>(recordingOf(*file, *entry->spec));
    const SweepChoice picture = pictureOf(*file, *entry->spec);
    const compile::Bindings values = file->rows.front().values;
    sweeps_.open(std::move(*file), std::filesystem::path(path).filename().string());
    model.clearNotice(kAbout);
    model.change("sweep file", [&](Choice& choice) {
      choice.kernel = stem;
      for (const auto& [name, value] : values)
        (entry->spec->sizes.contains(name) ? choice.measure.values : choice.tunables[stem])[name] =
            value;
      choice.measure.linked = false;
      choice.looks.switches.stage = Stage::sweeps;
      choice.looks.switches.sweep = picture;
    });
    model.endGesture();
    ++model.looksTakenBack;
    planned_.reset();  // The points may differ although the choice is the same.
    model.choiceChanged = model.changed = true;
  }

  void close(Model& model) {
    sweeps_.close();
    file_.reset();
    plan(model);
    model.changed = true;
  }

  static RecordingPointer recordingInUse(const Model& model) {
    const device::DeviceInfo* device = model.resolved->device;
    return device == nullptr ? nullptr : model.figures.best.recording(device->id);
  }

  /// Plans the points of the shown sweep; hides it while they cannot be planned.
  void plan(Model& model) {
    const Resolved& resolved = *model.resolved;
    const compile::CatalogueEntry* entry = resolved.entry;
    const device::DeviceInfo* device = resolved.device;
    waits_ = false;
    if (device != nullptr) model.figures.best.read(model.options.home, device->id);
    const bool isReading = device != nullptr && model.figures.best.isReading(device->id);
    RecordingPointer recording = recordingInUse(model);
    if (ladderShown() && device != nullptr) {
      waits_ = model.points->tuned(resolved.tuningDevice()) == nullptr;
      if (isReading || waits_) return sweeps_.hide();  // Until they have been read.
      return show(model, ladder_.inputs(model, *device, recording, look_->axes), recording);
    }
    const bool possible = look_ && entry != nullptr && entry->spec && device != nullptr;
    if (!possible) return sweeps_.hide();
    SweepInputs in;
    in.kind = look_->kind;
    in.axes = look_->axes;
    in.main = {entry, resolved.tunables};
    in.sizes = resolved.measureSizes;
    const SweepFile* file = sweeps_.opened();
    const bool fromFile = file != nullptr && file->rows.front().kernel == entry->spec->name;
    if (fromFile) {
      recording = file_;
      in.file = true;
      device = &file_->device;
    } else if (isReading) {
      return sweeps_.hide();  // Until it has been read.
    }
    in.device = device;
    in.recording = recording.get();
    const auto planned = compile::plan(*entry->spec, in.sizes, in.main.tunables, device->limits);
    const compile::CatalogueEntry* comparison = fromFile ? nullptr : resolved.comparisonEntry();
    if (planned && comparison != nullptr) {
      in.comparison =
          SweepKernel{comparison, resolved.comparisonTunables(*comparison, *planned, true)};
      in.comparisonAlong = [&resolved, comparison](const compile::Plan& main) {
        return resolved.comparisonTunables(*comparison, main, true);
      };
      in.blocksAreChosen = resolved.blocksAreChosen;
    }
    for (const std::string& name : resolved.comparisonNames) {
      const compile::CatalogueEntry* other = resolved.find(name);
      if (!planned || fromFile || other == entry || other == comparison) continue;
      in.others.push_back({other, companionTunables(*other->spec, *planned)});
    }
    show(model, in, recording);
  }

  void show(Model& model, const SweepInputs& in, const RecordingPointer& recording) {
    SweepPlan made = makeSweepPlan(in);
    made.compiler = model.compiler.substr(0, model.compiler.find(" ("));  // Without a remark.
    waits_ = !sweeps_.isRead(made);
    if (waits_) {
      planned_.reset();  // So that want() plans again.
      return sweeps_.hide();
    }
    auto plan = std::make_shared<const SweepPlan>(std::move(made));
    const bool same = sweeps_.plan() && samePlan(*sweeps_.plan(), *plan);
    if (!same) sweeps_.show(plan, recording);
    if (!same && !in.file && recording == nullptr) addKnownTimes(model, in);
    const bool whole = in.device->measures || in.kind == SweepKind::ladder;
    const compile::Bindings sizes = whole ? in.sizes : smallSizesOf(in.sizes);
    now_.clear();
    for (const SweepSeries& series : plan->series) {
      const auto tunables = chosenTunables(model.choice, in, series);
      compile::Bindings& now = now_.emplace_back();
      if (!tunables) continue;
      now = sizes;
      now.insert(tunables->begin(), tunables->end());
    }
    viewKey_.clear();
    model.changed = true;
  }

  /// Makes the kept times of the shown sweep known to all features.
  void addKnownTimes(Model& model, const SweepInputs& in) {
    for (const SweepPoint& point : sweeps_.plan()->points)
      if (const SweepSample* sample = sweeps_.known(point); sample != nullptr && sample->time) {
        const SweepSeries& series = sweeps_.plan()->series[point.series];
        model.figures.best.take({series.kernel, series.code, point.launch, point.sizes,
                                 point.tunables, sample->time->medianMs, machineOf(*in.device),
                                 sample->when});
      }
  }

  /// Estimated seconds per point before any has run.
  static std::optional<double> guessSeconds(const Model& model) {
    const lab::RunResult* last = model.resolved->measures() ? model.figures.measured.main.get()
                                 : model.scene.main         ? model.scene.main->result.get()
                                                            : nullptr;
    if (last == nullptr || last->wallSeconds <= 0) return std::nullopt;
    const double compiling = last->compiler.cached ? last->compiler.ms * 1e-3 : 0;
    return last->wallSeconds + compiling;
  }

  Sweeps sweeps_;
  Ladder ladder_;
  RecordingPointer file_;  ///< The contents of an opened file.
  std::optional<SweepChoice> look_;
  std::vector<compile::Bindings> now_;      ///< See SweepViewInputs::now.
  ResolvedPointer planned_;                 ///< The choice for which the points were computed.
  std::string asked_;                       ///< Key of the last request.
  bool automatic_ = false;                  ///< See runByThemselves.
  std::shared_ptr<const SweepPlan> begun_;  ///< The last plan that began by itself or was skipped.
  bool waits_ = false;                      ///< Kept points are being read.
  bool counting_ = false;                   ///< The last request is a count for the ladder.
  std::shared_ptr<const SweepView> picture_;
  std::string viewKey_;
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<Sweeping>();
}

}  // namespace tilestep::features::sweeps
