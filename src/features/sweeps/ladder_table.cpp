// SPDX-License-Identifier: Apache-2.0
#include "features/sweeps/ladder_table.h"

#include "features/sweeps/ladder_view.h"
#include "features/sweeps/view.h"
#include "model/export/table_parts.h"

namespace tilestep::features {

Table ladderTable(const Snapshot& now) {
  Table out;
  if (!now.view<SweepsView>().ladder || now.view<SweepsView>().ladder->rows.empty()) return out;
  const LadderView& view = *now.view<SweepsView>().ladder;
  out.title =
      view.title + (view.origin.empty() ? "" : ", " + view.origin) + ". " + view.predictedBy;
  out.columns = {"rung",
                 "name",
                 "kernel",
                 "tunables",
                 "tunables from",
                 "FLOP/s",
                 "low end of the spread",
                 "high end of the spread",
                 "share of cuBLAS (pedantic FP32, or TF32)",
                 "share of the FP32 ceiling",
                 "predicted FLOP/s",
                 "predicted FLOP/s, shared loads merged",
                 "reached of predicted",
                 "predicted limit",
                 "predicted gain, low",
                 "predicted gain, high",
                 "measured gain",
                 "limit of the rung below",
                 "changed",
                 "registers a thread",
                 "occupancy",
                 "in words"};
  for (const LadderRow& row : view.rows) {
    std::string changes;
    for (const LadderChange& change : row.changes)
      changes += (changes.empty() ? "" : "; ") + change.text +
                 (change.unit.empty() ? "" : " for " + change.unit);
    const auto spread = [&](double value) {
      return row.speed && row.speed->spread ? number(value) : std::string();
    };
    const auto gain = [&](double metrics::PredictedGain::*end) {
      return row.predictedGain ? number((*row.predictedGain).*end) : std::string();
    };
    add(out, {row.number,
              row.name,
              row.kernel,
              row.tunables,
              row.from.sentence,
              row.speed ? number(row.speed->value) : "",
              spread(row.speed ? row.speed->low : 0),
              spread(row.speed ? row.speed->high : 0),
              number(row.ofLibrary),
              number(row.ofPeak),
              number(row.predicted),
              number(row.merged),
              number(row.reached),
              row.limitText,
              gain(&metrics::PredictedGain::low),
              gain(&metrics::PredictedGain::high),
              number(row.measuredGain),
              row.belowText,
              changes,
              row.rung.registers ? whole(*row.rung.registers) : "",
              number(row.rung.occupancy),
              row.sentence});
  }
  return out;
}

}  // namespace tilestep::features
