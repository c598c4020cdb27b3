// SPDX-License-Identifier: Apache-2.0
#include "model/feature.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <utility>

#include "features/timeline/timeline_view.h"
#include "lab/recording/recording.h"
#include "metrics/timeline.h"
#include "model/choice/planning.h"
#include "model/export/table_parts.h"
#include "model/model.h"

namespace tilestep::features::timeline {
namespace {

/// The number of a block's kept epochs: "3"; empty if none were kept.
std::string keptEpochs(const TimelineView& view, uint32_t block) {
  return view.rowOf(block) ? whole(view.timeline.epochs) : std::string();
}

Table timelineTable(const Snapshot& now, const TableOptions& /*options*/) {
  Table out;
  if (!now.view<TimelineStage>().view) return out;
  const TimelineView& view = *now.view<TimelineStage>().view;
  const trace::Timeline& t = view.timeline;
  out.title = "Blocks on multiprocessors over time: " + view.title + "; " + view.origin +
              (now.view<TimelineStage>().stale ? "; of an earlier choice." : ".");
  for (const TimelineFact& fact : view.facts) out.title += " " + fact.name + " " + fact.value + ",";
  out.title.back() = '.';
  out.title += " " + view.overhead;
  out.columns = {"block",
                 "x",
                 "y",
                 "z",
                 "multiprocessor",
                 "lane",
                 "wave",
                 "start ns",
                 "end ns",
                 "duration ns",
                 "working warp-cycles",
                 "waiting warp-cycles",
                 "epochs kept"};
  for (uint32_t b = 0; b < t.blocks(); ++b) {
    const Dim3 at = view.blockAt(b);
    add(out, {whole(b), whole(at.x), whole(at.y), whole(at.z), whole(t.sm[b]),
              whole(view.lanes.lane[b]), whole(view.lanes.wave[b] + 1), whole(t.startNs[b]),
              whole(t.endNs[b]), whole(t.endNs[b] - t.startNs[b]), whole(t.busyWarpCycles[b]),
              whole(t.waitWarpCycles[b]), keptEpochs(view, b)});
  }
  return out;
}

/// The view of at most this many blocks is made immediately, of more on another thread.
constexpr size_t kFewBlocks = 4096;
constexpr double kDelaySeconds = 0.4;  ///< Long enough that a moving slider makes no requests.
constexpr Job kJob{"timeline", Urgency::timeline};

constexpr const char* kNoClocks =
    "The interpreter has no clocks. It executes the same instructions, but cannot determine "
    "when a GPU's multiprocessors would execute them.";

/// The kinds of a phase's epochs by position, if all phases of the scene agree; otherwise empty.
/// The first phase begins after `before` epochs.
std::vector<trace::StepKind> kindsOf(const std::vector<TimelineEpoch>& epochs, uint32_t perPhase,
                                     uint32_t before) {
  std::vector<trace::StepKind> kinds;
  for (size_t e = before; e < epochs.size() && perPhase > 0; ++e) {
    if (!epochs[e].phase) break;
    const size_t position = (e - before) % perPhase;
    if (position == kinds.size() && e - before < perPhase) kinds.push_back(epochs[e].kind);
    if (position >= kinds.size() || kinds[position] != epochs[e].kind) return {};
  }
  return kinds.size() == perPhase ? kinds : std::vector<trace::StepKind>();
}

/// Offers a recording, because no available device has clocks.
void offerRecording(TimelineStage& to, const Devices& devices) {
  to.note = kNoClocks;
  for (const device::DeviceInfo& device : devices) {
    if (device.recordedOn.empty()) continue;
    to.recording = device.id;
    to.recordedName = device.name;
    return;
  }
}

class Timeline : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return TimelineStage::kFeature; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"timeline", "blocks over time", timelineTable}};
  }
  bool apply(const Command& command, Model& model) override {
    static const auto table = CommandTable<Timeline>().add("block", &Timeline::chooseBlock);
    return table.apply(*this, model, command);
  }

  /// Requests a timeline after the measurement, so that no measurement waits for it.
  void want(Model& model) override {
    if (std::exchange(of_, model.resolved) != model.resolved) lookAt(model);
    if (wanted_.key.empty()) return model.jobs.drop(kJob);
    if (!model.measuredIsCurrent()) {
      // A new measurement retries a failed timeline.
      if (!figures_ && model.figures.measured.mainKey.empty()) key_.clear();
      return model.jobs.drop(kJob);
    }
    if (key_ != wanted_.key) model.jobs.want(kJob, wanted_, model.now + kDelaySeconds);
  }

  void accept(const Arrival& arrival, Model& model) override {
    key_ = arrival.key;
    figures_ = false;
    nearest_.reset();
    note_.clear();
    viewKey_.clear();
    model.figures.timed.reset();
    model.figures.split.reset();
    model.figures.timedOf = key_ == wanted_.key ? model.wanted.measureMain : std::string();
    if (const Error* error = std::get_if<Error>(&arrival.reply.body)) {
      // If a GPU cannot provide a timeline, its other figures remain valid.
      note_ = "There is no timeline: " + error->message;
      return model.say({Notice::Kind::error, "timeline", error->message, placeOf(*error), {}});
    }
    model.clearNotice("timeline");
    if (const auto* result = std::get_if<lab::ResultPointer>(&arrival.reply.body))
      take(*result, model);
  }

  void poll(Model& model) override {
    std::erase_if(making_, [&](Making& making) {
      if (making.view.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
      std::shared_ptr<const TimelineView> view = making.view.get();
      if (making.key != key_) return true;
      view_ = std::move(view);
      viewKey_ = making.key;
      return model.changed = true;
    });
  }
  [[nodiscard]] bool works() const override { return !making_.empty(); }

  [[nodiscard]] ViewPointer view(const Moment& moment) override {
    auto stage = std::make_shared<TimelineStage>();
    if (!moment.shared.device.empty()) fill(*stage, moment);
    return stage;
  }

 private:
  struct Making {  ///< A view of many blocks that another thread is making.
    std::string key;
    std::future<std::shared_ptr<const TimelineView>> view;
  };

  /// Finds the launch of the present choice that is to be timed.
  void lookAt(const Model& model) {
    wanted_ = {};
    const std::optional<lab::Experiment> measured = model.measuredExperiment();
    if (!measured || !model.resolved->measures()) return;
    lab::Experiment experiment = *measured;
    experiment.timeline = true;
    experiment.counters = experiment.measure = false;
    wanted_ = std::move(experiment);
  }

  void take(const lab::ResultPointer& result, Model& model) {
    note_ = result->timelineNote;
    if (result->nearest && result->nearest->known)
      nearest_ = RecordedPlace{result->nearest->sizes, result->nearest->tunables};
    if (!result->timeline) return;
    const trace::Timeline& timeline = *result->timeline;
    figures_ = true;
    model.figures.timed = TimelineFigures{metrics::achievedOccupancy(timeline),
                                          metrics::barrierWaitShare(timeline), timeline.price};
    model.figures.split = splitOf(timeline);
    const auto& launches = result->plan.launches;
    if (launches.empty() || launches.front().grid.count() != timeline.blocks()) {
      note_ = "The timeline and the launch have different numbers of blocks.";
      return;
    }
    if (timeline.blocks() > kFewBlocks) {
      auto make = [result] { return timelineViewOf(*result); };
      making_.push_back({key_, std::async(std::launch::async, std::move(make))});
      return;
    }
    view_ = timelineViewOf(*result);
    viewKey_ = key_;
  }

  void fill(TimelineStage& stage, const Moment& moment) const {
    const Model& model = moment.model;
    const Snapshot& shared = moment.shared;
    if (!shared.measures) return offerRecording(stage, *model.devices);
    stage.view = view_;
    const bool answered = !wanted_.key.empty() && key_ == wanted_.key;
    stage.stale = stage.view && (!answered || viewKey_ != key_);
    const bool made =
        std::ranges::any_of(making_, [&](const Making& making) { return making.key == key_; });
    const bool asked = model.jobs.waitsOrRuns(kJob) || model.jobs.waitsOrRuns(kMeasureJob);
    stage.coming = answered ? made : asked;
    if (!answered && !asked && !stage.view)
      stage.note =
          "There is no timeline, because this launch was not measured. The notices say why.";
    if (answered && !stage.coming && viewKey_ != key_) {
      stage.view = nullptr;  // An earlier view would look like this choice's.
      stage.note = note_;
      stage.nearest = nearest_;
      stage.stale = false;
    }
    if (stage.view && shared.mainKernel) compareWithScene(stage, moment);
  }

  /// Determines whether the scene has the same blocks, and the kinds of its epochs.
  static void compareWithScene(TimelineStage& stage, const Moment& moment) {
    const lab::RunResult& result = *moment.shared.mainKernel->result;
    const compile::Plan& scene = result.plan;
    stage.sameGrid = !scene.launches.empty() && result.kernel == stage.view->kernel &&
                     scene.launches.front().grid == stage.view->grid &&
                     scene.sizes == stage.view->sizes && scene.tunables == stage.view->tunables;
    const auto& epochs = moment.shared.position.timeline;
    if (result.kernel != stage.view->kernel || !epochs || moment.resolved.changed) return;
    const trace::Timeline& timed = stage.view->timeline;
    stage.kinds = kindsOf(*epochs, timed.epochsPerPhase, timed.epochsBefore);
    for (size_t e = 0; e < timed.epochsBefore && e < epochs->size() && !stage.kinds.empty(); ++e)
      stage.kindsBefore.push_back((*epochs)[e].kind);
  }

  /// Chooses a block of the launch. A scene of another launch adopts this launch's sizes.
  bool chooseBlock(Model& model, const Dim3& block) {
    const auto& shown = model.shown->view<TimelineStage>();
    const std::shared_ptr<const TimelineView> view = shown.view;
    // The view of an earlier choice may belong to another kernel, so its sizes must not be used.
    if (!view || shown.stale || !view->indexOf(block)) return false;
    const bool same = shown.sameGrid;
    model.change("block", [&](Choice& choice) {
      if (!same) {
        choice.scene.values = view->sizes;
        choice.scene.linked = std::ranges::all_of(view->sizes, [&](const auto& size) {
          return size.second == view->sizes.begin()->second;
        });
      }
      choice.block = block;
      choice.comparison.block.reset();
    });
    model.endGesture();
    return true;
  }

  ResolvedPointer of_;                        ///< The choice that `wanted_` and `key_` belong to.
  Request wanted_;                            ///< Empty if nothing can be timed.
  std::string key_;                           ///< The key of the last answer.
  bool figures_ = false;                      ///< The last answer had a timeline.
  std::shared_ptr<const TimelineView> view_;  ///< The last view that could be made.
  std::string viewKey_;  ///< The key of `view_`; empty if it belongs to an earlier choice.
  std::string note_;     ///< The reason why there is no timeline.
  std::optional<RecordedPlace> nearest_;
  std::vector<Making> making_;
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<Timeline>();
}

}  // namespace tilestep::features::timeline
