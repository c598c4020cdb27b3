// SPDX-License-Identifier: Apache-2.0
#include "features/program/program_table.h"

#include "features/predicted_time/view.h"
#include "features/program/view.h"
#include "features/program/words.h"
#include "model/export/table_parts.h"
#include "model/snapshot.h"

namespace tilestep::features {
namespace {

std::string numberOrNothing(uint64_t value) {
  return value == 0 ? std::string() : std::to_string(value);
}

std::string placeText(const std::optional<Dim3>& place) {
  if (!place) return {};
  return std::to_string(place->x) + "," + std::to_string(place->y) + "," + std::to_string(place->z);
}

}  // namespace

Table programTable(const model::Snapshot& now, const model::TableOptions& /*options*/) {
  const auto& view = now.view<ProgramView>();
  Table table;
  if (!view.summary) return table;
  const auto& predicted = now.view<PredictedTimeView>();
  const bool isTimed = predicted.range && predicted.range->why.empty() && !view.isOld &&
                       view.text && predicted.text == *view.text;
  const auto isPredicted = [&](const lab::ProgramStep& step) {
    return isTimed && step.launch > 0 && predicted.launch >= step.launch &&
           predicted.launch < step.launch + step.times;
  };
  table.title = view.name + ": " + view.summary->ran;
  table.columns = {"line",
                   "step",
                   "launch",
                   "times",
                   "stream",
                   "direction",
                   "memory",
                   "bytes",
                   "ms",
                   "failed",
                   "note",
                   "predicted s, least",
                   "predicted s, most",
                   "predicted on"};
  for (const lab::ProgramStep& step : view.summary->steps)
    table.rows.push_back({numberOrNothing(step.line), textOf(step), numberOrNothing(step.launch),
                          std::to_string(step.times), std::to_string(step.stream), step.direction,
                          step.memory, numberOrNothing(step.bytes),
                          step.milliseconds ? std::to_string(*step.milliseconds) : std::string(),
                          step.failed ? "yes" : "no", step.note,
                          isPredicted(step) ? model::number(predicted.range->low) : std::string(),
                          isPredicted(step) ? model::number(predicted.range->high) : std::string(),
                          isPredicted(step) ? predicted.range->on : std::string()});
  table.cut = view.summary->stepsLeftOut > 0;
  return table;
}

Table findingsTable(const model::Snapshot& now, const model::TableOptions& /*options*/) {
  const auto& view = now.view<ProgramView>();
  Table table;
  if (!view.summary) return table;
  table.title = view.name + ": " + view.verdict;
  table.columns = {"severity", "kind",   "kernel", "line",  "message",
                   "times",    "launch", "block",  "thread"};
  for (const lab::ProgramFinding& each : view.summary->findings)
    table.rows.push_back({each.isFault ? "fault" : "remark", each.kind, each.kernel,
                          numberOrNothing(each.line), each.message, std::to_string(each.times),
                          numberOrNothing(each.launch), placeText(each.block),
                          placeText(each.thread)});
  return table;
}

}  // namespace tilestep::features
