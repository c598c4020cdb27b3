// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "features/pins/report.h"
#include "features/pins/runs_view.h"
#include "ui/kit/feature_panel.h"
#include "ui/kit/panels.h"
#include "ui/kit/plot.h"
#include "ui/kit/widgets.h"

namespace tilestep::features::pins {
namespace {

using nlohmann::json;

constexpr size_t kRowLines = 3;  ///< A row has three lines: name, experiment and origin.

/// A figure, and below it a comparison with the base's figure.
struct Cell {
  std::string figure, against;
};
struct PinRow {
  const Pin* pin = nullptr;
  RunComparison to;
  std::vector<Cell> cells;
};

constexpr std::array<const char*, 9> kPinColumns{"time",  "against the base", "speed",
                                                 "asked", "L1 sectors",       "L2",
                                                 "DRAM",  "shared",           "occupancy"};

std::string bytesText(std::optional<uint64_t> bytes) {
  return bytes && *bytes > 0 ? toText(static_cast<double>(*bytes), Unit::bytes) : "–";
}

std::string change(const std::optional<double>& share, bool isBase) {
  return share && !isBase ? changeText(*share) : "";
}

std::string spreadText(const model::PinnedTime& time) {
  return toText(time.p10Ms / 1e3, Unit::seconds) + " to " + toText(time.p90Ms / 1e3, Unit::seconds);
}

/// Compares the times. A difference that is not significant is shown without a number, because a
/// number would look like a difference.
Cell againstCell(const PinRow& row, bool isBase) {
  if (isBase) return {"base", ""};
  if (!row.to.time) return {"–", row.to.sameWork ? "no times" : "other work"};
  const bool isSignificant = row.to.verdict != metrics::TimeVerdict::notTold;
  const std::string device = row.to.sameDevice ? "" : ", other device";
  if (!isSignificant) return {"no significant difference", "spread, or under 1 %" + device};
  return {changeText(*row.to.time) + " time",
          (row.to.verdict == metrics::TimeVerdict::faster ? "faster" : "slower") + device};
}

PinRow rowOf(const Pin& pin, const Pin& base) {
  PinRow row{&pin, compareRuns(pin, base), {}};
  const bool isBase = pin.id == base.id;
  const std::optional<double> gflops = pin.gflops();
  const bool isSignificant = row.to.verdict != metrics::TimeVerdict::notTold;
  row.cells = {{pin.time ? toText(pin.time->medianMs / 1e3, Unit::seconds) : "no time",
                pin.time ? spreadText(*pin.time) : ""},
               againstCell(row, isBase),
               {gflops ? toText(*gflops * 1e9, Unit::flopPerSecond) : "–",
                isSignificant ? change(row.to.gflops, isBase) : ""},
               {bytesText(pin.work.askedBytes), change(row.to.asked, isBase)},
               {bytesText(pin.work.sectorBytes), change(row.to.sectors, isBase)},
               {bytesText(pin.work.l2Bytes), change(row.to.l2, isBase)},
               {bytesText(pin.work.dramBytes), change(row.to.dram, isBase)},
               {bytesText(pin.work.sharedBytes), ""},
               {pin.occupancy ? toText(*pin.occupancy, Unit::ratio) : "–",
                pin.achieved ? "achieved " + toText(*pin.achieved, Unit::ratio) : ""}};
  return row;
}

float pinTextWidth(const std::string& text) {
  return ImGui::CalcTextSize(text.c_str()).x;
}

/// The width of each column, given by its longest text in the small font.
std::array<float, kPinColumns.size()> widthsOf(const std::vector<PinRow>& rows) {
  std::array<float, kPinColumns.size()> widths{};
  for (size_t c = 0; c < widths.size(); ++c) {
    widths[c] = pinTextWidth(kPinColumns[c]);
    for (const PinRow& row : rows)
      widths[c] = std::max(
          {widths[c], pinTextWidth(row.cells[c].figure), pinTextWidth(row.cells[c].against)});
    widths[c] += 1;
  }
  return widths;
}

/// The number of columns that fit to the right of the names.
size_t columnsThatFit(const std::array<float, kPinColumns.size()>& widths, float room, float em) {
  constexpr float kNames = 15;
  const float pad = 2 * ImGui::GetStyle().CellPadding.x;
  room -= kNames * em + pad;
  size_t count = 0;
  while (count < widths.size() && widths[count] + pad <= room) room -= widths[count++] + pad;
  return count;
}

void rightText(const std::string& text, float line, ImVec2 at, float width, gfx::Color tint) {
  ImGui::GetWindowDrawList()->AddText({at.x + width - pinTextWidth(text), at.y + line},
                                      colour(tint), text.c_str());
}

void drawName(const Context& context, const PinRow& row, float height) {
  const Pin& pin = *row.pin;
  const gfx::Palette& p = context.palette;
  const float em = context.fonts.smallPixels, line = height / kRowLines;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::PushID(static_cast<int>(pin.id & 0x7FFFFFFFU));
  if (ImGui::Selectable("##run", context.ui.runChosen == pin.id,
                        ImGuiSelectableFlags_SpanAllColumns, {0, height})) {
    context.ui.runChosen = pin.id;
    context.session.apply(model::command("pins.go", pin.id));
  }
  tooltip(context, pin.name + ": " + experimentText(pin) + "\n" + originText(pin) + "\n" +
                       row.to.words + "\nA click goes to this experiment.");
  ImGui::PopID();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  drawMark(list, {at.x + 0.45F * em, at.y + 0.5F * line}, Mark::square, 0.32F * em,
           colour(p.category(static_cast<int>(pin.colour))), !pin.time, 1.5F);
  const float room = width - 1.2F * em;
  const auto put = [&](size_t i, const std::string& text, gfx::Color tint) {
    list.AddText({at.x + (i == 0 ? 1.2F * em : 0), at.y + static_cast<float>(i) * line},
                 colour(tint), cutTo(text, i == 0 ? room : width).c_str());
  };
  put(0, pin.name, p.text);
  put(1, model::shortNameOf(pin.kernel) + " · " + experimentText(pin), p.mutedText);
  put(2, originText(pin), p.mutedText);
}

void drawRow(const Context& context, const PinRow& row, size_t columns,
             const std::array<float, kPinColumns.size()>& widths) {
  const gfx::Palette& p = context.palette;
  const float line = ImGui::GetTextLineHeight() * 1.15F, height = kRowLines * line;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  drawName(context, row, height);
  for (size_t c = 0; c < columns; ++c) {
    ImGui::TableNextColumn();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    rightText(row.cells[c].figure, 0, at, widths[c], p.text);
    rightText(row.cells[c].against, line, at, widths[c], p.mutedText);
  }
}

void drawTable(const Context& context, const std::vector<PinRow>& rows) {
  const auto widths = widthsOf(rows);
  const float em = context.fonts.smallPixels;
  const size_t columns = columnsThatFit(widths, ImGui::GetContentRegionAvail().x, em);
  if (!ImGui::BeginTable("runs", static_cast<int>(columns) + 1,
                         ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_PadOuterX))
    return;
  ImGui::TableSetupColumn("run", ImGuiTableColumnFlags_WidthStretch);
  for (size_t c = 0; c < columns; ++c)
    ImGui::TableSetupColumn(kPinColumns[c], ImGuiTableColumnFlags_WidthFixed, widths[c]);
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  muted(context, "run");
  for (size_t c = 0; c < columns; ++c) {
    ImGui::TableNextColumn();
    rightText(kPinColumns[c], 0, ImGui::GetCursorScreenPos(), widths[c], context.palette.mutedText);
  }
  for (const PinRow& row : rows) drawRow(context, row, columns, widths);
  ImGui::EndTable();
  if (columns < kPinColumns.size())
    hint(context, std::to_string(kPinColumns.size() - columns) +
                      " more columns do not fit. Choose a run to see its values below, or save "
                      "the table with Ctrl+S.");
}

/// The chosen run: a field for its name, and buttons.
void drawChosen(const Context& context, const PinRow& row, bool isBase, const std::string& base) {
  const Pin& pin = *row.pin;
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  std::array<char, 96> name{};
  std::snprintf(name.data(), name.size(), "%s", pin.name.c_str());
  ImGui::PushID(static_cast<int>(pin.id & 0x7FFFFFFFU));
  ImGui::SetNextItemWidth(std::min(18 * context.em, ImGui::GetContentRegionAvail().x));
  if (ImGui::InputText("##name", name.data(), name.size()))
    context.session.apply(model::command("pins.rename", pin.id, name.data()));
  if (ImGui::IsItemDeactivated()) context.session.endGesture();
  tooltip(context, "The run's name.");
  const auto button = [&](const char* label, const char* why) {
    sameLineIfRoom(label, right);
    const bool pressed = ImGui::Button(label);
    tooltip(context, why);
    return pressed;
  };
  if (button("go there", "Shows this run's kernel, tunables and sizes again."))
    context.session.apply(model::command("pins.go", pin.id));
  if (!isBase && button("make it the base", "Compares the other runs with this one."))
    context.session.apply(model::command("pins.base", pin.id));
  if (button("colour", "Changes to the next of eight colours."))
    context.session.apply(model::command("pins.recolour", pin.id));
  if (button("unpin", "Removes this run; Ctrl+Z restores it."))
    context.session.apply(model::command("pins.unpin", pin.id));
  ImGui::PopID();
  std::string figures;
  for (size_t c = 0; c < kPinColumns.size(); ++c)
    if (row.cells[c].figure != "–")
      figures += (figures.empty() ? "" : "; ") + std::string(kPinColumns[c]) + " " +
                 row.cells[c].figure +
                 (row.cells[c].against.empty() ? "" : " (" + row.cells[c].against + ")");
  hint(context,
       (isBase ? "The base" : "Against " + base + ": " + row.to.words) + ". " + figures + ".");
  hint(context, originText(pin) + (pin.time ? ": " + pin.time->method : "") + "." +
                    (context.ui.readOnly ? " Again: " + commandOf(pin) : ""));
}

void drawRuns(const Context& context) {
  if (!context.ui.readOnly) {
    if (ImGui::Button("pin this run")) context.session.apply(model::command("pins.pin"));
    tooltip(context, "(Y) Keeps the present figures until you unpin them.");
  }
  const std::shared_ptr<const Pins>& pins = context.snapshot.choice.pins;
  const Pin* base = pins ? pins->baseOrFirst() : nullptr;
  if (base == nullptr)
    return hint(context,
                "No pinned runs yet. Pin a run, move a slider, pin another: their times, "
                "traffic and occupancy are then compared here and in the roofline. Pins are "
                "kept when the window is closed.");
  std::vector<PinRow> rows;
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  for (const Pin& pin : pins->pins) rows.push_back(rowOf(pin, *base));
  drawTable(context, rows);
  ImGui::PopFont();
  const auto chosen = std::ranges::find_if(
      rows, [&](const PinRow& row) { return row.pin->id == context.ui.runChosen; });
  const PinRow& shown = chosen == rows.end() ? rows.back() : *chosen;
  drawChosen(context, shown, shown.pin->id == base->id, base->name);
  hint(context, significanceRule());
}

json stateOf(const model::Snapshot& snapshot) {
  json pins = json::array();
  if (!snapshot.choice.pins) return pins;
  const model::Pin* base = snapshot.choice.pins->baseOrFirst();
  for (const model::Pin& pin : snapshot.choice.pins->pins)
    pins.push_back({{"name", pin.name},
                    {"kernel", pin.kernel},
                    {"origin", nameOf(pin.origin)},
                    {"against_base", compareRuns(pin, *base).words}});
  return pins;
}

class PinsPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::optional<Stage> stage() const override { return Stage::runs; }
  [[nodiscard]] const char* stageHover() const override { return "Pinned runs side by side (0)"; }
  void drawStage(const Context& context) const override { drawRuns(context); }
  [[nodiscard]] std::string report(const model::Snapshot& now, const std::vector<std::byte>& png,
                                   const std::string& when) const override {
    return reportHtml(now, {{"The window", png}}, when);
  }
  [[nodiscard]] std::vector<KeyHelp> keys() const override {
    return {{"Y", "pin this run to keep and compare its figures", KeyGroup::choice, false, U"yY",
             [](char32_t, model::Session& session, UiState&) {
               session.apply(model::command("pins.pin"));
             }}};
  }
  void addState(const model::Snapshot& now, const UiState& /*ui*/, json& to) const override {
    to["pins"] = stateOf(now);
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<PinsPanel>();
}

}  // namespace tilestep::features::pins
