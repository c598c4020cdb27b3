// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include "base/figure.h"
#include "features/lab_times/view.h"
#include "model/timed_kernels.h"
#include "ui/kit/feature_panel.h"
#include "ui/kit/panels.h"
#include "ui/kit/widgets.h"

namespace tilestep::features::lab_times {
namespace {

std::string labTimeText(const std::optional<double>& seconds) {
  return seconds ? toText(*seconds, Unit::seconds) : "–";
}

/// The values of a row that have no column.
std::string hoverOf(const LabTime& row) {
  std::string text =
      row.kernel + ", " + row.sizes + (row.tunables.empty() ? "." : ", " + row.tunables + ".");
  if (!row.limit.empty()) text += "\nPredicted limit: " + row.limit + ".";
  if (row.measuredSeconds) text += "\nMeasured on " + row.on + ", caches warm.";
  if (const auto ratio = row.ratio(); ratio && !model::isNear(*ratio))
    text += "\nThe prediction is off by more than a quarter.";
  if (!row.gap.empty()) text += "\n" + row.gap;
  return text;
}

void drawRow(const Context& context, const LabTime& row, bool isQuoted) {
  const std::string hover = hoverOf(row);
  const auto cell = [&](const std::string& text) {
    ImGui::TableNextColumn();
    rightNumber(context, text, colour(context.palette.text));
    tooltip(context, hover);
  };
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  clipped(row.kernel, ImGui::GetContentRegionAvail().x);
  tooltip(context, hover);
  if (isQuoted) cell(row.quoted.empty() ? "–" : row.quoted);
  cell(labTimeText(row.predictedSeconds));
  cell(labTimeText(row.measuredSeconds));
}

bool isAnyQuoted(const LabTimesView& view) {
  return std::ranges::any_of(view.rows, [](const LabTime& row) { return !row.quoted.empty(); });
}

void drawTimes(const Context& context, const LabTimesView& view) {
  const bool isQuoted = isAnyQuoted(view);
  if (!ImGui::BeginTable("lab times", isQuoted ? 4 : 3, ImGuiTableFlags_SizingStretchProp)) return;
  constexpr float kNumberEms = 5;
  ImGui::TableSetupColumn("kernel", ImGuiTableColumnFlags_WidthStretch);
  for (int i = isQuoted ? 0 : 1; i < 3; ++i)
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, kNumberEms * context.em);
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const auto head = [&](const char* text) {
    ImGui::TableNextColumn();
    rightHeader(context, text);
  };
  if (isQuoted) head("quoted");
  head("predicted");
  head("measured");
  for (const LabTime& row : view.rows) drawRow(context, row, isQuoted);
  ImGui::EndTable();
}

/// The reason that all rows share; empty if their reasons differ.
std::string commonGap(const LabTimesView& view) {
  const std::string& first = view.rows.front().gap;
  const bool isCommon =
      std::ranges::all_of(view.rows, [&](const LabTime& row) { return row.gap == first; });
  return isCommon ? first : std::string();
}

void drawAll(const Context& context, const LabTimesView& view) {
  drawTimes(context, view);
  if (const std::string gap = commonGap(view); !gap.empty()) hint(context, gap);
  std::vector<std::string> devices;
  for (const LabTime& row : view.rows) devices.push_back(row.on);
  if (const std::string on = model::timedOnText(devices); !on.empty()) hint(context, on);
  hint(context, predictionNote());
  if (isAnyQuoted(view) && !view.quoted.empty()) hint(context, "Quoted: " + view.quoted);
}

/// Draws the times on the stage if the section beside it is not shown.
void drawLabTimes(const Context& context) {
  const auto& view = context.snapshot.view<LabTimesView>();
  const bool isBeside = !context.ui.presenting && !context.ui.inLessonDensity();
  if (view.rows.empty() || isBeside) return;
  heading(context, "Times of the lab", view.rows.front().sizes);
  drawAll(context, view);
}

class LabTimesPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::string_view table() const override { return "lab-times"; }
  [[nodiscard]] std::optional<Heading> heading(const Context& context) const override {
    const auto& view = context.snapshot.view<LabTimesView>();
    if (view.rows.empty()) return std::nullopt;
    return Heading{"Times of the lab", view.rows.front().sizes};
  }
  void drawSection(const Context& context, float /*room*/) const override {
    drawAll(context, context.snapshot.view<LabTimesView>());
  }
  [[nodiscard]] PartDrawers parts() const override { return {{Part::labTimes, drawLabTimes}}; }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<LabTimesPanel>();
}

}  // namespace tilestep::features::lab_times
