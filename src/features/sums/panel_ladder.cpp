// SPDX-License-Identifier: Apache-2.0
// The comparison of the lab's sums, with a row for each sum.
#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/figure.h"
#include "features/lab_times/view.h"
#include "features/sums/panel.h"
#include "model/scene/traced_kernel.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {
namespace {

constexpr float kWide = 52;  ///< em; from this width on, text has normal size.
constexpr size_t kTimeColumn = 6;
constexpr std::array<const char*, 8> kLadderColumns{"kernel",   "warp instr.", "lanes active",
                                                    "barriers", "conflicts",   "sectors",
                                                    "time",     "input read"};
constexpr std::array<const char*, 8> kMeanings{
    "",
    "Instructions that warps execute, each once for all of its lanes",
    "Thread instructions / (32 × warp instructions)",
    "Barriers that warps pass, by warp",
    "Bank conflicts of shared memory: wavefronts in addition to those that the same words need "
    "without conflicts",
    "32-byte sectors of global memory that loads and stores touch, by warp instruction",
    "Median time of one launch",
    "Bytes of the input per second; each element is read once"};

/// `time` is null if no times were requested yet.
std::string timeText(const SumsView& view, const LabTime* time) {
  if (time != nullptr && time->measuredSeconds)
    return toText(*time->measuredSeconds, Unit::seconds);
  if (view.device.empty()) return "needs a GPU";
  if (time == nullptr || time->isComing) return "…";
  return view.isRecorded ? "not recorded yet" : "failed";
}

std::array<std::string, 8> cellsOf(const SumsView& view, const SumRung& rung, const LabTime* time) {
  const std::string none = rung.trouble.empty() ? "…" : "–";
  std::array<std::string, 8> cells{rung.name, none, none, none, none, none, timeText(view, time)};
  if (rung.counts) {
    const SumFigures& f = *rung.counts;
    cells[1] = grouped(f.warpInstructions);
    cells[2] = toText(f.activeLanes, Unit::ratio);
    cells[3] = grouped(f.barriers);
    cells[4] = grouped(f.conflicts);
    cells[5] = grouped(f.sectors);
  }
  const std::optional<double> rate = time == nullptr ? std::nullopt : time->readRate();
  cells[7] = rate ? toText(*rate, Unit::bytesPerSecond) : "–";
  return cells;
}

void toRight(const std::string& text) {
  const float spare = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(spare, 0.0F));
}

/// Draws column titles that state the sizes, because counts and times are for different sizes.
void drawHead(const Context& context, const std::string& timedSizes) {
  ImGui::TableNextRow();
  for (size_t i = 0; i < kLadderColumns.size(); ++i) {
    std::string name = kLadderColumns[i];
    if (i == kTimeColumn && !timedSizes.empty()) name += " (" + timedSizes + ")";
    ImGui::TableNextColumn();
    if (i > 0) toRight(name);
    muted(context, name);
    if (i > 0) tooltip(context, kMeanings[i]);
  }
}

/// `now` says whether the scene shows this kernel.
void drawRung(const Context& context, const SumsView& view, const SumRung& rung, bool now) {
  const LabTime* time = context.snapshot.view<LabTimesView>().ladderTime(rung.kernel);
  const std::array<std::string, 8> cells = cellsOf(view, rung, time);
  const gfx::Palette& p = context.palette;
  ImGui::TableNextRow();
  ImGui::PushStyleColor(ImGuiCol_Text, colour(now ? gfx::inkOf(p.accent, p) : p.text));
  for (size_t i = 0; i < cells.size(); ++i) {
    ImGui::TableNextColumn();
    if (i > 0) toRight(cells[i]);
    ImGui::TextUnformatted(cells[i].c_str());
    if (i == 0) tooltip(context, rung.summary);
  }
  ImGui::PopStyleColor();
}

/// The devices and days of the times, without duplicates. A recording may contain several.
std::string placesOf(const SumsView& view, const LabTimesView& times) {
  std::vector<std::string> places;
  for (const LabTime& time : times.ladder)
    if (time.measuredSeconds && std::ranges::find(places, time.on) == places.end())
      places.push_back(time.on);
  if (places.empty()) return view.device;
  std::string text = places.front();
  for (size_t i = 1; i < places.size(); ++i) text += "; " + places[i];
  return text;
}

std::string captionOf(const SumsView& view, const LabTimesView& times) {
  std::string text = "Counted by the interpreter for " + grouped(kCountedElements) +
                     " elements, with 256 threads per block.";
  if (view.device.empty()) return text + " Only a GPU gives times.";
  if (times.ladder.empty()) return text;
  const LabTime& first = times.ladder.front();
  text += " Times: " + first.sizes + ", " + placesOf(view, times) + ".";
  if (first.readCeiling)
    text += " This device reads at most " + toText(*first.readCeiling, Unit::bytesPerSecond) +
            " from DRAM (measured).";
  return text;
}

}  // namespace

void drawSumLadder(const Context& context, const SumsView& view) {
  const SumLadder& ladder = *view.ladder;
  const std::string shown = view.of ? view.of->kernel : "";
  const bool wide = ImGui::GetContentRegionAvail().x > kWide * context.em;
  if (!wide) compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  if (ImGui::BeginTable("sums", static_cast<int>(kLadderColumns.size()),
                        ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_RowBg)) {
    const auto& times = context.snapshot.view<LabTimesView>().ladder;
    drawHead(context, times.empty() ? "" : times.front().sizes);
    for (const SumRung& rung : ladder.rungs) drawRung(context, view, rung, rung.kernel == shown);
    ImGui::EndTable();
  }
  if (!wide) ImGui::PopFont();
  for (const SumRung& rung : ladder.rungs)
    if (rung.kernel == shown && !rung.summary.empty()) mutedWrapped(context, rung.summary);
  hint(context, captionOf(view, context.snapshot.view<LabTimesView>()));
}

}  // namespace tilestep::features
