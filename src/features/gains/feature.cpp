// SPDX-License-Identifier: Apache-2.0
#include "model/feature.h"

#include <initializer_list>
#include <memory>
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

std::string joined(std::initializer_list<std::string> texts, const char* between) {
  std::string all;
  for (const std::string& text : texts)
    if (!text.empty()) all += (all.empty() ? "" : between) + text;
  return all;
}

Table gainsTable(const Snapshot& now, const TableOptions& /*options*/) {
  const auto& view = now.view<GainsView>();
  const LaunchRatios& ratios = view.ratios;
  Table out;
  if (view.gains.empty()) return out;
  out.title =
      "What tiling changes, " + ratios.of + ": " + ratios.against + " ÷ " + ratios.subject + ".";
  out.columns = {"what", "times less", "origin"};
  const std::string time =
      joined({ratios.time.value() ? "measured" : "unknown", ratios.missing, ratios.timeNote}, ". ");
  const std::string origins[] = {"counted", "counted",
                                 ratios.l2.value() ? "hardware counters" : "unknown", time};
  for (size_t i = 0; i < view.gains.size(); ++i)
    add(out, {view.gains[i].name, number(view.gains[i].value()), origins[i]});
  return out;
}

/// Adds the ratios in the order of LaunchRatios, with the names and hover texts of this view.
void addGains(GainsView& view, bool live) {
  const LaunchRatios& ratios = view.ratios;
  const auto put = [&](Ratio ratio, const char* name, const char* missing,
                       const std::string& hover) {
    ratio.name = name;
    ratio.hover = hover;
    view.gains.push_back(std::move(ratio));
    view.missing.emplace_back(ratios.comparable ? missing : "not compared");
  };
  put(ratios.lanes, "bytes that lanes ask to load", "not counted",
      "Bytes that lanes ask to load. Counted.");
  put(ratios.sectors, "L1 sectors of loads", "not counted", "Sectors of load requests. Counted.");
  put(ratios.l2, "L2 reads, caches cold", live ? "needs a GPU's counters" : "not recorded",
      "Sectors read from L2 with cold caches. They come from a GPU's hardware counters, which are "
      "read on request.");
  put(ratios.time, "time, caches warm",
      !ratios.missing.empty() ? "not compared"
      : live                  ? "needs a GPU"
                              : "not recorded",
      joined({"Median time with warm caches. Measured on a GPU; the interpreter gives no times.",
              ratios.missing, ratios.timeNote},
             "\n"));
}

/// If the scene steps the reference in other blocks than the figures, a sentence that says so;
/// otherwise empty.
std::string sceneNote(const lab::RunResult& reference, const TracedKernel* comparison) {
  if (comparison == nullptr || comparison->kernel != reference.kernel) return {};
  const lab::RunResult& scene = *comparison->result;
  if (scene.plan.launches.empty() || reference.plan.launches.empty()) return {};
  if (scene.plan.launches.front().block == reference.plan.launches.front().block) return {};
  return "The scene shows " + launchText(scene) +
         ", in which both blocks compute the same elements. The scene's counts belong to that "
         "launch.";
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
    const compile::CatalogueEntry* main = resolved.entry;
    if (!shared.figuresMain || main == nullptr || !main->spec || resolved.changed) return nullptr;
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
    // One block's counts are only compared with those of a block that computes the same elements.
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
    addGains(*view, shared.recordedOn.empty());
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
