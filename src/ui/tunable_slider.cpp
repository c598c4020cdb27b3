// SPDX-License-Identifier: Apache-2.0
#include "ui/tunable_slider.h"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "ui/widgets.h"

namespace tilestep::ui {
namespace {

using Set = std::function<void(int64_t)>;

int64_t snapped(const compile::TunableSpec& tunable, int64_t value) {
  if (!tunable.values.empty())
    return *std::ranges::min_element(tunable.values, {},
                                     [&](int64_t v) { return std::abs(v - value); });
  const int64_t step = std::max<int64_t>(tunable.step, 1);
  const int64_t steps = (value - tunable.minimum + step / 2) / step;
  return std::clamp(tunable.minimum + steps * step, tunable.minimum, tunable.maximum);
}

/// A button a value, for the few that have names.
void drawNamedValues(const Context& context, const compile::TunableSpec& tunable, int64_t value,
                     const Set& set) {
  ImGui::TextUnformatted(tunable.name.c_str());
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  for (size_t i = 0; i < tunable.names.size(); ++i) {
    const std::string& name = tunable.names[i];
    const float width = ImGui::CalcTextSize(name.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
    if (i > 0) {
      ImGui::SameLine(0, 0.15F * context.em);
      if (ImGui::GetCursorScreenPos().x + width > right) ImGui::NewLine();
    }
    if (toggle(context, (name + "##" + tunable.name).c_str(), tunable.values[i] == value)) {
      set(tunable.values[i]);
      context.session.endGesture();
    }
    tooltip(context, tunable.name + " = " + std::to_string(tunable.values[i]));
  }
  if (!tunable.title.empty()) hint(context, tunable.title);
}

}  // namespace

void drawTunable(const Context& context, const compile::TunableSpec& tunable,
                 const compile::Bindings& values, const Set& set) {
  const auto found = values.find(tunable.name);
  if (found == values.end()) return;
  int64_t value = found->second;
  if (!tunable.names.empty()) return drawNamedValues(context, tunable, value, set);
  const std::string shown = std::to_string(value);
  ImGui::TextUnformatted(tunable.name.c_str());
  ImGui::SameLine();
  rightNumber(context, shown, colour(context.palette.text));
  const int64_t low = tunable.values.empty() ? tunable.minimum : tunable.values.front();
  const int64_t high = tunable.values.empty() ? tunable.maximum : tunable.values.back();
  ImGui::SetNextItemWidth(-1);
  const ImGuiSliderFlags flags = ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_NoInput |
                                 (high > 256 ? ImGuiSliderFlags_Logarithmic : 0);
  const std::string id = "##" + tunable.name;
  if (ImGui::SliderScalar(id.c_str(), ImGuiDataType_S64, &value, &low, &high, "", flags))
    set(snapped(tunable, value));
  if (ImGui::IsItemDeactivated()) context.session.endGesture();
  tooltip(context, (tunable.title.empty() ? tunable.name : tunable.title) + "\n" +
                       std::to_string(low) + " to " + std::to_string(high) +
                       ". Ctrl+click to type a value.");
  if (!tunable.title.empty()) hint(context, tunable.title);
}

}  // namespace tilestep::ui
