// SPDX-License-Identifier: Apache-2.0
#include "features/scene/panel.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "features/barriers/view.h"
#include "features/comparison/view.h"
#include "features/first_minute/view.h"
#include "features/phases/view.h"
#include "features/threads/view.h"
#include "gfx/labels/labels.h"
#include "ui/kit/feature_panel.h"
#include "ui/kit/rich_text.h"
#include "ui/kit/widgets.h"
#include "ui/shell/cover.h"

namespace tilestep::features {
namespace {

constexpr double kMotionSeconds = 0.7;
/// The animation's duration in the first-minute tour, slow enough to follow each element.
constexpr double kSlowSeconds = 3;

/// Interpolates with a smooth start and end.
float ease(float t) {
  return t * t * (3 - 2 * t);
}

gfx::Point relative(const gfx::Box& box) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  return {mouse.x - box.x, mouse.y - box.y};
}

/// Shows the whole scene, scaled down if necessary, until the user moves the camera.
void fitCamera(UiState& ui, const gfx::Layers& layers, const gfx::Box& box) {
  if (ui.cameraMoved) return;
  const gfx::Box& bounds = layers.layout.bounds;
  ui.camera.fit();
  const gfx::Box all{0, 0, std::max(box.width, bounds.x + bounds.width),
                     std::max(box.height, bounds.y + bounds.height)};
  if (all.width > box.width || all.height > box.height)
    ui.camera.fitTo(all, box.width, box.height, 0.01F);
}

constexpr const char* kElementLoads =
    "\nElement loads are elements that the block's threads request from global memory in this "
    "phase, counted once per lane. The graph counts them since the block's start, the table of "
    "the whole grid in all blocks.\nA request is a warp instruction. It covers the element loads "
    "of up to 32 lanes.";

/// How the two kernels are stepped together, shown above the companion; empty if it is obvious.
std::string asideOf(const model::Snapshot& now) {
  const std::string& together = now.view<ComparisonView>().together;
  const bool plain = together == "epoch by epoch" || together == "at the same k";
  return plain ? "" : together;
}

}  // namespace

void ScenePanel::drawSentence(const Context& context) {
  const model::Snapshot& now = context.snapshot;
  if (now.view<FirstMinuteView>().shown) return;  // The tour has its own text.
  // Prefers one line of small type to two lines of large type, so the scenes keep their height.
  compat::pushFont(context.fonts.large, context.fonts.largePixels);
  const float line = ImGui::GetTextLineHeightWithSpacing();
  const bool large =
      ImGui::CalcTextSize(now.sentence.c_str()).x <= ImGui::GetContentRegionAvail().x;
  ImGui::PopFont();
  const float top = ImGui::GetCursorPosY();
  if (!richText(context, now.sentence.empty() ? " " : now.sentence,
                large ? Setting::large : Setting::sentence))
    tooltip(context,
            "Every number is counted from the traces of these two blocks" +
                (now.position.recorder.empty() ? "." : " (" + now.position.recorder + ").") +
                (now.view<ComparisonView>().together.empty()
                     ? ""
                     : "\nStepped together: " + now.view<ComparisonView>().together + ".") +
                (now.sentence.find("element load") == std::string::npos ? "" : kElementLoads));
  // Reserves at least one line, so that the scenes do not move.
  ImGui::SetCursorPosY(std::max(ImGui::GetCursorPosY(), top + line));
}

void ScenePanel::advanceMotion(const Context& context) {
  const auto& step = context.snapshot.main;
  const unsigned travels = context.snapshot.view<FirstMinuteView>().travels;
  if (travels != travels_) {
    travels_ = travels;
    lastStep_ = step;
    motionStart_ = travels != 0 && context.ui.motion ? context.now : -10;
  } else if (step != lastStep_) {
    const bool forward = lastStep_ && step && lastStep_->side == step->side &&
                         lastStep_->grain == step->grain && step->index == lastStep_->index + 1;
    motionStart_ = forward && context.ui.motion ? context.now : -10;
    lastStep_ = step;
  }
  const double speed =
      std::max(1.0, context.snapshot.position.playing ? context.snapshot.position.speed : 1);
  const double seconds = travels != 0 ? kSlowSeconds : kMotionSeconds;
  const double share = (context.now - motionStart_) * speed / seconds;
  moving_ = share < 1;
  progress_ = moving_ ? ease(static_cast<float>(std::max(share, 0.0))) : 1;
}

