// SPDX-License-Identifier: Apache-2.0
// The footprint of a block in global memory: which sectors and lines each warp's requests touch.
#include "model/feature.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "features/footprint/requests_table.h"
#include "features/footprint/view.h"
#include "model/model.h"
#include "model/text/step_summary.h"

namespace tilestep::features::footprint {
namespace {

using namespace model;

/// What the step shows, when the picture shows `request`, the last one up to the step's end.
std::string sentenceOf(const TracedStep& step, const RequestPicture* request, bool isStep) {
  if (request == nullptr) return "No warp has accessed global memory yet.";
  if (isStep) return requestSentence(*request);
  if (request->request.event < step.step.firstEvent)
    return "This step accesses no global memory. The request before it is shown.";
  return "This step is several instructions. Its last request: " + requestSentence(*request);
}

class FootprintFeature : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return FootprintView::kFeature; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"sectors", "requests and their sectors", requestsTable}};
  }
  bool apply(const Command& command, Model& model) override {
    static const auto table =
        CommandTable<FootprintFeature>().add("watch", &FootprintFeature::watch);
    return table.apply(*this, model, command);
  }

  [[nodiscard]] ViewPointer view(const Moment& moment) override {
    const Snapshot& now = moment.shared;
    auto view = std::make_shared<FootprintView>();
    if (!watched_ || !now.main) return view;
    if (std::exchange(of_, now.main->side) != now.main->side)
      footprint_ = std::make_shared<const Footprint>(footprintOf(*of_));
    view->footprint = footprint_;
    view->of = of_;
    view->block = blockText(of_->replay->recording().block);
    addStep(*view, *now.main);
    return view;
  }

 private:
  /// Whether anybody looks at it; it is made only then.
  void watch(Model& model, bool watched) {
    if (std::exchange(watched_, watched) != watched) model.changed = true;
  }

  static void addStep(FootprintView& view, const TracedStep& step) {
    const std::optional<size_t> last = view.footprint->lastAt(step.step.lastEvent);
    view.done = last ? *last + 1 : 0;
    view.soFar = view.footprint->countsOf(view.done);
    view.whole = view.footprint->countsOf(view.footprint->requests.size());
    if (last) {
      const GlobalRequest& request = view.requestAt(*last);
      view.request = std::make_shared<const RequestPicture>(pictureOf(*view.of, request));
      view.isStep = request.event == step.step.firstEvent && request.event == step.step.lastEvent;
    }
    view.sentence = sentenceOf(step, view.request.get(), view.isStep);
  }

  bool watched_ = false;
  std::shared_ptr<const TracedKernel> of_;
  std::shared_ptr<const Footprint> footprint_;
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<FootprintFeature>();
}

}  // namespace tilestep::features::footprint
