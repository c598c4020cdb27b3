// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string_view>

#include "compile/front_matter/front_matter.h"
#include "model/scene/traced_kernel.h"
#include "ui/kit/panels.h"
#include "ui/kit/widgets.h"

namespace tilestep::ui {
namespace {

/// "tiled · Tiled product": the kernel's short name and its title.
std::string labelOf(const std::string& name, const compile::CatalogueEntry& entry) {
  const std::string shortName = model::shortNameOf(name);
  const bool titled = entry.spec && !entry.spec->title.empty();
  return titled ? shortName + " · " + entry.spec->title : shortName;
}

void kernelItem(const Context& context, const compile::CatalogueEntry& entry) {
  const std::string name = compile::nameOf(entry.source);
  const bool chosen = name == context.snapshot.choice.kernel;
  ImGui::PushID(name.c_str());
  if (!entry.spec) ImGui::PushStyleColor(ImGuiCol_Text, vector(context.palette.warning));
  if (ImGui::Selectable(labelOf(name, entry).c_str(), chosen)) chooseKernel(context, name);
  if (!entry.spec) ImGui::PopStyleColor();
  if (entry.spec)
    tooltip(context, entry.source.path + "\n" + entry.spec->summary);
  else if (entry.error)
    tooltip(context, toString(*entry.error));
  if (chosen) ImGui::SetItemDefaultFocus();
  ImGui::PopID();
}

const char* groupOf(const compile::CatalogueEntry& entry) {
  if (!entry.spec) return "Cannot be used";
  if (entry.source.launch != nullptr) return "Your program";
  if (entry.source.path.find("ladder/") != std::string::npos) return "The ladder";
  if (entry.spec->reference == "matmul") return "Matrix products";
  if (entry.spec->reference == "block_scan") return "Prefix sums";
  return entry.spec->reference == "block_sums" ? "Reductions" : "Others";
}

void drawKernelList(const Context& context) {
  constexpr std::array kGroups{"Your program", "Matrix products", "The ladder",    "Reductions",
                               "Prefix sums",  "Others",          "Cannot be used"};
  for (const char* group : kGroups) {
    bool first = true;
    for (const compile::CatalogueEntry& one : *context.snapshot.catalogue) {
      if (std::string_view(groupOf(one)) != group) continue;
      if (first) muted(context, group);
      first = false;
      kernelItem(context, one);
    }
  }
}

}  // namespace

void drawKernelChoice(const Context& context) {
  const compile::CatalogueEntry* entry = context.snapshot.entry();
  const std::string& name = context.snapshot.choice.kernel;
  const std::string preview = entry != nullptr ? labelOf(name, *entry) : name;
  ImGui::SetNextItemWidth(-1);
  if (!ImGui::BeginCombo("##kernel", preview.c_str(), ImGuiComboFlags_HeightLarge)) return;
  drawKernelList(context);
  ImGui::EndCombo();
}

}  // namespace tilestep::ui