void ScenePanel::update(const Context& context, unsigned slot, const gfx::Box& box,
                        const std::shared_ptr<const model::TracedStep>& step,
                        const std::shared_ptr<const model::TracedStep>& comparison) {
  Scene& scene = scenes_[slot];
  const model::Snapshot& now = context.snapshot;
  const bool spotlight = now.view<FirstMinuteView>().spotlight;
  gfx::Place hovered = context.ui.hoveredScene == slot ? context.ui.hovered : gfx::Place{};
  if (spotlight)
    hovered = {step == now.main ? gfx::Place::In::array : gfx::Place::In::panel, 0, 0, 0};
  const auto& thread =
      step == now.main ? now.view<ThreadsView>().main : now.view<ThreadsView>().companion;
  const auto* barriers = now.views.get<BarriersView>();
  const auto race = step == now.main && barriers != nullptr ? barriers->race : nullptr;
  const bool covered = isCovered(context, Covered::labels);
  const std::string aside = step == now.companion ? asideOf(now) : "";
  const bool same =
      scene.layers && scene.step == step && scene.comparison == comparison &&
      scene.thread == thread && scene.race == race && (scene.motion || !moving_) &&
      scene.width == box.width && scene.height == box.height &&
      scene.em == context.fonts.textPixels && scene.least == context.fonts.leastPixels &&
      scene.hovered == hovered && scene.aside == aside && scene.palette == context.palette &&
      scene.spotlight == spotlight && scene.covered == covered &&
      scene.stale == context.snapshot.sceneStale && scene.busy == context.snapshot.busy.scene;
  if (same) return;
  scene = {step,
           comparison,
           thread,
           race,
           moving_,
           box.width,
           box.height,
           context.fonts.textPixels,
           context.fonts.leastPixels,
           hovered,
           context.palette,
           context.snapshot.sceneStale,
           context.snapshot.busy.scene,
           aside,
           spotlight,
           covered,
           nullptr};
  const SceneLook look{moving_,    hovered, scene.stale, scene.busy, thread.get(),
                       race.get(), aside,   spotlight,   covered};
  const auto model = builder_.build(slot, step, comparison.get(), look);
  const gfx::Layout layout = gfx::arrange(
      *model, {box.width, box.height, context.fonts.textPixels, context.fonts.leastPixels});
  scene.layers =
      std::make_shared<const gfx::Layers>(gfx::buildLayers(model, layout, context.palette));
}

std::shared_ptr<const gfx::Layers> ScenePanel::refine(const Context& context, unsigned slot,
                                                      const gfx::Box& box) {
  const std::shared_ptr<const gfx::Layers>& layers = scenes_[slot].layers;
  const std::vector<gfx::MatrixPanel>& panels = layers->model->panels;
  const auto isLarge = [](const gfx::MatrixPanel& panel) { return panel.source != nullptr; };
  if (std::ranges::none_of(panels, isLarge)) return layers;
  std::vector<Finer> finer(panels.size());
  for (size_t i = 0; i < panels.size(); ++i) {
    const gfx::MatrixPanel& panel = panels[i];
    if (!isLarge(panel)) continue;
    const DetailLoader::Matrix matrix{panel.source, panel.rows, panel.columns};
    finer[i].overview = loader_.overview(matrix);
    const auto seen = gfx::seenOf(layers->layout.panels[i], panel.rows, panel.columns,
                                  context.ui.camera, box.width, box.height, framebufferScale_);
    const auto place = slot + 2 * static_cast<unsigned>(i);
    if (seen) finer[i].detail = loader_.detail(place, matrix, *seen);
  }
  Refined& refined = refined_[slot];
  if (refined.of == layers && refined.finer == finer) return refined.layers;
  auto with = std::make_shared<gfx::Layers>(*layers);
  for (size_t i = 0; i < panels.size(); ++i) {
    if (!isLarge(panels[i])) continue;
    with->matrices[i].picture = finer[i].overview;
    with->matrices[i].detail = finer[i].detail;
  }
  refined = {layers, std::move(with), std::move(finer)};
  return refined.layers;
}

