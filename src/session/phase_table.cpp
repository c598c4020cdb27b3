// SPDX-License-Identifier: Apache-2.0
#include "session/phase_table.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "session/index_range.h"
#include "session/step_text.h"
#include "session/thread_work.h"

namespace tilestep::session {
namespace {

constexpr uint64_t kMostCells = 16384;

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

/// The slots that a thread fills with elements of one operand.
std::string slotsText(const Side& side, const std::vector<const trace::GlobalLoad*>& loads) {
  std::map<int16_t, IndexRange> ranges;
  for (const trace::GlobalLoad* load : loads) {
    if (!load->to || load->to->buffer < 0) return {};
    const trace::SharedArray& array =
        side.replay->recording().sharedArrays[static_cast<size_t>(load->to->buffer)];
    const uint32_t slot = load->to->offset / std::max<uint32_t>(load->from.width, 1);
    ranges[load->to->buffer].add(array.columns > 0 ? slot / array.columns : 0,
                                 array.columns > 0 ? slot % array.columns : slot);
  }
  std::string text;
  for (const auto& [buffer, range] : ranges) {
    const trace::SharedArray& array =
        side.replay->recording().sharedArrays[static_cast<size_t>(buffer)];
    text += (text.empty() ? "" : ", ") + array.name + range.text(array.columns > 0);
  }
  return text;
}

PhaseTable::Load loadText(const Side& side, const ThreadWork& work, int16_t operand) {
  std::vector<const trace::GlobalLoad*> loads;
  std::vector<trace::Place> places;
  for (const trace::GlobalLoad& load : work.loads) {
    if (load.from.buffer != operand) continue;
    loads.push_back(&load);
    places.push_back({load.from.buffer, load.from.offset});
  }
  if (loads.empty()) return {};
  return {elementsText(side, places).front().text, slotsText(side, loads)};
}

struct Step {
  size_t index = 0;  ///< At the phase grain.
  uint32_t phase = 0;
  std::vector<ThreadWork> work;
};

std::vector<Step> stepsOf(const Side& side) {
  std::vector<Step> steps;
  for (size_t i = 0; i < side.replay->size(trace::Grain::phase); ++i)
    if (const auto phase = side.replay->step(trace::Grain::phase, i).phase)
      steps.push_back({i, *phase, workOf(side, i)});
  return steps;
}

std::vector<int16_t> operandsOf(const std::vector<Step>& steps) {
  std::set<int16_t> operands;
  for (const Step& step : steps)
    for (const ThreadWork& work : step.work)
      for (const trace::GlobalLoad& load : work.loads)
        if (load.from.buffer >= 0) operands.insert(load.from.buffer);
  return {operands.begin(), operands.end()};
}

PhaseTable::Cell cellOf(const Side& side, const Step& step, uint32_t thread,
                        const std::vector<int16_t>& operands) {
  const ThreadWork& work = step.work[thread];
  PhaseTable::Cell cell;
  for (const int16_t operand : operands) cell.loads.push_back(loadText(side, work, operand));
  cell.gain = gainText(side, work);
  const bool single =
      std::ranges::all_of(work.terms, [](const auto& term) { return term.sum.buffer == 0; });
  if (!work.terms.empty() && single)
    cell.sum = number(valueOf(outputType(side), work.terms.back().sum.bits));
  return cell;
}

bool doesAnything(const ThreadWork& work) {
  return !work.loads.empty() || !work.terms.empty() || !work.uses.empty();
}

std::string quoted(const std::string& text) {
  return text.find_first_of(",\"\n") == std::string::npos ? text : '"' + text + '"';
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : " ") + line;
  return text;
}

}  // namespace

std::shared_ptr<const PhaseTable> phaseTableOf(const Side& side) {
  const trace::Recording& recording = side.replay->recording();
  const uint64_t threads = recording.blockShape.count();
  if (side.phases() == 0 || threads * side.phases() > kMostCells) return nullptr;
  const std::vector<Step> steps = stepsOf(side);
  const std::vector<int16_t> operands = operandsOf(steps);
  auto table = std::make_shared<PhaseTable>();
  table->title = side.shortName + ", block (" + std::to_string(recording.block.x) + ", " +
                 std::to_string(recording.block.y) + ")";
  for (const int16_t operand : operands)
    table->operands.push_back(side.result->plan.operands[static_cast<size_t>(operand)].spec.name);
  for (const Step& step : steps) table->phases.push_back(step.phase);
  for (uint32_t thread = 0; thread < threads; ++thread) {
    if (std::ranges::none_of(steps,
                             [&](const Step& step) { return doesAnything(step.work[thread]); }))
      continue;
    PhaseTable::Row row{thread, thread / 32, trace::threadOf(thread, recording.blockShape), {}, {}};
    row.name = "(" + std::to_string(row.at.x) + ", " + std::to_string(row.at.y) + ")";
    for (const Step& step : steps) row.phases.push_back(cellOf(side, step, thread, operands));
    for (const PhaseTable::Cell& cell : row.phases) table->sums |= !cell.gain.empty();
    table->rows.push_back(std::move(row));
  }
  return table;
}

std::string csvOf(const PhaseTable& table) {
  std::string text = "thread_x,thread_y,warp,phase";
  for (const std::string& operand : table.operands) text += ",load_" + operand + ",slot_" + operand;
  text += ",gain,sum\n";
  for (const PhaseTable::Row& row : table.rows)
    for (size_t i = 0; i < row.phases.size(); ++i) {
      text += std::to_string(row.at.x) + "," + std::to_string(row.at.y) + "," +
              std::to_string(row.warp) + "," + std::to_string(table.phases[i]);
      for (const PhaseTable::Load& load : row.phases[i].loads)
        text += "," + quoted(load.from) + "," + quoted(load.to);
      text += "," + quoted(joined(row.phases[i].gain)) + "," + row.phases[i].sum + "\n";
    }
  return text;
}

std::string textOf(const PhaseTable& table) {
  std::string text = "thread (tx, ty)";
  for (const uint32_t phase : table.phases) {
    for (const std::string& operand : table.operands)
      text += "\tph " + std::to_string(phase) + ": load of " + operand;
    if (table.sums) text += "\tph " + std::to_string(phase) + ": Pvalue gains";
  }
  text += "\n";
  for (const PhaseTable::Row& row : table.rows) {
    text += row.name;
    for (const PhaseTable::Cell& cell : row.phases) {
      for (const PhaseTable::Load& load : cell.loads)
        text += "\t" + load.from + (load.to.empty() ? "" : " → " + load.to);
      if (table.sums) text += "\t" + joined(cell.gain);
    }
    text += "\n";
  }
  return text;
}

}  // namespace tilestep::session
