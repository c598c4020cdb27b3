// SPDX-License-Identifier: Apache-2.0
// Lanes against time: the lanes that execute each warp instruction, and the cost of branches.
#include "model/feature.h"

#include <bit>
#include <utility>

#include "base/figure.h"
#include "features/divergence/view.h"
#include "model/export/table_parts.h"
#include "model/model.h"
#include "model/text/traffic.h"

namespace tilestep::features::divergence {
namespace {

std::string lanesText(uint32_t mask) {
  std::string text(32, '.');
  for (size_t lane = 0; lane < text.size(); ++lane)
    if ((mask >> lane & 1U) != 0) text[lane] = '#';
  return text;
}

std::string titleOf(const TracedKernel& kernel, const LanesPicture& picture) {
  std::string text = "Lanes against time of " + kernel.shortName +
                     ", from its trace: " + whole(picture.active) + " of " + whole(picture.slots) +
                     " lanes of its instructions are on";
  const auto figures = branchFiguresOf(*kernel.result);
  if (!figures) return text;
  return text + ". " + whole(figures->branches) + " branches, " + whole(figures->divergent) +
         " divergent, branch efficiency " + toText(figures->efficiency, Unit::ratio) +
         ", lanes active " + toText(figures->activeLanes, Unit::ratio);
}

Table lanesTable(const Snapshot& now, const TableOptions& options) {
  Table out;
  const auto& step = stepOf(now, options);
  if (!step) return out;
  const TracedKernel& kernel = *step->side;
  const LanesPicture picture = lanesOf(kernel);
  out.title = titleOf(kernel, picture);
  out.columns = {"warp", "step", "line", "source", "path", "lanes on", "lanes 0 to 31"};
  for (const WarpRows& warp : picture.warps)
    for (size_t i = 0; i < warp.rows.size(); ++i) {
      const LaneRow& row = warp.rows[i];
      add(out, {whole(warp.warp), whole(i + 1), row.line > 0 ? whole(row.line) : "",
                sourceLineOf(kernel, row.line), picture.paths[row.path].name,
                whole(std::popcount(row.mask)), lanesText(row.mask)});
    }
  return out;
}

class Divergence : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return DivergenceView::kFeature; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"lanes", "lanes against time", lanesTable}};
  }
  bool apply(const Command& command, Model& model) override {
    static const auto table = CommandTable<Divergence>().add("watch", &Divergence::watch);
    return table.apply(*this, model, command);
  }

  [[nodiscard]] ViewPointer view(const Moment& moment) override {
    const Snapshot& now = moment.shared;
    auto view = std::make_shared<DivergenceView>();
    if (!watched_ || !now.main) return view;
    if (std::exchange(of_, now.main->side) != now.main->side)
      picture_ = std::make_shared<const LanesPicture>(lanesOf(*of_));
    view->picture = picture_;
    view->of = of_;
    view->figures = branchFiguresOf(*of_->result);
    view->counted = countedText(*of_);
    view->sentence = lanesSentence(*now.main);
    view->firstEvent = now.main->step.firstEvent;
    view->lastEvent = now.main->step.lastEvent;
    const trace::BlockTrace& recording = of_->replay->recording();
    if (view->lastEvent < recording.size()) view->warp = recording.event(view->lastEvent).warp;
    return view;
  }

 private:
  /// Whether the view is visible; it is computed only while visible.
  void watch(Model& model, bool watched) {
    if (std::exchange(watched_, watched) != watched) model.changed = true;
  }

  bool watched_ = false;
  std::shared_ptr<const TracedKernel> of_;
  std::shared_ptr<const LanesPicture> picture_;
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<Divergence>();
}

}  // namespace tilestep::features::divergence
