// SPDX-License-Identifier: Apache-2.0
// Timing: the launches of the lab about timing, each timed with several methods.
#include "model/feature.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "features/labs/view.h"
#include "features/timing/view.h"
#include "model/export/table_parts.h"
#include "model/model.h"
#include "model/timed_kernels.h"

namespace tilestep::features::timing {
namespace {

constexpr Job kJob{TimingView::kFeature, Urgency::lesson};

Table timingTable(const Snapshot& now, const TableOptions& /*options*/) {
  Table out{"The same launch timed with several methods.",
            {"kernel", "sizes", "tunables", "way", "median s", "p10 s", "p90 s", "least s",
             "first s", "samples", "how", "on", "why no time"},
            {},
            false};
  for (const TimingRow& row : now.view<TimingView>().rows) {
    if (row.ways.empty())
      add(out, {row.kernel, row.sizes, row.tunables, "", "", "", "", "", "", "", "", "", row.gap});
    for (const device::NamedValue& way : row.ways) {
      add(out, {row.kernel, row.sizes, row.tunables, wayName(way.id), number(way.median),
                number(way.p10), number(way.p90), number(way.min), number(way.first),
                whole(way.count), way.method, row.on, ""});
    }
  }
  return out;
}

class Timing : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return TimingView::kFeature; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"timing", "one launch timed in several ways", timingTable}};
  }

  bool apply(const Command& command, Model& model) override {
    static const auto table = CommandTable<Timing>().add("watch", &Timing::watch);
    return table.apply(*this, model, command);
  }

  /// Detects that another lab was opened, or that the labs were read.
  void poll(Model& model) override {
    const Lab* lab = watched_ ? labOf(*model.shown) : nullptr;
    const std::string id = lab == nullptr ? "" : lab->id;
    if (std::exchange(of_, id) != id) model.changed = model.choiceChanged = true;
  }

  /// Requests one launch after another while the view is visible.
  void want(Model& model) override {
    if (watched_) {
      for (const LabKernel* kernel : kernelsOf(*model.shown)) {
        const auto experiment = experimentOf(*kernel, *model.resolved);
        if (!experiment) continue;
        const Request request(*experiment);
        if (!answers_.contains(request.key)) return model.jobs.want(kJob, request, model.now);
      }
    }
    model.jobs.drop(kJob);
  }

  void accept(const Arrival& arrival, Model& model) override {
    if (const auto* result = std::get_if<lab::ResultPointer>(&arrival.reply.body))
      answers_[arrival.key].result = *result;
    else if (const auto* error = std::get_if<Error>(&arrival.reply.body))
      answers_[arrival.key].trouble = error->message;
    model.changed = true;
  }

  [[nodiscard]] ViewPointer view(const Moment& moment) override {
    auto view = std::make_shared<TimingView>();
    if (!watched_) return view;
    for (const LabKernel* kernel : kernelsOf(*moment.model.shown))
      view->rows.push_back(rowOf(*kernel, moment.resolved, view->coming));
    view->sentence = view->rows.empty() ? "There is no lab whose launches are timed."
                                        : timingSentence(view->rows);
    if (view->sentence.empty()) view->sentence = commonTimingGap(view->rows);
    return view;
  }

 private:
  struct Answer {
    std::shared_ptr<const lab::RunResult> result;  ///< Null if the run failed.
    std::string trouble;
  };

  /// Whether the view is visible. While it is hidden, nothing is timed.
  void watch(Model& model, bool watched) {
    if (std::exchange(watched_, watched) != watched) model.changed = model.choiceChanged = true;
  }

  /// The open lab if it is about timing, otherwise the first such lab; null if there is none.
  static const Lab* labOf(const Snapshot& now) {
    const auto& labs = now.view<LabsView>();
    if (const Lab* open = labs.openLab(); open != nullptr && open->timings) return open;
    if (!labs.labs) return nullptr;
    const auto first = std::ranges::find(*labs.labs, true, &Lab::timings);
    return first == labs.labs->end() ? nullptr : &*first;
  }

  static std::vector<const LabKernel*> kernelsOf(const Snapshot& now) {
    return timedKernels(labOf(now));
  }

  static std::optional<lab::Experiment> experimentOf(const LabKernel& kernel,
                                                     const Resolved& resolved) {
    auto experiment = timedExperiment(kernel, resolved);
    if (experiment) experiment->timings = true;
    return experiment;
  }

  /// Sets `coming` if the answer is pending.
  [[nodiscard]] TimingRow rowOf(const LabKernel& kernel, const Resolved& resolved,
                                bool& coming) const {
    TimingRow row = timingRowOf(kernel);
    const auto experiment = experimentOf(kernel, resolved);
    if (!experiment) {
      row.gap = resolved.measures()
                    ? "This kernel cannot be used. Choose it to see why."
                    : "Only a GPU gives times. Choose a GPU or a recording as the device.";
      return row;
    }
    const auto answer = answers_.find(Request(*experiment).key);
    coming |= answer == answers_.end();
    if (answer == answers_.end())
      row.gap = "Being timed.";
    else if (!answer->second.result)
      row.gap = answer->second.trouble;
    else
      row = timingRowOf(kernel, *answer->second.result);
    return row;
  }

  std::map<std::string, Answer> answers_;  ///< By keyOf(experiment).
  bool watched_ = false;
  std::string of_;  ///< The lab whose launches were last shown.
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<Timing>();
}

}  // namespace tilestep::features::timing
