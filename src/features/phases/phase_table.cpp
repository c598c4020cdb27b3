// SPDX-License-Identifier: Apache-2.0
#include "features/phases/phase_table.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "model/index_range.h"
#include "model/scene/thread_work.h"
#include "model/text/step_text.h"

namespace tilestep::features {
namespace {

constexpr uint64_t kMostCells = 16384;

std::string sixDigits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

/// The slots to which a thread stores elements of one operand.
std::string slotsText(const TracedKernel& side,
                      const std::vector<const trace::GlobalLoad*>& loads) {
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

PhaseTable::Load loadText(const TracedKernel& side, const ThreadWork& work, int16_t operand) {
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
  uint32_t phase = 0;
  const std::vector<ThreadWork>& work;  ///< Indexed by thread.
};

std::vector<Step> stepsOf(const BlockWork& work) {
  const trace::Replay& replay = *work.side()->replay;
  std::vector<Step> steps;
  for (size_t i = 0; i < replay.size(trace::StepGranularity::phase); ++i)
    if (const auto phase = replay.step(trace::StepGranularity::phase, i).phase)
      steps.push_back({*phase, work.all()[i]});
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

PhaseTable::Cell cellOf(const TracedKernel& side, const Step& step, uint32_t thread,
                        const std::vector<int16_t>& operands) {
  const ThreadWork& work = step.work[thread];
  PhaseTable::Cell cell;
  for (const int16_t operand : operands) cell.loads.push_back(loadText(side, work, operand));
  cell.gain = gainText(side, work);
  const bool single =
      std::ranges::all_of(work.terms, [](const auto& term) { return term.sum.buffer == 0; });
  if (!work.terms.empty() && single)
    cell.sum = sixDigits(valueOf(outputType(side), work.terms.back().sum.bits));
  return cell;
}

bool doesAnything(const ThreadWork& work) {
  return !work.loads.empty() || !work.terms.empty() || !work.uses.empty();
}

}  // namespace

std::shared_ptr<const PhaseTable> phaseTableOf(const BlockWork& work) {
  const TracedKernel& side = *work.side();
  const trace::BlockTrace& recording = side.replay->recording();
  const uint64_t threads = recording.blockShape.count();
  if (side.phases() == 0 || threads * side.phases() > kMostCells) return nullptr;
  const std::vector<Step> steps = stepsOf(work);
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

}  // namespace tilestep::features
