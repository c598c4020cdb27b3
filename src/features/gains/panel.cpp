// SPDX-License-Identifier: Apache-2.0
#include "features/gains/panel.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "base/factor.h"
#include "base/figure.h"
#include "features/gains/view.h"
#include "features/occupancy/occupancy_view.h"
#include "ui/kit/widgets.h"

namespace tilestep::ui {
namespace {

/// One of the four figures that are only shown together.
void drawGain(const Context& context, const char* name, const std::optional<double>& gain,
              const FactorWords& words, const char* missing, const std::string& hover) {
  ImGui::TableNextColumn();
  const std::string text = gain ? factorText(1, *gain, words) : "–";
  // Four in a row all have two lines, whichever of them would need only one.
  const float room = ImGui::TableGetColumnCount() == 4 ? 0 : ImGui::GetContentRegionAvail().x;
  compat::pushFont(context.fonts.large, context.fonts.largePixels);
  for (const std::string& line : factorLines(text, room)) ImGui::TextUnformatted(line.c_str());
  ImGui::PopFont();
  tooltip(context, hover);
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  muted(context, name);
  tooltip(context, hover);
  if (!gain) {
    mutedWrapped(context, missing);
    tooltip(context, hover);
  }
  ImGui::PopFont();
}

std::string gainedHover(const model::TimelineFigures& figures) {
  char price[32];
  std::snprintf(price, sizeof price, "%.2f", figures.price);
  return "Warps resident on a multiprocessor as a share of the most it can hold, averaged while it "
         "is active.\n"
         "Time at barriers is one warp's waiting; other warps may work meanwhile.\n"
         "Measured: every warp reads the GPU's clocks, in a run that takes " +
         std::string(price) + " times the kernel's time.";
}

}  // namespace

void drawGains(const Context& context) {
  const auto& view = context.snapshot.view<model::GainsView>();
  const model::LaunchRatios& gains = view.ratios;
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  const float name = ImGui::CalcTextSize("bytes asked").x;
  ImGui::PopFont();
  compat::pushFont(context.fonts.large, context.fonts.largePixels);
  const float factor = ImGui::CalcTextSize("1.14 times").x;
  ImGui::PopFont();
  const float column = std::max(name, factor) + 2 * ImGui::GetStyle().CellPadding.x;
  const int columns = 4 * column <= ImGui::GetContentRegionAvail().x ? 4 : 2;
  if (!ImGui::BeginTable("gains", columns, ImGuiTableFlags_SizingStretchSame)) return;
  ImGui::TableNextRow();
  const bool live = context.snapshot.recordedOn.empty();
  const auto without = [&](const char* reason) {
    return gains.comparable ? reason : "not compared";
  };
  const std::string ratio = "naive ÷ " + gains.subject;
  const auto with = [](const std::string& formula) {
    return formula.empty() ? formula : "\n" + formula;
  };
  drawGain(context, "bytes asked", gains.lanes, kLessOrMore, without("not counted"),
           "Bytes that lanes ask to load, " + ratio + ". Counted." + with(gains.lanesFormula));
  drawGain(context, "L1 sectors", gains.sectors, kFewerOrMore, without("not counted"),
           "Sectors of load requests, " + ratio + ". Counted." + with(gains.sectorsFormula));
  drawGain(context, "L2 reads", gains.l2, kFewerOrMore,
           without(live ? "needs a GPU's counters" : "not recorded"),
           "Sectors read from L2, " + ratio +
               ", caches cold. They come from a GPU's hardware counters, which are read when asked "
               "for." +
               with(gains.l2Formula));
  drawGain(context, "time", gains.time, kTimeWords,
           gains.missing.empty() ? (live ? "needs a GPU" : "not recorded") : "not compared",
           "Median time, " + ratio +
               ", caches warm. Measured on a GPU; the interpreter gives no time." +
               with(gains.timeFormula) + with(gains.missing) + with(gains.timeNote));
  ImGui::EndTable();
  const model::TracedKernel* main =
      context.snapshot.main ? context.snapshot.main->side.get() : nullptr;
  const bool isMain = main == nullptr || model::shortNameOf(main->kernel) == gains.subject;
  hint(context, (isMain ? "Against " : gains.subject + " against ") + gains.against + "." +
                    (view.note.empty() ? "" : " " + view.note));
  const auto* shown = context.snapshot.views.get<model::OccupancyView>();
  if (shown == nullptr) return;
  const model::OccupancyView& occupancy = *shown;
  hint(context, "Occupancy " + toText(occupancy.ratio, Unit::ratio) + ", limited by " +
                    occupancy.limiter +
                    (occupancy.note.empty() ? "" : " (computed: " + occupancy.note + ")"));
  tooltip(context, occupancy.hover);
  if (!occupancy.achieved) return;
  const model::TimelineFigures& achieved = *occupancy.achieved;
  std::string text = "Achieved " + toText(achieved.achievedOccupancy, Unit::ratio);
  if (achieved.barrierWaitShare > 0) {
    text += ", " + toText(achieved.barrierWaitShare, Unit::ratio) + " of a warp's time at barriers";
  }
  hint(context, text);
  tooltip(context, gainedHover(achieved));
}

}  // namespace tilestep::ui
