// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "features/labs/view.h"
#include "model/scene/traced_kernel.h"
#include "model/text/text_runs.h"
#include "ui/kit/feature_panel.h"
#include "ui/kit/panels.h"
#include "ui/kit/rich_text.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {
namespace {

std::string minutesOf(const Lab& lab) {
  return std::to_string(lab.minutes) + " min";
}

/// The right end of a line on the screen.
float rightEdge() {
  return ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
}

float labButtonWidth(const std::string& label) {
  return ImGui::CalcTextSize(label.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
}

/// The lab's title on the left; its duration and the close button on the right.
void drawHead(const Context& context, const Lab& lab) {
  const std::string aside = "lab · " + minutesOf(lab);
  const float right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
  compat::pushFont(context.fonts.strong, context.fonts.textPixels);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(lab.title.c_str());
  ImGui::PopFont();
  const float width = ImGui::CalcTextSize(aside.c_str()).x + context.em + labButtonWidth("Close");
  ImGui::SameLine(std::max(right - width, ImGui::GetCursorPosX()));
  muted(context, aside);
  ImGui::SameLine(0, context.em);
  if (ImGui::Button("Close##lab")) context.session.apply(model::command("labs.leave"));
  tooltip(context, "Leaves the lab (Esc)");
}

void predict(const Context& context, double value) {
  context.session.apply(model::command("labs.predict", value));
}

void drawLabChoices(const Context& context, const std::vector<std::string>& choices) {
  const float right = rightEdge();
  for (size_t i = 0; i < choices.size(); ++i) {
    if (i > 0) sameLineIfRoom(choices[i].c_str(), right);
    if (wrappedButton((choices[i] + "##prediction").c_str()))
      predict(context, static_cast<double>(i + 1));
  }
}

void drawNumberField(const Context& context) {
  std::string& typed = context.ui.lessonAnswer;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%s", typed.c_str());
  ImGui::SetNextItemWidth(6 * context.em);
  const bool entered =
      ImGui::InputText("##prediction", text.data(), text.size(),
                       ImGuiInputTextFlags_CharsScientific | ImGuiInputTextFlags_EnterReturnsTrue);
  typed = text.data();
  ImGui::SameLine();
  if ((ImGui::Button("Predict") || entered) && !typed.empty())
    predict(context, std::strtod(typed.c_str(), nullptr));
}

void showKernel(const Context& context, const Lab& lab, size_t index) {
  context.session.apply(model::command("labs.kernel", index));
  context.ui.stage = lab.stage;
}

/// The label of the button for a lab's kernel.
std::string buttonOf(const model::LabKernel& kernel) {
  return kernel.label.empty() ? model::shortNameOf(kernel.name) : kernel.label;
}

/// The width of buttons for all kernels of the lab side by side.
float kernelsWidth(const Lab& lab) {
  float width = 0;
  for (const model::LabKernel& kernel : lab.kernels)
    width += labButtonWidth(buttonOf(kernel)) + ImGui::GetStyle().ItemSpacing.x;
  return width;
}

/// Used instead of the buttons if there are many kernels.
void drawKernelList(const Context& context, const Lab& lab, std::optional<size_t> shown) {
  const std::string now = shown ? buttonOf(lab.kernels[*shown]) : "choose one";
  ImGui::SameLine();
  ImGui::SetNextItemWidth(18 * context.em);
  if (!ImGui::BeginCombo("##lab kernels", now.c_str(), ImGuiComboFlags_HeightLarge)) return;
  for (size_t i = 0; i < lab.kernels.size(); ++i) {
    const std::string name = buttonOf(lab.kernels[i]);
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::Selectable(name.c_str(), shown == i)) showKernel(context, lab, i);
    ImGui::PopID();
  }
  ImGui::EndCombo();
}

void drawPrediction(const Context& context) {
  const Lab& lab = *context.snapshot.view<LabsView>().openLab();
  drawHead(context, lab);
  richText(context, lab.question, Setting::large);
  richText(context, "Predict before you look: **" + lab.prediction.question + "**");
  const float right = rightEdge();
  lab.prediction.choices.empty() ? drawNumberField(context)
                                 : drawLabChoices(context, lab.prediction.choices);
  sameLineIfRoom("Without a prediction   ", right);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + context.em);
  if (ImGui::Button("Without a prediction")) context.session.apply(model::command("labs.skip"));
  tooltip(context, "Continues with the lesson (Page Down)");
  context.ui.lessonHeight = ImGui::GetCursorPosY() + ImGui::GetStyle().WindowPadding.y;
  context.ui.card = {.least = context.ui.lessonHeight};
}

void drawLabKernels(const Context& context) {
  const auto& view = context.snapshot.view<LabsView>();
  const Lab* lab = view.openLab();
  if (lab == nullptr || view.predicting) return;
  ImGui::AlignTextToFramePadding();
  const float right = rightEdge();
  muted(context, "Kernels of the lab");
  constexpr float kMostLines = 1.8F;
  if (kernelsWidth(*lab) > kMostLines * (right - ImGui::GetCursorScreenPos().x))
    return drawKernelList(context, *lab, view.shown);
  for (size_t i = 0; i < lab->kernels.size(); ++i) {
    const std::string name = buttonOf(lab->kernels[i]);
    sameLineIfRoom(name.c_str(), right);
    if (toggle(context, (name + "##lab").c_str(), view.shown == i)) showKernel(context, *lab, i);
    tooltip(context, "Shows " + lab->kernels[i].name + " with the lab's values");
  }
}

void drawPredicted(const Context& context) {
  const std::string& text = context.snapshot.view<LabsView>().comparison;
  if (!text.empty()) barredText(context, context.palette.accent, text);
}

/// Page Down skips the prediction, and Esc leaves the lab.
bool handlePrediction(const gfx::KeyEvent& event, model::Session& session) {
  if (!session.snapshot()->view<LabsView>().predicting) return false;
  switch (event.key) {
    case gfx::Key::pageDown:
      session.apply(model::command("labs.skip"));
      return true;
    case gfx::Key::pageUp:  // Prevents a page turn in the lesson behind.
      return true;
    case gfx::Key::escape:
      session.apply(model::command("labs.leave"));
      return true;
    default:
      return false;
  }
}

}  // namespace
}  // namespace tilestep::features

namespace tilestep::features::labs {
namespace {

class LabsPanel : public FeaturePanel {
 public:
  [[nodiscard]] PartDrawers parts() const override {
    return {{Part::prediction, drawPrediction},
            {Part::labKernels, drawLabKernels},
            {Part::predicted, drawPredicted}};
  }
  bool handleKey(KeyTurn turn, const gfx::KeyEvent& event, model::Session& session,
                 UiState& /*ui*/) const override {
    return turn == KeyTurn::page && handlePrediction(event, session);
  }
  void addItems(PaletteGroup group, const Context& context,
                std::vector<PaletteItem>& to) const override {
    const auto& labs = context.snapshot.view<LabsView>().labs;
    if (group != PaletteGroup::learning || !labs) return;
    for (const model::Lab& lab : *labs)
      to.push_back(paletteItem(context, "Labs: " + lab.title, std::to_string(lab.minutes) + " min",
                               model::command("labs.open", lab.id)));
  }
  void addState(const model::Snapshot& now, const UiState& /*ui*/,
                nlohmann::json& to) const override {
    const auto& view = now.view<LabsView>();
    const model::Lab* lab = view.openLab();
    if (lab == nullptr) return;
    to["lab"] = {{"id", lab->id}, {"predicting", view.predicting}, {"comparison", view.comparison}};
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<LabsPanel>();
}

}  // namespace tilestep::features::labs
