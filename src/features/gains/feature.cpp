// SPDX-License-Identifier: Apache-2.0
#include "model/feature.h"

#include <optional>
#include <utility>

#include "features/gains/view.h"
#include "model/export/table_parts.h"
#include "model/model.h"
#include "model/text/step_summary.h"
#include "model/text/stopped_launch.h"
#include "model/text/traffic.h"

namespace tilestep::features::gains {
namespace {

using namespace model;

Table gainsTable(const Snapshot& now, const TableOptions& /*options*/) {
  Table out;
  const LaunchRatios& gains = now.view<GainsView>().ratios;
  if (!now.view<GainsView>().known) return out;
  out.title =
      "What tiling changes, " + gains.of + ": " + gains.against + " ÷ " + gains.subject + ".";
  out.columns = {"what", "times less", "origin"};
  add(out, {"bytes that lanes ask to load", number(gains.lanes), "counted"});
  add(out, {"L1 sectors of loads", number(gains.sectors), "counted"});
  add(out, {"L2 reads, caches cold", number(gains.l2), gains.l2 ? "hardware counters" : "unknown"});
  std::string timed = gains.time ? "measured" : "unknown";
  for (const std::string& remark : {gains.missing, gains.timeNote})
    if (!remark.empty()) timed += ". " + remark;
  add(out, {"time, caches warm", number(gains.time), std::move(timed)});
  return out;
}

/// Where the scene steps the reference in other blocks: that the scene's counts are of another
/// launch. Empty where both are the same.
std::string sceneNote(const lab::RunResult& reference, const TracedKernel* comparison) {
  if (comparison == nullptr || comparison->kernel != reference.kernel) return {};
  const lab::RunResult& scene = *comparison->result;
  if (scene.plan.launches.empty() || reference.plan.launches.empty()) return {};
  if (scene.plan.launches.front().block == reference.plan.launches.front().block) return {};
  return "The scene steps " + launchText(scene) +
         ", so that both blocks compute the same elements: its counts are of that launch.";
}

class WhatTilingChanges : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return GainsView::kFeature; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"gains", "what tiling changes", gainsTable}};
  }

  /// Naive against the main kernel; where that is naive, against the one beside it.
  [[nodiscard]] ViewPointer view(const Moment& moment) override {
    const Model& model = moment.model;
    const Resolved& resolved = moment.resolved;
    const Snapshot& shared = moment.shared;
    if (!shared.figuresMain) return nullptr;
    const compile::CatalogueEntry* main = resolved.entry;
    if (main == nullptr || !main->spec || resolved.changed) return nullptr;
    const compile::CatalogueEntry* naive = resolved.usualComparison(*main);
    std::shared_ptr<const lab::RunResult> reference = shared.figuresCompanion,
                                          subject = shared.figuresMain;
    if (naive == nullptr)
      std::swap(reference, subject);  // The main kernel is the naive one, or no product.
    else if (!model.wanted.reference.empty())
      reference =
          model.figures.referenceKey == model.wanted.reference ? model.figures.reference : nullptr;
    if (!reference || !subject || reference->kernel == subject->kernel) return nullptr;
    const compile::CatalogueEntry* other = resolved.find(subject->kernel);
    if (other == nullptr || resolved.find(reference->kernel) != resolved.usualComparison(*other))
      return nullptr;
    // One block's counts are set against those of a block that makes the same elements.
    if (reference->blockAlone != subject->blockAlone) return nullptr;
    const bool isComparison =
        reference == shared.figuresCompanion || subject == shared.figuresCompanion;
    if (shared.figuresOfBlock && isComparison &&
        elementsMade(*shared.mainKernel) != elementsMade(*shared.companionKernel))
      return nullptr;
    auto view = std::make_shared<GainsView>();
    const bool areShown = reference == shared.figuresCompanion && subject == shared.figuresMain;
    const bool anyBlocks = shared.figuresOfBlock || (isComparison && resolved.blocksAreChosen);
    view->ratios = areShown ? shared.ratios : ratiosOf(*reference, *subject, anyBlocks);
    if (shared.figuresOfBlock) view->ratios.of = aloneText(*shared.mainKernel);
    for (const std::string& remark :
         {sceneNote(*reference, shared.companionKernel.get()), view->ratios.missing,
          view->ratios.timeNote, whyNotCounted(subject.get()), whyNotCounted(reference.get())})
      if (!remark.empty()) view->note += (view->note.empty() ? "" : " ") + remark;
    view->known = true;
    return view;
  }
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<WhatTilingChanges>();
}

}  // namespace tilestep::features::gains