/// Fits the chosen block's part of the output, with a margin, into the view.
void ScenePanel::showBlock(const Context& context, unsigned slot, const gfx::Box& box) {
  const gfx::Layers& layers = *scenes_[slot].layers;
  for (size_t i = 0; i < layers.model->panels.size(); ++i) {
    const gfx::MatrixPanel& panel = layers.model->panels[i];
    const bool written =
        panel.role == gfx::PanelRole::product || panel.role == gfx::PanelRole::output;
    const auto chosen =
        std::ranges::find(panel.highlights, gfx::Mark::chosen, &gfx::Highlight::mark);
    if (!written || chosen == panel.highlights.end()) continue;
    const gfx::CellRect& area = chosen->area;
    const gfx::Grid& grid = layers.layout.panels[i];
    const gfx::Box first = grid.cellBox(area.row, area.column);
    const float width = static_cast<float>(area.columns) * grid.cell;
    const float height = static_cast<float>(area.rows) * grid.cell;
    context.ui.camera.fitTo({first.x - width, first.y - height, 3 * width, 3 * height}, box.width,
                            box.height);
    context.ui.cameraMoved = true;
    return;
  }
}

void ScenePanel::interact(const Context& context, unsigned slot, const gfx::Box& box) {
  UiState& ui = context.ui;
  const Scene& scene = scenes_[slot];
  ImGui::SetCursorScreenPos({box.x, box.y});
  ImGui::PushID(static_cast<int>(slot));
  ImGui::InvisibleButton("scene", {std::max(box.width, 1.0F), std::max(box.height, 1.0F)});
  ImGui::PopID();
  const ImGuiIO& io = ImGui::GetIO();
  if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 4)) {
    ui.camera.pan(io.MouseDelta.x, io.MouseDelta.y);
    ui.cameraMoved = true;
  }
  if (!ImGui::IsItemHovered()) {
    if (ui.hoveredScene == slot) ui.hovered = {};
    return;
  }
  if (io.MouseWheel != 0) {
    ui.camera.zoomAt(relative(box), std::pow(1.2F, io.MouseWheel));
    ui.cameraMoved = true;
  }
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) ui.cameraMoved = false;
  if (ui.cameraMoved) ui.camera.keepInView(scene.layers->layout.bounds, box.width, box.height);
  const std::optional<gfx::Place> place = gfx::hit(*scene.layers, ui.camera, relative(box));
  ui.hoveredScene = slot;
  ui.hovered = place.value_or(gfx::Place{});
  if (!place) return;
  const std::string text = gfx::describe(*scene.layers->model, *place);
  if (!text.empty()) showTooltip(context, text);
  const bool clicked = ImGui::IsMouseReleased(ImGuiMouseButton_Left) &&
                       ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, 4).x == 0;
  if (clicked) click(context, slot, *place);
}

