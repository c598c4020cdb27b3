// SPDX-License-Identifier: Apache-2.0 The part of the controls that chooses the kernel to compare
// with.
#include <algorithm>

#include "features/comparison/view.h"
#include "model/scene/traced_kernel.h"
#include "ui/kit/panels.h"
#include "ui/kit/tunable_slider.h"
#include "ui/kit/widgets.h"

namespace tilestep::ui {
namespace {

using model::Comparison;

const compile::CatalogueEntry* entryOf(const model::Snapshot& now) {
  return now.view<model::ComparisonView>().entry
             ? &(*now.catalogue)[*now.view<model::ComparisonView>().entry]
             : nullptr;
}

/// Whether a kernel is compared by default: naive, for every other matrix product.
bool hasUsual(const model::Snapshot& now) {
  const compile::CatalogueEntry* main = now.entry();
  return main != nullptr && main->spec && main->spec->reference == "matmul" &&
         main->spec->name != "matmul_naive";
}

std::string previewText(const model::Snapshot& now) {
  const std::string& chosen = now.choice.comparison.kernel;
  if (chosen == Comparison::kUsual && hasUsual(now)) return "naive (as usual)";
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
  if (hasUsual(now)) item("naive (as usual)", Comparison::kUsual);
  item("nothing", hasUsual(now) ? Comparison::kNone : Comparison::kUsual);
  for (const std::string& name : now.view<model::ComparisonView>().kernels)
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

/// Sliders if the kernel or its tunables were chosen, or if they were unfolded; otherwise one line
/// with the tunables, which follow the main kernel's.
void drawTunables(const Context& context, const compile::CatalogueEntry& entry) {
  const model::Snapshot& now = context.snapshot;
  const bool usual = now.choice.comparison.kernel == Comparison::kUsual &&
                     now.view<model::ComparisonView>().follows;
  ImGuiStorage& kept = *ImGui::GetStateStorage();
  const ImGuiID unfolded = ImGui::GetID("unfolded");
  if (usual && !kept.GetBool(unfolded)) {
    steadyHint(context,
               tunablesText(entry, now.view<model::ComparisonView>().tunables) +
                   ", same block as the kernel, so the scene compares the same elements",
               3);
    if (ImGui::SmallButton("its own…")) kept.SetBool(unfolded, true);
    tooltip(context, "Sliders for the compared kernel");
    ImGui::SameLine();
    return;
  }
  for (const compile::TunableSpec& tunable : entry.spec->tunables)
    drawTunable(context, tunable, now.view<model::ComparisonView>().tunables, nullptr,
                [&](int64_t value) {
                  context.session.apply(model::command("comparison.set", tunable.name, value));
                });
}

void drawComparisonButtons(const Context& context) {
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  if (ImGui::SmallButton("swap sides")) context.session.apply(model::command("comparison.swap"));
  tooltip(context, "The main and the compared kernel change places (H)");
  if (context.snapshot.view<model::ComparisonView>().follows &&
      !context.snapshot.choice.comparison.block)
    return;
  sameLineIfRoom("follow", right);
  if (ImGui::SmallButton("follow")) context.session.apply(model::command("comparison.follow"));
  tooltip(context, "Its tunables and block follow the main kernel again");
}

}  // namespace

void drawComparison(const Context& context) {
  const model::Snapshot& now = context.snapshot;
  if (now.entry() == nullptr || !now.entry()->spec) return;
  ImGui::Dummy({0, 0.3F * context.em});
  heading(context, "Compared with", "stepped together");
  ImGui::PushID("beside");
  if (!now.view<model::ComparisonView>().instead.empty()) {
    wrapped(now.view<model::ComparisonView>().instead);
    hint(context,
         "This comparison is shown while a barrier is removed. B removes the next one; after the "
         "last, none.");
    ImGui::PopID();
    return;
  }
  drawChoice(context);
  if (!now.view<model::ComparisonView>().trouble.empty())
    warning(context, now.view<model::ComparisonView>().trouble);
  if (const compile::CatalogueEntry* entry = entryOf(now)) {
    if (now.view<model::ComparisonView>().ownBlock)
      hint(
          context,
          "Its blocks compute different elements from the main kernel's: a click on P in its scene "
          "chooses its block.");
    if (const std::string& data = now.view<model::ComparisonView>().data; !data.empty())
      hint(context, data);
    drawTunables(context, *entry);
    drawComparisonButtons(context);
  }
  ImGui::PopID();
}

}  // namespace tilestep::ui
