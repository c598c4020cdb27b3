// SPDX-License-Identifier: Apache-2.0
// The footprint of a block in global memory: the sectors and lines that its warps' requests access.
#include "model/feature.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "features/footprint/requests_table.h"
#include "features/footprint/view.h"
#include "model/model.h"
#include "model/text/step_summary.h"

namespace tilestep::features::footprint {
namespace {

/// Describes the step. The picture shows `request`, the last request up to the step's end.
std::string sentenceOf(const TracedStep& step, const RequestPicture* request, bool isStep) {
  if (request == nullptr) return "No warp has accessed global memory yet.";
  if (isStep) return requestSentence(*request);
  if (request->request.event < step.step.firstEvent)
    return "This step does not access global memory. The previous request is shown.";
  return "This step consists of several instructions. Its last request: " +
         requestSentence(*request);
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
    const std::shared_ptr<const TracedStep>& main = moment.shared.main;
    if (!watched_ || !main) return std::make_shared<FootprintView>();
    if (shown_ && step_ == main) return shown_;
    step_ = main;
    if (std::exchange(of_, main->side) != main->side) makeFootprint();
    auto view = std::make_shared<FootprintView>();
    view->footprint = footprint_;
    view->maps = maps_;
    view->of = of_;
    view->block = blockText(of_->replay->recording().block);
    addStep(*view, *main);
    shown_ = view;
    return view;
  }

 private:
  /// Whether the view is visible. While it is hidden, its data is discarded.
  void watch(Model& model, bool watched) {
    if (std::exchange(watched_, watched) == watched) return;
    model.changed = true;
    if (watched) return;
    shown_.reset();
    step_.reset();
    of_.reset();
    footprint_.reset();
    maps_.reset();
  }

  void makeFootprint() {
    footprint_ = std::make_shared<const Footprint>(footprintOf(*of_));
    std::vector<OperandMap> maps;
    for (const OperandFootprint& operand : footprint_->operands) maps.push_back(mapOf(operand));
    maps_ = std::make_shared<const std::vector<OperandMap>>(std::move(maps));
  }

  static void addStep(FootprintView& view, const TracedStep& step) {
    const std::optional<size_t> last = view.footprint->lastAt(step.step.lastEvent);
    view.done = last ? *last + 1 : 0;
    view.soFar = view.footprint->countsOf(view.done);
    if (last) {
      const GlobalRequest& request = view.requestAt(*last);
      view.request = std::make_shared<const RequestPicture>(pictureOf(*view.of, request));
      view.isStep = request.event == step.step.firstEvent && request.event == step.step.lastEvent;
      addFrames(view, request.buffer);
    }
    view.sentence = sentenceOf(step, view.request.get(), view.isStep);
  }

  static void addFrames(FootprintView& view, int16_t buffer) {
    const std::vector<OperandFootprint>& operands = view.footprint->operands;
    const auto at = std::ranges::find(operands, buffer, &OperandFootprint::buffer);
    view.operand = static_cast<size_t>(at - operands.begin());
    view.frames = rectanglesOf((*view.maps)[view.operand].shape, at->elementBytes,
                               view.request->coalescing.sectors);
  }

  bool watched_ = false;
  std::shared_ptr<const TracedKernel> of_;
  std::shared_ptr<const TracedStep> step_;
  std::shared_ptr<const Footprint> footprint_;
  std::shared_ptr<const std::vector<OperandMap>> maps_;
  std::shared_ptr<const FootprintView> shown_;
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<FootprintFeature>();
}

}  // namespace tilestep::features::footprint
