// SPDX-License-Identifier: Apache-2.0
#include "model/feature.h"

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "features/gains/view.h"
#include "model/export/table_parts.h"
#include "model/model.h"
#include "model/text/step_summary.h"
#include "model/text/stopped_launch.h"
#include "model/text/traffic.h"

namespace tilestep::features::gains {
namespace {

Table gainsTable(const Snapshot& now, const TableOptions& /*options*/) {
  const auto& view = now.view<GainsView>();
  Table out;
  if (view.gains.empty()) return out;
  out.title = "What tiling changes, " + view.ratios.of + ": " + view.ratios.against + " ÷ " +
              view.ratios.subject + ".";
  out.columns = {"what", "times less", "origin"};
  for (const Gain& gain : view.gains) add(out, {gain.what, number(gain.value()), gain.origin});
  return out;
}

std::string joined(std::initializer_list<std::string> texts, const char* between) {
  std::string all;
  for (const std::string& text : texts)
    if (!text.empty()) all += (all.empty() ? "" : between) + text;
  return all;
}

std::vector<Gain> gainsOf(const LaunchRatios& ratios, bool live) {
  const std::string of = ", naive ÷ " + ratios.subject;
  const auto gain = [&](const char* name, const Ratio& ratio, const char* what,
                        const std::string& origin, const char* missing, const std::string& hover) {
    Gain one{ratio, what, origin, ratios.comparable ? missing : "not compared"};
    one.name = name;
    one.hover = joined({hover, ratio.formula()}, "\n");
    return one;
  };
  const char* untimed = live ? "needs a GPU" : "not recorded";
  std::vector<Gain> gains{
      gain("bytes asked", ratios.lanes, "bytes that lanes ask to load", "counted", "not counted",
           "Bytes that lanes ask to load" + of + ". Counted."),
      gain("L1 sectors", ratios.sectors, "L1 sectors of loads", "counted", "not counted",
           "Sectors of load requests" + of + ". Counted."),
      gain("L2 reads", ratios.l2, "L2 reads, caches cold",
           ratios.l2.value() ? "hardware counters" : "unknown",
           live ? "needs a GPU's counters" : "not recorded",
           "Sectors read from L2" + of +
               ", caches cold. They come from a GPU's hardware counters, which are read when asked "
               "for."),
      gain(
          "time", ratios.time, "time, caches warm",
          joined({ratios.time.value() ? "measured" : "unknown", ratios.missing, ratios.timeNote},
                 ". "),
          ratios.missing.empty() ? untimed : "not compared",
          "Median time" + of + ", caches warm. Measured on a GPU; the interpreter gives no time.")};
  Gain& time = gains.back();
  time.hover = joined({time.hover, ratios.missing, ratios.timeNote}, "\n");
  return gains;
}

/// A sentence that the scene steps the reference in other blocks, so its counts belong to another
/// launch. Empty if both are the same.
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

  /// Compares naive with the main kernel or, if that is naive, with the companion.
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
      std::swap(reference, subject);  // The main kernel is the naive one, or not a product.
    else if (!model.wanted.reference.empty())
      reference =
          model.figures.referenceKey == model.wanted.reference ? model.figures.reference : nullptr;
    if (!reference || !subject || reference->kernel == subject->kernel) return nullptr;
    const compile::CatalogueEntry* other = resolved.find(subject->kernel);
    if (other == nullptr || resolved.find(reference->kernel) != resolved.usualComparison(*other))
      return nullptr;
    // One block's counts are compared with those of a block that computes the same elements.
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
    view->gains = gainsOf(view->ratios, shared.recordedOn.empty());
    view->note = joined(
        {sceneNote(*reference, shared.companionKernel.get()), view->ratios.missing,
         view->ratios.timeNote, whyNotCounted(subject.get()), whyNotCounted(reference.get())},
        " ");
    return view;
  }
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<WhatTilingChanges>();
}

}  // namespace tilestep::features::gains
