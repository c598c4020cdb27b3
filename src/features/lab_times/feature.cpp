// SPDX-License-Identifier: Apache-2.0
// Measured and predicted times of the open lab's kernels, and of the lab whose sums are compared,
// at the sizes that the labs specify.
#include "model/feature.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "features/lab_times/view.h"
#include "features/labs/view.h"
#include "features/sums/view.h"
#include "model/export/table_parts.h"
#include "model/model.h"
#include "model/timed_kernels.h"

namespace tilestep::features::lab_times {
namespace {

constexpr Job kJob{"lab_times", Urgency::lesson};

Table timesTable(const Snapshot& now, const TableOptions& /*options*/) {
  Table out{"Times of the lab's kernels, measured and predicted.",
            {"kernel", "sizes", "tunables", "on", "measured s", "predicted s",
             "measured / predicted", "limit", "quoted", "why no time"},
            {},
            false};
  for (const LabTime& row : now.view<LabTimesView>().rows) {
    add(out, {row.kernel, row.sizes, row.tunables, row.on, number(row.measuredSeconds),
              number(row.predictedSeconds), number(row.ratio()), row.limit, row.quoted, row.gap});
  }
  return out;
}

class LabTimes : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return LabTimesView::kFeature; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"lab-times", "times of the lab's kernels", timesTable}};
  }

  /// Detects that a lab was opened or closed, that the user has made its prediction, or that the
  /// ladder of sums is shown or hidden. This feature's view and requests depend on other views,
  /// which are published together with it.
  void poll(Model& model) override {
    std::string timed;
    for (const Lab* lab : {openLab(*model.shown), ladderLab(*model.shown)})
      timed += (lab == nullptr ? "" : lab->id) + "/";
    if (std::exchange(timed_, timed) != timed) model.changed = model.choiceChanged = true;
  }

  /// Requests one kernel after another.
  void want(Model& model) override {
    for (const Lab* lab : {openLab(*model.shown), ladderLab(*model.shown)})
      for (const LabKernel* kernel : timedKernels(lab)) {
        const auto experiment = experimentOf(*kernel, *model.resolved);
        if (!experiment) continue;
        const Request request(*experiment);
        if (!answers_.contains(request.key)) return model.jobs.want(kJob, request, model.now);
      }
    model.jobs.drop(kJob);
  }

  void accept(const Arrival& arrival, Model& model) override {
    const auto* result = worker::resultOf(arrival.reply);
    const auto* error = std::get_if<Error>(&arrival.reply.body);
    if (result != nullptr) {
      lab::RunResult kept = *result;
      Answer& answer = answers_[arrival.key];
      answer.work = launchWorkOf(kept);
      kept.trace.reset();  // Only the prediction needs the trace.
      answer.result = lab::shared(std::move(kept));
    } else if (error != nullptr) {
      answers_[arrival.key].trouble = error->message;
    }
    model.changed = true;
  }

  [[nodiscard]] ViewPointer view(const Moment& moment) override {
    auto view = std::make_shared<LabTimesView>();
    const Figures& figures = moment.model.figures;
    const device::DeviceInfo* device = moment.resolved.device;
    const bool isOfDevice = device != nullptr && figures.ceilingsOf == device->id;
    const device::Ceilings* ceilings =
        isOfDevice && figures.ceilings ? &*figures.ceilings : nullptr;
    const Lab* open = openLab(*moment.model.shown);
    for (const LabKernel* kernel : timedKernels(open))
      view->rows.push_back(rowOf(*kernel, moment.resolved, ceilings));
    if (open != nullptr) view->quoted = open->quoted;
    for (const LabKernel* kernel : timedKernels(ladderLab(*moment.model.shown)))
      view->ladder.push_back(rowOf(*kernel, moment.resolved, ceilings));
    return view;
  }

 private:
  struct Answer {
    std::shared_ptr<const lab::RunResult> result;  ///< Without its trace; null if it failed.
    std::optional<LaunchWork> work;                ///< Absent if the launch was not counted.
    std::string trouble;
  };

  /// The open lab; null before the user has made its prediction.
  static const Lab* openLab(const Snapshot& now) {
    const auto& labs = now.view<LabsView>();
    return labs.predicting ? nullptr : labs.openLab();
  }
  /// The lab whose sums are compared; null while they are hidden.
  static const Lab* ladderLab(const Snapshot& now) {
    const std::string& id = now.view<SumsView>().lab;
    const auto& labs = now.view<LabsView>().labs;
    if (id.empty() || !labs) return nullptr;
    const auto at = std::ranges::find(*labs, id, &Lab::id);
    return at == labs->end() ? nullptr : &*at;
  }

  /// A timed run with counts, hardware counters, and a traced block for the prediction.
  static std::optional<lab::Experiment> experimentOf(const LabKernel& kernel,
                                                     const Resolved& resolved) {
    auto experiment = timedExperiment(kernel, resolved);
    if (!experiment) return std::nullopt;
    experiment->counters = true;
    experiment->traceBlock = Dim3{0, 0, 0};
    experiment->hardware = true;
    return experiment;
  }

  [[nodiscard]] LabTime rowOf(const LabKernel& kernel, const Resolved& resolved,
                              const device::Ceilings* ceilings) const {
    const auto experiment = experimentOf(kernel, resolved);
    LabTime row = labTimeOf(kernel);
    if (!experiment) {
      row.gap = resolved.measures() ? "This kernel cannot be used. Choose it to see why."
                                    : "No GPU or recording here gives times.";
      return row;
    }
    const auto answer = answers_.find(Request(*experiment).key);
    if (answer == answers_.end()) {
      row.gap = "Being measured.";
      row.isComing = true;
    } else if (!answer->second.result) {
      row.gap = answer->second.trouble;
    } else {
      row = labTimeOf(kernel, *answer->second.result, answer->second.work, ceilings);
    }
    return row;
  }

  std::map<std::string, Answer> answers_;  ///< By keyOf(experiment).
  std::string timed_;                      ///< The labs whose times were shown last.
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<LabTimes>();
}

}  // namespace tilestep::features::lab_times
