// SPDX-License-Identifier: Apache-2.0
// Times of the open lab's kernels at the sizes that the lab names, beside predicted ones.
#include "model/feature.h"

#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "features/lab_times/view.h"
#include "features/labs/view.h"
#include "model/counted_work.h"
#include "model/export/table_parts.h"
#include "model/model.h"

namespace tilestep::features::lab_times {
namespace {

using namespace model;

constexpr Job kJob{"lab_times", Urgency::lesson};

Table timesTable(const Snapshot& now, const TableOptions& /*options*/) {
  Table out{"Times of the lab's kernels, measured and predicted.",
            {"kernel", "sizes", "tunables", "on", "measured s", "predicted s",
             "measured / predicted", "limit", "quoted", "why no time"},
            {},
            false};
  for (const LabTime& row : now.view<LabTimesView>().rows) {
    add(out, {row.kernel, row.sizes, row.tunables, row.on, number(row.measuredSeconds),
              number(row.predictedSeconds), number(row.ratio()),
              row.limit ? metrics::toText(*row.limit) : "", row.quoted, row.gap});
  }
  return out;
}

class LabTimes : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return LabTimesView::kFeature; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"lab-times", "times of the lab's kernels", timesTable}};
  }

  /// Notices that a lab was opened or closed, or that its prediction was made: what is shown and
  /// wanted here follows from the view of the labs, which is published after this one's.
  void poll(Model& model) override {
    const auto& labs = model.shown->view<LabsView>();
    const std::string open = labs.openLab() == nullptr || labs.predicting ? "" : labs.openLab()->id;
    if (std::exchange(open_, open) != open) model.changed = model.choiceChanged = true;
  }

  /// One kernel after the other.
  void want(Model& model) override {
    for (const LabKernel* kernel : timedKernels(*model.shown)) {
      const auto experiment = experimentOf(*kernel, *model.resolved);
      if (!experiment || answers_.contains(keyOf(*experiment))) continue;
      return model.jobs.want(kJob, *experiment, model.now);
    }
    model.jobs.drop(kJob);
  }

  void accept(const Arrival& arrival, Model& model) override {
    const auto* result = std::get_if<lab::RunResult>(&arrival.reply.body);
    const auto* error = std::get_if<Error>(&arrival.reply.body);
    if (result != nullptr) {
      lab::RunResult kept = *result;
      Answer& answer = answers_[arrival.key];
      if (kept.counters) answer.work = countedWorkOf(kept);
      kept.trace.reset();  // It is only needed for the work.
      answer.result = std::make_shared<const lab::RunResult>(std::move(kept));
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
    for (const LabKernel* kernel : timedKernels(*moment.model.shown))
      view->rows.push_back(rowOf(*kernel, moment.resolved, ceilings));
    if (const Lab* lab = moment.model.shown->view<LabsView>().openLab(); lab != nullptr)
      view->quoted = lab->quoted;
    return view;
  }

 private:
  struct Answer {
    std::shared_ptr<const lab::RunResult> result;  ///< Without its trace; null where it failed.
    std::optional<metrics::CountedWork> work;      ///< Nothing where it was not counted.
    std::string trouble;
  };

  /// Those of the open lab, once its prediction is made.
  static std::vector<const LabKernel*> timedKernels(const Snapshot& now) {
    std::vector<const LabKernel*> kernels;
    const auto& labs = now.view<LabsView>();
    if (labs.openLab() == nullptr || labs.predicting) return kernels;
    for (const LabKernel& kernel : labs.openLab()->kernels) {
      if (!kernel.timedSizes.empty()) kernels.push_back(&kernel);
    }
    return kernels;
  }

  /// Nothing where no device gives times, or where the kernel cannot be read.
  static std::optional<lab::Experiment> experimentOf(const LabKernel& kernel,
                                                     const Resolved& resolved) {
    const compile::CatalogueEntry* entry = resolved.find(kernel.name);
    if (!resolved.measures() || entry == nullptr || !entry->spec) return std::nullopt;
    lab::Experiment experiment;
    experiment.source = entry->source;
    experiment.sizes = kernel.timedSizes;
    experiment.tunables = timedTunablesOf(kernel);
    experiment.device = resolved.device->id;
    experiment.onlyRecorded = !resolved.isLive();
    experiment.counters = true;
    experiment.traceBlock = Dim3{0, 0, 0};
    return experiment;
  }

  [[nodiscard]] LabTime rowOf(const LabKernel& kernel, const Resolved& resolved,
                              const device::Ceilings* ceilings) const {
    const auto experiment = experimentOf(kernel, resolved);
    LabTime row = labTimeOf(kernel);
    if (!experiment) {
      row.gap = resolved.measures()
                    ? "This kernel cannot be used: its file says why where it is chosen."
                    : "No GPU or recording here gives times.";
      return row;
    }
    const auto answer = answers_.find(keyOf(*experiment));
    if (answer == answers_.end()) {
      row.gap = "It is being measured.";
    } else if (!answer->second.result) {
      row.gap = answer->second.trouble;
    } else {
      row = labTimeOf(kernel, *answer->second.result, answer->second.work, ceilings);
    }
    return row;
  }

  std::map<std::string, Answer> answers_;  ///< By keyOf the experiment.
  std::string open_;                       ///< The lab whose times were shown last.
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<LabTimes>();
}

}  // namespace tilestep::features::lab_times
