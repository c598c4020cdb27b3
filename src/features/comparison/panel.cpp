// SPDX-License-Identifier: Apache-2.0
// The part of the controls that chooses the kernel to compare with, and its keys.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "compile/front_matter/front_matter.h"
#include "compile/front_matter/tunable_values.h"
#include "features/comparison/view.h"
#include "model/scene/traced_kernel.h"
#include "ui/kit/feature_panel.h"
#include "ui/kit/panels.h"
#include "ui/kit/tunable_slider.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {
namespace {

using nlohmann::json;

/// The companion; null if there is none.
const compile::CatalogueEntry* entryOf(const model::Snapshot& now) {
  const auto& entry = now.view<ComparisonView>().entry;
  return entry ? &(*now.catalogue)[*entry] : nullptr;
}

std::string previewText(const model::Snapshot& now) {
  const std::string& chosen = now.choice.comparison.kernel;
  if (chosen == Comparison::kUsual && now.view<ComparisonView>().hasUsual)
    return "naive (as usual)";
  if (chosen == Comparison::kUsual || chosen == Comparison::kNone) return "nothing";
  return model::shortNameOf(chosen);
}

void drawChoice(const Context& context) {
  const model::Snapshot& now = context.snapshot;
  const std::string& chosen = now.choice.comparison.kernel;
  ImGui::SetNextItemWidth(-1);
  if (!ImGui::BeginCombo("##beside", previewText(now).c_str(), ImGuiComboFlags_HeightLarge)) return;
  const auto item = [&](const std::string& label, const std::string& name) {
    if (ImGui::Selectable((label + "##" + name).c_str(), chosen == name))
      context.session.apply(model::command("comparison.choose", name));
  };
  if (now.view<ComparisonView>().hasUsual) item("naive (as usual)", Comparison::kUsual);
  item("nothing", now.view<ComparisonView>().hasUsual ? Comparison::kNone : Comparison::kUsual);
  for (const std::string& name : now.view<ComparisonView>().kernels)
    item(model::shortNameOf(name) + (name == now.choice.kernel ? " (the same kernel)" : ""), name);
  ImGui::EndCombo();
}

/// "BLOCK_X 4, BLOCK_Y 4"
std::string tunablesText(const compile::CatalogueEntry& entry, const compile::Bindings& values) {
  std::string text;
  for (const compile::TunableSpec& tunable : entry.spec->tunables)
    if (const auto value = values.find(tunable.name); value != values.end())
      text += (text.empty() ? "" : ", ") + tunable.name + " " + std::to_string(value->second);
  return text;
}

/// One line with the tunables while they follow the main kernel's by default; otherwise, or once
/// unfolded, sliders.
void drawTunables(const Context& context, const compile::CatalogueEntry& entry) {
  const auto& view = context.snapshot.view<ComparisonView>();
  const bool usual =
      context.snapshot.choice.comparison.kernel == Comparison::kUsual && view.follows;
  ImGuiStorage& kept = *ImGui::GetStateStorage();
  const ImGuiID unfolded = ImGui::GetID("unfolded");
  if (usual && !kept.GetBool(unfolded)) {
    steadyHint(context,
               tunablesText(entry, view.tunables) +
                   ", same block as the main kernel, so the scene compares the same elements",
               3);
    if (ImGui::SmallButton("its own…")) kept.SetBool(unfolded, true);
    tooltip(context, "Sliders for the compared kernel");
    ImGui::SameLine();
    return;
  }
  for (const compile::TunableSpec& tunable : entry.spec->tunables)
    drawTunable(context, tunable, view.tunables, nullptr, [&](int64_t value) {
      context.session.apply(model::command("comparison.set", tunable.name, value));
    });
}

void drawComparisonButtons(const Context& context) {
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  if (ImGui::SmallButton("swap sides")) context.session.apply(model::command("comparison.swap"));
  tooltip(context, "Swaps the main and the compared kernel (H)");
  if (context.snapshot.view<ComparisonView>().follows && !context.snapshot.choice.comparison.block)
    return;
  sameLineIfRoom("follow", right);
  if (ImGui::SmallButton("follow")) context.session.apply(model::command("comparison.follow"));
  tooltip(context, "Makes its tunables and block follow the main kernel again");
}

void changeFirstTunable(model::Session& session, int64_t by) {
  const auto snapshot = session.snapshot();
  const compile::CatalogueEntry* entry = entryOf(*snapshot);
  if (entry == nullptr || !entry->spec || entry->spec->tunables.empty()) return;
  const compile::TunableSpec& tunable = entry->spec->tunables.front();
  const compile::Bindings& tunables = snapshot->view<ComparisonView>().tunables;
  const auto now = tunables.find(tunable.name);
  if (now == tunables.end()) return;
  session.apply(model::command("comparison.set", tunable.name,
                               compile::steppedValue(tunable, now->second, by)));
  session.endGesture();
}

/// The controls that choose the compared kernel and its tunables, and swap the two kernels.
void drawComparison(const Context& context) {
  const model::Snapshot& now = context.snapshot;
  if (now.entry() == nullptr || !now.entry()->spec) return;
  const auto& view = now.view<ComparisonView>();
  ImGui::Dummy({0, 0.3F * context.em});
  heading(context, "Compared with", "stepped together");
  ImGui::PushID("beside");
  if (!view.instead.empty()) {
    wrapped(view.instead);
    hint(context,
         "This comparison is shown while a barrier is removed. B removes the next barrier; after "
         "the last barrier, none is removed.");
  } else {
    drawChoice(context);
    if (!view.trouble.empty()) warning(context, view.trouble);
    if (const compile::CatalogueEntry* entry = entryOf(now)) {
      if (view.ownBlock)
        hint(context,
             "Its blocks compute different elements from the main kernel's. A click on P in its "
             "scene chooses its block.");
      if (!view.data.empty()) hint(context, view.data);
      drawTunables(context, *entry);
      drawComparisonButtons(context);
    }
  }
  ImGui::PopID();
}

class ComparisonPanel : public FeaturePanel {
 public:
  [[nodiscard]] PartDrawers parts() const override { return {{Part::comparison, drawComparison}}; }
  [[nodiscard]] std::vector<KeyHelp> keys() const override {
    return {
        {"A, Shift+A", "compare with the next kernel, with the one before, or with none",
         KeyGroup::choice, false, U"aA",
         [](char32_t letter, model::Session& session, UiState&) {
           session.apply(model::command("comparison.next", letter == U'a'));
         }},
        {"{ , }", "first tunable of the compared kernel down, up", KeyGroup::choice, false, U"{}",
         [](char32_t letter, model::Session& session, UiState&) {
           changeFirstTunable(session, letter == U'{' ? -1 : 1);
         }},
        {"H", "swap the kernel and the compared one", KeyGroup::choice, false, U"hH",
         [](char32_t, model::Session& session, UiState&) {
           session.apply(model::command("comparison.swap"));
         }}};
  }
  void addState(const model::Snapshot& now, const UiState& /*ui*/, json& to) const override {
    const auto& view = now.view<ComparisonView>();
    const compile::CatalogueEntry* entry = entryOf(now);
    to["beside"] = {
        {"chosen", now.choice.comparison.kernel},
        {"kernel", entry == nullptr ? json(nullptr) : json(compile::nameOf(entry->source))},
        {"tunables", view.tunables},
        {"follows", view.follows},
        {"own_block", view.ownBlock},
        {"trouble", view.trouble},
        {"together", view.together},
        {"kernels", view.kernels}};
  }
};

}  // namespace
}  // namespace tilestep::features

namespace tilestep::features::comparison {

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<ComparisonPanel>();
}

}  // namespace tilestep::features::comparison