/// Chooses the thread that the position belongs to. A cell of another block chooses that block.
void ScenePanel::click(const Context& context, unsigned slot, const gfx::Place& place) {
  const Scene& scene = scenes_[slot];
  const bool element = place.in == gfx::Place::In::panel && context.snapshot.main;
  const model::TracedStep& step = element ? *context.snapshot.main : *scene.step;
  if (const std::optional<Dim3> thread = threadAt(step, *scene.layers->model, place)) {
    context.ui.threadView = true;
    context.ui.ptxView = false;
    context.session.apply(model::command("threads.choose", thread));
    return;
  }
  if (const std::optional<gfx::BlockIndex> block = gfx::blockAt(*scene.layers->model, place))
    slot == 0 && context.snapshot.view<ComparisonView>().ownBlock
        ? context.session.apply(model::command("comparison.block", Dim3{block->x, block->y, 0}))
        : context.session.apply(model::command("choice.block", Dim3{block->x, block->y, 0}));
}

void ScenePanel::drawScene(const Context& context, unsigned slot, const gfx::Box& box,
                           const std::shared_ptr<const model::TracedStep>& step,
                           const std::shared_ptr<const model::TracedStep>& comparison) {
  update(context, slot, box, step, comparison);
  fitCamera(context.ui, *scenes_[slot].layers, box);
  if (slot == 1 && std::exchange(context.ui.blockWished, false)) showBlock(context, slot, box);
  interact(context, slot, box);
  const Scene& scene = scenes_[slot];
  shown_.push_back({slot,
                    refine(context, slot, box),
                    context.ui.camera,
                    {box, framebufferScale_, framebufferHeight_},
                    progress_});
  if (renderer_ != nullptr) renderer_->draw(shown_.back());
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->PushClipRect({box.x, box.y}, {box.x + box.width, box.y + box.height}, true);
  gfx::drawLabels(gfx::labelsOf(*scene.layers, context.ui.camera, box.width, box.height), box, list,
                  context.fonts.labels);
  list->PopClipRect();
}

void ScenePanel::drawEmpty(const Context& context, const gfx::Box& box) {
  const bool failed = context.snapshot.badge.kind == model::Badge::Kind::failed;
  const bool busy = context.snapshot.busy.any() && !failed;
  const char* text = context.snapshot.broken
                         ? "This kernel cannot run yet. Its source shows the line with the error."
                     : busy
                         ? "Tracing the first block…"
                         : "Nothing is traced yet. Choose a kernel and legal tunables on the left.";
  const ImVec2 size = ImGui::CalcTextSize(text);
  ImGui::GetWindowDrawList()->AddText(
      {box.x + (box.width - size.x) / 2, box.y + (box.height - size.y) / 2},
      colour(context.palette.mutedText), text);
}

void ScenePanel::draw(const Context& context, float framebufferScale, int framebufferHeight) {
  framebufferScale_ = framebufferScale;
  framebufferHeight_ = framebufferHeight;
  shown_.clear();
  if (!isCovered(context, Covered::sentence)) drawSentence(context);
  advanceMotion(context);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const gfx::Box whole{at.x, at.y, std::max(room.x, 1.0F), std::max(room.y, 1.0F)};
  const model::Snapshot& now = context.snapshot;
  if (!now.main) return drawEmpty(context, whole);
  if (now.view<PhasesView>().wanted)
    return coverablePart(context, Covered::stage, [&] { table_(context); });
  if (!now.companion) return drawScene(context, 1, whole, now.main, nullptr);
  const float gap = 1.2F * context.em;
  const float half = (whole.width - gap) / 2;
  drawScene(context, 0, {whole.x, whole.y, half, whole.height}, now.companion, now.main);
  drawScene(context, 1, {whole.x + half + gap, whole.y, half, whole.height}, now.main,
            now.companion);
  const float middle = std::round(whole.x + half + gap / 2);
  ImGui::GetWindowDrawList()->AddLine({middle, whole.y}, {middle, whole.y + whole.height},
                                      colour(context.palette.line));
}

}  // namespace tilestep::features

namespace tilestep::features::scene {
namespace {

class SceneParts : public FeaturePanel {
 public:
  [[nodiscard]] std::unique_ptr<ScenePart> makeScene(gfx::Renderer* renderer) const override {
    return std::make_unique<ScenePanel>(renderer);
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<SceneParts>();
}

}  // namespace tilestep::features::scene
