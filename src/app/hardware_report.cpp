// SPDX-License-Identifier: Apache-2.0
#include "app/hardware_report.h"

#include <fmt/format.h>

#include <cmath>

#include "base/factor.h"
#include "base/figure.h"
#include "base/percent.h"
#include "base/text_table.h"
#include "lab/agreement.h"

namespace tilestep::app {
namespace {

using Relation = lab::AgreementRow::Relation;
using Match = lab::AgreementRow::Match;

std::string valueText(double value, Unit unit) {
  if (unit == Unit::ratio) return toText(value, unit);
  return grouped(static_cast<uint64_t>(std::llround(value)));
}

std::string cell(const std::optional<double>& value, Unit unit) {
  return value ? valueText(*value, unit) : "–";
}

std::string verdict(const lab::AgreementRow& row) {
  if (row.match == Match::unknown) return {};
  const char* sign = row.match == Match::differs ? "differs" : "same";
  if (row.relation == Relation::equal) return sign;
  const auto factor = row.factor();
  if (!factor) return lab::toText(row.match);
  const std::string amount = isNearly(*factor, 1) ? "as much as"
                             : *factor < 1        ? wholePercent(*factor) + " of"
                                                  : timesText(*factor);
  return fmt::format("{} the {}{}", amount,
                     row.relation == Relation::atLeast ? "lower bound" : "upper bound",
                     row.match == Match::differs ? ": differs" : "");
}

}  // namespace

std::string hardwareTable(const lab::RunResult& result) {
  if (!result.hardware) return {};
  const device::HardwareCounters& counters = *result.hardware;
  if (!counters.refused.empty()) return "\n" + counters.refused + "\n";
  TextTable table;
  for (const device::HardwareFigure& figure : counters.figures) {
    table.add({figure.name, valueText(figure.value, figure.unit), figure.metric});
  }
  return fmt::format("\nhardware counters of {} through {}, {} passes, caches {} before each\n",
                     result.device.name, counters.library, counters.passes,
                     counters.caches == device::CacheState::cold ? "cold" : "warm") +
         table.text("  ");
}

std::string comparisonTable(const lab::RunResult& result) {
  if (!result.hardware || !result.counters) return {};
  TextTable table({"", "predicted", "counted", "hardware", ""});
  std::string notes;
  for (const lab::AgreementRow& row : lab::compare(result)) {
    table.add({row.name, cell(row.predicted, row.unit), cell(row.counted, row.unit),
               cell(row.hardware, row.unit), verdict(row)});
    if (!row.note.empty()) notes += fmt::format("  {}: {}\n", row.name, row.note);
  }
  return "\npredicted by formula, counted in the PTX, counted by the hardware\n" +
         table.text("  ") + notes;
}

}  // namespace tilestep::app
