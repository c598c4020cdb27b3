// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string_view>

#include "base/figure.h"
#include "compile/front_matter/front_matter.h"
#include "lab/launch/launch_spec.h"
#include "model/choice/planning.h"
#include "ui/kit/panels.h"
#include "ui/kit/parts.h"
#include "ui/kit/widgets.h"
#include "ui/shell/cover.h"

namespace tilestep::ui {
namespace {

void drawKernel(const Context& context) {
  const compile::CatalogueEntry* entry = context.snapshot.entry();
  heading(context, "Kernel");
  drawKernelChoice(context);
  if (context.snapshot.catalogue->empty())
    hint(context, "No kernels found: put .cu files into ~/.local/share/tilestep/kernels.");
  if (entry != nullptr && entry->spec && !entry->spec->summary.empty())
    coverablePart(context, model::Covered::controls,
                  [&] { steadyHint(context, entry->spec->summary, 3); });
}

/// The reason why the launch is not legal, and a button that sets a legal value.
void drawIllegal(const Context& context) {
  for (const model::Notice& notice : context.snapshot.notices) {
    if (notice.about != "choice") continue;
    warning(context, notice.text);
    if (!notice.fix || notice.fix->tunable.empty()) continue;
    const std::string label =
        "Use " + notice.fix->tunable + " " + std::to_string(notice.fix->value);
    if (ImGui::Button(label.c_str()))
      context.session.apply(model::command("tuning.set", notice.fix->tunable, notice.fix->value));
  }
}

bool hasSpec(const Context& context) {
  const compile::CatalogueEntry* entry = context.snapshot.entry();
  return entry != nullptr && entry->spec;
}

bool isLaunch(const Context& context) {
  const compile::CatalogueEntry* entry = context.snapshot.entry();
  return entry != nullptr && entry->source.launch != nullptr;
}

/// The names of the scene's sizes, in the order of the kernel's front matter.
std::vector<std::string> sizeNames(const Context& context) {
  const compile::CatalogueEntry* entry = context.snapshot.entry();
  std::vector<std::string> names =
      entry != nullptr && entry->spec ? entry->spec->sizeOrder : std::vector<std::string>{};
  for (const auto& [name, value] : context.snapshot.sceneSizes)
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  std::erase_if(
      names, [&](const std::string& name) { return !context.snapshot.sceneSizes.contains(name); });
  return names;
}

/// All size fields on one line, followed by the button that links them. Linked sizes share one
/// field.
template <class Set>
void drawSizeFields(const Context& context, const compile::Bindings& values, bool scene, Set set) {
  const bool linked =
      scene ? context.snapshot.choice.scene.linked : context.snapshot.choice.measure.linked;
  std::vector<std::string> names = sizeNames(context);
  if (names.empty()) return;
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : " = ") + name;
  if (linked) names.resize(1);
  ImGui::PushID(scene ? "scene" : "measure");
  const float spacing = ImGui::GetStyle().ItemSpacing.x;
  float texts = ImGui::CalcTextSize("linked").x + 2 * ImGui::GetStyle().FramePadding.x;
  for (const std::string& name : names)
    texts += ImGui::CalcTextSize(linked ? all.c_str() : name.c_str()).x + 2 * spacing;
  const float field = std::max(2.5F * context.em, (ImGui::GetContentRegionAvail().x - texts) /
                                                      static_cast<float>(names.size()));
  for (const std::string& name : names) {
    ImGui::AlignTextToFramePadding();
    muted(context, linked ? all : name);
    ImGui::SameLine();
    int64_t value = values.at(name);
    ImGui::SetNextItemWidth(field);
    ImGui::InputScalar(("##" + name).c_str(), ImGuiDataType_S64, &value, nullptr, nullptr, "%lld");
    if (ImGui::IsItemDeactivatedAfterEdit()) {
      set(name, value);
      context.session.endGesture();
    }
    ImGui::SameLine();
  }
  if (toggle(context, "linked", linked))
    context.session.apply(
        model::command(scene ? "choice.link_scene" : "choice.link_measured", !linked));
  tooltip(context, "Linked: one number for all sizes. Otherwise each size has its own.");
  ImGui::PopID();
}

/// A field for one index of the chosen block. Typed values are clamped to the grid.
void drawBlockIndex(const Context& context, const char* name, uint32_t Dim3::*part, float width) {
  const Dim3& grid = context.snapshot.plan->launches.front().grid;
  const Dim3 block = model::clampToGrid(context.snapshot.choice.block, grid);
  int64_t value = block.*part;
  ImGui::AlignTextToFramePadding();
  muted(context, name);
  ImGui::SameLine();
  ImGui::SetNextItemWidth(width);
  const std::string id = std::string("##block ") + name;
  ImGui::InputScalar(id.c_str(), ImGuiDataType_S64, &value, nullptr, nullptr, "%lld");
  tooltip(context, "0 to " + std::to_string(grid.*part - 1));
  if (ImGui::IsItemDeactivatedAfterEdit()) {
    Dim3 to = block;
    to.*part = static_cast<uint32_t>(std::clamp<int64_t>(value, 0, int64_t{grid.*part} - 1));
    context.session.apply(model::command("choice.block", to));
  }
}

/// Chooses a block by its indices, because blocks may be too small to click in the scene.
void drawBlock(const Context& context) {
  const model::Snapshot& now = context.snapshot;
  if (!now.plan || now.plan->launches.empty()) return;
  const Dim3& grid = now.plan->launches.front().grid;
  if (grid.count() < 2) return;
  const float width = 3.2F * context.em;
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  drawBlockIndex(context, "block x", &Dim3::x, width);
  if (grid.y > 1) {
    ImGui::SameLine();
    drawBlockIndex(context, "y", &Dim3::y, width);
  }
  sameLineIfRoom("show", right);
  if (ImGui::SmallButton("show")) context.ui.blockWished = true;
  tooltip(context, "(Z) Zooms to the chosen block. F fits the scene again.");
}

void drawSceneSizes(const Context& context) {
  if (context.snapshot.sceneSizes.empty() && !isLaunch(context)) return;
  ImGui::Dummy({0, 0.3F * context.em});
  heading(context, "Scene", "traced");
  if (isLaunch(context)) return drawBlock(context);
  drawSizeFields(context, context.snapshot.sceneSizes, true,
                 [&](const std::string& name, int64_t value) {
                   context.session.apply(model::command("choice.scene_size", name, value));
                 });
  if (context.snapshot.sceneFollowsTile) {
    hint(context, "Follows the tile: a few blocks that fit into the view.");
  } else if (ImGui::SmallButton("follow the tile")) {
    context.session.apply(model::command("choice.follow_tile"));
  }
  drawBlock(context);
  const model::Snapshot& now = context.snapshot;
  if (now.main && now.main->side->result->blockAlone && !now.sceneStale)
    hint(context,
         "Too large to run completely: the interpreter runs only the chosen block, exactly. Other "
         "blocks have no outputs, and the whole grid has no counts until C counts it (below).");
  const auto isTooLarge = [&](const auto& size) {
    return size.second > model::kMaxSceneSize && now.sceneSizes.contains(size.first);
  };
  if (std::ranges::any_of(now.choice.scene.values, isTooLarge))
    hint(context, "Drawn at " + std::to_string(model::kMaxSceneSize) +
                      ", the largest size of a scene. Count or measure larger ones below.");
}

/// Hardware counters need additional runs, so they are read only on request.
void drawHardware(const Context& context) {
  if (!context.snapshot.busy.count && !context.snapshot.hardwareReadable) return;
  ImGui::SameLine();
  if (context.snapshot.busy.count) {
    if (ImGui::Button("Cancel")) context.session.apply(model::command("figures.cancel"));
    tooltip(context, "Cancels reading the hardware counters (C)");
    return;
  }
  if (ImGui::Button("Hardware")) context.session.apply(model::command("figures.hardware"));
  tooltip(
      context,
      "(C) Reads the GPU's hardware counters in a few extra runs with cold caches, and times "
      "those runs. The roofline uses L2 and DRAM traffic; 'What tiling changes' uses L2 reads.");
}

void drawCount(const Context& context) {
  if (context.snapshot.busy.count) {
    if (ImGui::Button("Cancel")) context.session.apply(model::command("figures.cancel"));
    tooltip(context, "Cancels the count (C)");
    ImGui::SameLine();
    muted(context, context.snapshot.busy.stage.empty() ? "counting…" : context.snapshot.busy.stage);
  } else if (context.snapshot.countable) {
    if (ImGui::Button("Count at this size")) {
      context.session.apply(model::command("figures.count"));
      context.ui.wholeGrid = true;  // Shows the requested counts.
    }
    tooltip(
        context,
        "(C) Counts the whole grid at this size, in the interpreter and in the background: some "
        "seconds for a size of 1024, many minutes for 4096. It does not measure time.");
  }
}

void drawMeasureSizes(const Context& context) {
  if (context.snapshot.measureSizes.empty()) return;
  ImGui::Dummy({0, 0.3F * context.em});
  const std::string& day = context.snapshot.recordedOn;
  const auto& figures = context.snapshot.figuresMain;
  if (!day.empty() && figures && figures->nearest)
    heading(context, "Large", "not recorded");
  else if (!day.empty())
    heading(context, "Recorded", ("timed " + day).c_str());
  else
    heading(context, context.snapshot.measures ? "Measured" : "Counted on demand",
            context.snapshot.measures ? "timed, large" : "whole grid");
  drawSizeFields(context, context.snapshot.measureSizes, false,
                 [&](const std::string& name, int64_t value) {
                   context.session.apply(model::command("choice.measure_size", name, value));
                 });
  if (!day.empty()) return;  // Recorded measurements cannot be repeated.
  if (context.snapshot.measures) {
    if (ImGui::Button("Measure again")) context.session.apply(model::command("figures.again"));
    drawHardware(context);
  } else {
    drawCount(context);
  }
}

void drawDevice(const Context& context) {
  ImGui::Dummy({0, 0.3F * context.em});
  heading(context, "Device");
  std::string preview = context.snapshot.choice.device;
  for (const device::DeviceInfo& device : context.snapshot.devices)
    if (device.id == preview)
      preview = device.name + (device.recordedOn.empty() ? "" : ", recorded");
  if (preview == "auto") preview = "automatic";
  ImGui::SetNextItemWidth(-1);
  if (ImGui::BeginCombo("##device", preview.c_str())) {
    drawDeviceItems(context);
    ImGui::EndCombo();
  }
  if (!context.snapshot.roofDevices.empty()) {
    muted(context, "What if it ran on another device");
    ImGui::PushItemWidth(-1);
    drawPart(Part::whatIf, context);
    ImGui::PopItemWidth();
  }
  if (!context.snapshot.compiler.empty()) hint(context, "Compiler: " + context.snapshot.compiler);
}

void drawUndo(const Context& context) {
  ImGui::BeginDisabled(!context.snapshot.canUndo);
  if (ImGui::SmallButton("undo")) context.session.undo();
  ImGui::EndDisabled();
  ImGui::SameLine();
  ImGui::BeginDisabled(!context.snapshot.canRedo);
  if (ImGui::SmallButton("redo")) context.session.redo();
  ImGui::EndDisabled();
}

}  // namespace

void drawLessonControls(const Context& context) {
  drawKernelChoice(context);
  ImGui::Dummy({0, 0.3F * context.em});
  drawPart(Part::fewTunables, context);
  if (hasSpec(context)) drawIllegal(context);
}

void drawControls(const Context& context) {
  drawKernel(context);
  drawPart(Part::tunables, context);
  if (hasSpec(context) && !isLaunch(context)) drawIllegal(context);
  drawPart(Part::comparison, context);
  drawSceneSizes(context);
  drawMeasureSizes(context);
  drawDevice(context);
  ImGui::Dummy({0, 0.3F * context.em});
  drawUndo(context);
  drawNotices(context);
}

}  // namespace tilestep::ui
