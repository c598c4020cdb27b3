// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "base/figure.h"
#include "features/tuning/view.h"
#include "lab/launch/launch_spec.h"
#include "ui/kit/feature_panel.h"
#include "ui/kit/tunable_slider.h"
#include "ui/kit/widgets.h"
#include "ui/shell/cover.h"

namespace tilestep::features {
namespace {

void drawShape(const Context& context) {
  if (!context.snapshot.plan || context.snapshot.plan->launches.empty()) return;
  const Launch& launch = context.snapshot.plan->launches.front();
  const auto times = [](const Dim3& d) {
    std::string text = std::to_string(d.x) + " × " + std::to_string(d.y);
    return d.z > 1 ? text + " × " + std::to_string(d.z) : text;
  };
  std::string text = "block " + times(launch.block) + " = " + grouped(launch.block.count()) +
                     " threads, grid " + times(launch.grid);
  steadyHint(context, text, 1);
}

void drawResources(const Context& context) {
  const std::string& resources = context.snapshot.view<TuningView>().resources;
  if (!resources.empty()) steadyHint(context, resources, 2);
}

void drawSearch(const Context& context, const TuningSearch& search) {
  progressBar(context, search.share);
  coverablePart(context, Covered::controls, [&] { steadyHint(context, search.text, 3); });
  if (ImGui::SmallButton("cancel the search"))
    context.session.apply(model::command("tuning.cancel"));
}

/// Shows the sweep over the kernel's tunables, which starts if it does not exist.
void compareValues(const Context& context, size_t tunables) {
  context.ui.stage = Stage::sweeps;
  context.ui.sweep = {tunables > 1 ? model::SweepKind::shapes : model::SweepKind::tunable};
  context.ui.sweepAt.reset();
}

/// Buttons that apply the best known tunables and search for better ones, or a text.
void drawBest(const Context& context, const compile::KernelSpec& spec) {
  const auto& view = context.snapshot.view<TuningView>();
  const BestTunables& best = view.best;
  if (best.taken) hint(context, best.text);
  if (view.search.running) return drawSearch(context, view.search);
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  if (best.known && !best.taken) {
    if (ImGui::SmallButton("best known")) context.session.apply(model::command("tuning.best"));
    tooltip(context, "(F6) " + best.text);
    sameLineIfRoom("compare values", right);
  }
  const std::string unknown = best.known ? "" : best.text + " ";
  if (view.search.possible) {
    if (ImGui::SmallButton("find the best")) context.session.apply(model::command("tuning.search"));
    tooltip(context, unknown + view.search.text);
    return;
  }
  if (ImGui::SmallButton("compare values")) compareValues(context, spec.tunables.size());
  tooltip(context, unknown + "Shows the " +
                       (context.snapshot.measures ? "recorded times" : "counts") + " of " +
                       spec.name + " over the values of its tunables.");
}

void drawTunableOf(const Context& context, const compile::TunableSpec& tunable) {
  drawTunable(context, tunable, context.snapshot.tunables,
              context.snapshot.view<TuningView>().legalityOf(tunable.name), [&](int64_t value) {
                context.session.apply(model::command("tuning.set", tunable.name, value));
              });
}

/// The inferred properties of a program's launch, and their sources.
void drawInferred(const Context& context, const compile::KernelSpec& spec) {
  ImGui::Dummy({0, 0.3F * context.em});
  heading(context, "Launch", "as the program requests it");
  drawShape(context);
  drawResources(context);
  if (spec.assumed.empty() || !foldingHeading(context, "Inferred properties")) return;
  for (const compile::Assumption& each : spec.assumed) {
    const std::string line = each.line > 0 ? " (line " + std::to_string(each.line) + ")" : "";
    hint(context, each.what + ": " + each.value + line + ".");
    if (each.what != lab::kOperation && each.what != lab::kPhases) continue;
    const bool isOn = !each.value.starts_with("not ");
    const std::string label = (isOn ? "do not infer it##" : "infer it##") + each.what;
    if (ImGui::SmallButton(label.c_str()))
      context.session.apply(model::command("program.infer", each.what, !isOn));
  }
}

/// The sliders, the resulting launch, and the best known values. For a program's launch, its shape
/// and the inferred properties.
void drawTunables(const Context& context) {
  const compile::CatalogueEntry* entry = context.snapshot.entry();
  if (entry == nullptr || !entry->spec) return;
  if (entry->source.launch != nullptr) return drawInferred(context, *entry->spec);
  ImGui::Dummy({0, 0.3F * context.em});
  heading(context, "Tunables");
  if (entry->spec->tunables.empty()) hint(context, "This kernel has no tunables.");
  for (const compile::TunableSpec& tunable : entry->spec->tunables) drawTunableOf(context, tunable);
  coverablePart(context, Covered::controls, [&] {
    drawShape(context);
    drawResources(context);
  });
  if (!entry->spec->tunables.empty()) drawBest(context, *entry->spec);
}

void drawFewTunables(const Context& context) {
  const compile::CatalogueEntry* entry = context.snapshot.entry();
  if (entry == nullptr || !entry->spec) return;
  for (const compile::TunableSpec& tunable : entry->spec->tunables) drawTunableOf(context, tunable);
}

void drawPresentedTunable(const Context& context) {
  if (const compile::TunableSpec* tunable = presentedTunable(context.snapshot))
    drawTunableOf(context, *tunable);
}

}  // namespace
}  // namespace tilestep::features

namespace tilestep::features::tuning {
namespace {

/// Changes the first tunable to its next legal value. If there is none, chooses the next value, so
/// that the reason is shown.
void changeFirst(model::Session& session, int by) {
  const auto snapshot = session.snapshot();
  if (!snapshot->view<TuningView>().legality || snapshot->view<TuningView>().legality->empty())
    return;
  const model::TunableLegality& legality = snapshot->view<TuningView>().legality->front();
  const auto now = snapshot->tunables.find(legality.tunable);
  if (now == snapshot->tunables.end()) return;
  session.apply(model::command("tuning.set", legality.tunable,
                               model::steppedFrom(legality, now->second, by)));
  session.endGesture();
}

class TuningPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::vector<KeyHelp> keys() const override {
    return {{"[ or ]", "first tunable: the next lower or higher legal value"},
            {"F6", "the best known tunables for this device and size"},
            {"R", "pad the tiles by one column, if the kernel supports it"}};
  }
  bool takeText(char32_t text, model::Session& session, UiState& /*ui*/) const override {
    switch (text) {
      case U'[':
      case U']':
        changeFirst(session, text == U'[' ? -1 : 1);
        return true;
      case U'r':
      case U'R':
        session.apply(model::command("tuning.pad"));
        return true;
      default:
        return false;
    }
  }
  [[nodiscard]] PartDrawers parts() const override {
    return {{Part::tunables, drawTunables},
            {Part::fewTunables, drawFewTunables},
            {Part::presentedTunable, drawPresentedTunable}};
  }
  void addItems(PaletteGroup group, const Context& context,
                std::vector<PaletteItem>& to) const override {
    if (group != PaletteGroup::tuning) return;
    const TuningSearch& search = context.snapshot.view<TuningView>().search;
    if (search.running)
      to.push_back(paletteItem(context, "Cancel the search for the best tunables", "",
                               model::command("tuning.cancel")));
    else if (search.possible)
      to.push_back(
          paletteItem(context, "Find the best tunables", "", model::command("tuning.search")));
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<TuningPanel>();
}

}  // namespace tilestep::features::tuning
