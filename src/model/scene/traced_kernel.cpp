// SPDX-License-Identifier: Apache-2.0
#include "model/scene/traced_kernel.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cstring>
#include <map>
#include <utility>

#include "base/text_lines.h"
#include "model/scene/seeded_values.h"
#include "model/scene/wrong_outputs.h"
#include "trace/feeds.h"

namespace tilestep::model {
namespace {

/// Larger operands are computed on demand, for the visible part only.
constexpr uint64_t kMaxHeldElements = uint64_t{1} << 20;

std::shared_ptr<const std::vector<float>> valuesOf(const compile::ResolvedOperand& resolved,
                                                   uint32_t index, uint64_t seed) {
  const bool drawn = resolved.spec.kind == OperandKind::buffer &&
                     resolved.spec.direction != Direction::out && resolved.rows > 0 &&
                     resolved.elements <= kMaxHeldElements;
  if (!drawn) return nullptr;
  auto values = std::make_shared<std::vector<float>>(resolved.elements);
  SeededValues(resolved, index, seed).read(0, resolved.elements, values->data());
  return values;
}

/// The values of inputs that do not come from a seed, as far as the result contains them.
std::shared_ptr<const std::vector<float>> givenValues(const lab::RunResult& result,
                                                      uint32_t index) {
  const auto given = std::ranges::find(result.given, index, &lab::Picture::operand);
  const uint64_t elements = result.plan.operands[index].elements;
  if (given == result.given.end() || given->values.size() != elements) return nullptr;
  return std::make_shared<const std::vector<float>>(given->values);
}

trace::Cut::K coordinateOfK(const compile::OperandSpec& operand) {
  if (operand.rows == "k") return trace::Cut::K::row;
  if (operand.columns == "k") return trace::Cut::K::column;
  return trace::Cut::K::none;
}

std::vector<trace::Access> loadsOf(const trace::Activity& activity) {
  std::vector<trace::Access> loads;
  for (const trace::GlobalLoad& load : activity.globalLoads) loads.push_back(load.from);
  return loads;
}

/// Keeps only one access per element, so that the loads of a long trace use little memory.
void keepElements(std::vector<trace::Access>& accesses) {
  const auto place = [](const trace::Access& access) {
    return std::pair(access.buffer, access.offset);
  };
  std::ranges::sort(accesses, {}, place);
  accesses.erase(std::ranges::unique(accesses, {}, place).begin(), accesses.end());
}

std::vector<std::vector<bool>> sumsStoredIn(const trace::BlockTrace& recording) {
  constexpr uint32_t kLanes = 32;  // Lanes of a warp.
  std::vector<std::vector<bool>> stored(recording.accumulators);
  std::map<uint32_t, std::vector<uint32_t>> sumsOf;  // By store instruction.
  for (const auto& [sum, store] : recording.sumStores) {
    stored[sum].resize(recording.blockShape.count(), false);
    sumsOf[store].push_back(sum);
  }
  for (size_t i = 0; i < recording.size() && !sumsOf.empty(); ++i) {
    const trace::TraceEvent event = recording.event(i);
    if (event.operation != trace::Operation::store) continue;
    const auto sums = sumsOf.find(event.instruction);
    if (sums == sumsOf.end()) continue;
    for (uint32_t lane = 0; lane < kLanes; ++lane)
      for (const uint32_t sum : sums->second)
        if ((event.mask >> lane & 1U) != 0) stored[sum][event.warp * kLanes + lane] = true;
  }
  return stored;
}

/// The variable that the line adds to: "acc" in "acc += a * b"; "sum" if it cannot be identified.
std::string summedIn(std::string_view line) {
  const auto isWord = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  size_t end = line.find("+=");
  if (end == std::string_view::npos) return "sum";
  while (end > 0 && line[end - 1] == ' ') --end;
  if (end > 0 && line[end - 1] == ']') {  // An array element has the array's name.
    int depth = 0;
    while (end > 0) {
      const char sign = line[--end];
      depth += sign == ']' ? 1 : sign == '[' ? -1 : 0;
      if (depth == 0 && (end == 0 || line[end - 1] != ']')) break;
    }
  }
  size_t begin = end;
  while (begin > 0 && isWord(line[begin - 1])) --begin;
  return begin == end ? "sum" : std::string(line.substr(begin, end - begin));
}

std::string sumNameOf(const TracedKernel& side) {
  if (!side.result->isLaunch) return "Pvalue";
  const trace::BlockTrace& recording = side.replay->recording();
  for (size_t i = 0; i < recording.size(); ++i) {
    const trace::TraceEvent event = recording.event(i);
    if (event.operation == trace::Operation::accumulate && event.line > 0)
      return summedIn(lineOf(side.sourceText, static_cast<int>(event.line)));
  }
  return "sum";
}

void addAreas(TracedKernel& side) {
  const trace::Replay& replay = *side.replay;
  std::vector<trace::Access> all;
  for (size_t i = 0; i < replay.size(trace::StepGranularity::phase); ++i) {
    const trace::Activity activity = replay.activityOf(trace::StepGranularity::phase, i);
    std::vector<trace::Access> loads = loadsOf(activity);
    keepElements(loads);
    side.phaseLoads.push_back(areasOf(side.result->plan, loads));
    side.facts.push_back(factsOf(replay, activity));
    all.insert(all.end(), loads.begin(), loads.end());
    all.insert(all.end(), activity.outputStores.begin(), activity.outputStores.end());
  }
  side.blockAreas = areasOf(side.result->plan, all);
  const size_t epochs = replay.size(trace::StepGranularity::epoch);
  if (epochs > 0) side.end = replay.stateAfter(trace::StepGranularity::epoch, epochs - 1);
}

std::map<uint32_t, uint32_t> linesOf(const trace::BlockTrace& recording) {
  std::map<uint32_t, uint32_t> lines;
  for (size_t i = 0; i < recording.size(); ++i) {
    const trace::TraceEvent event = recording.event(i);
    lines.try_emplace(event.instruction, event.line);
  }
  const std::map<uint32_t, uint32_t> known = lines;
  const trace::Feeds feeds(recording);
  uint32_t before = 0;
  for (auto& [instruction, line] : lines) {
    for (const auto& [consumer, load] : feeds.of(instruction))
      if (const auto from = known.find(load); line == 0 && from != known.end()) line = from->second;
    if (line == 0) line = before;
    before = line;
  }
  return lines;
}

/// The tally of the phase that contains the step, or of the step if it is outside of phases.
trace::Tally tallyAround(const TracedKernel& side, const TracedStep& at) {
  if (at.step.phase)
    for (const trace::PhaseTallies::OfPhase& of : side.tallies.phases)
      if (of.phase == *at.step.phase) return of.tally;
  return trace::tallyOf(*side.replay, at.grain, at.index);
}

/// The lane's value, zero-extended; 0 if it is wider than eight bytes or unknown.
uint64_t bitsOf(const trace::TraceEvent& event, size_t active) {
  uint64_t bits = 0;
  if (event.width <= sizeof bits && event.values.size() >= (active + 1) * event.width)
    std::memcpy(&bits, event.values.data() + active * event.width, event.width);
  return bits;
}

size_t activeBefore(uint32_t mask, uint32_t lane) {
  return static_cast<size_t>(std::popcount(mask & ((1U << lane) - 1)));
}

/// The thread's last read before its store by an instruction that feeds the store, if the value
/// confirms it. A warp's events of one epoch are contiguous, so few events are examined.
StoreSource sourceOf(const trace::BlockTrace& recording, const trace::Feeds& feeds,
                     const trace::Access& store) {
  constexpr uint32_t kFarthest = 4096;
  const trace::TraceEvent event = recording.event(store.event);
  const auto loads = feeds.of(event.instruction);
  if (loads.empty()) return {};
  const uint32_t end = store.event > kFarthest ? store.event - kFarthest : 0;
  for (uint32_t i = store.event; i-- > end;) {
    const trace::TraceEvent read = recording.event(i);
    const bool feeding =
        read.operation == trace::Operation::load && read.warp == store.warp &&
        (read.mask >> store.lane & 1U) != 0 && read.width == store.width &&
        std::ranges::any_of(loads, [&](const auto& p) { return p.second == read.instruction; });
    if (!feeding) continue;
    const size_t active = activeBefore(read.mask, store.lane);
    if (active >= read.offsets.size() || bitsOf(read, active) != store.bits) return {};
    return {read.space == trace::Space::shared, {read.buffer, read.offsets[active]}};
  }
  return {};
}

std::vector<StoreSource> sourcesOf(const TracedKernel& side,
                                   const std::vector<trace::Access>& stores) {
  const trace::BlockTrace& recording = side.replay->recording();
  const trace::Feeds feeds(recording);
  std::vector<StoreSource> sources;
  for (const trace::Access& store : stores) sources.push_back(sourceOf(recording, feeds, store));
  return sources;
}

void prepend(TracedStep& at, const TracedKernel& side, size_t index) {
  const trace::Step before = side.replay->step(at.grain, index);
  at.step.epoch = std::min(at.step.epoch, before.epoch);
  at.step.firstEvent = std::min(at.step.firstEvent, before.firstEvent);
  if (before.kind != at.step.kind) at.step.kind = trace::StepKind::whole;
  std::vector<uint32_t>& lines = at.step.lines;
  lines.insert(lines.end(), before.lines.begin(), before.lines.end());
  std::ranges::sort(lines);
  lines.erase(std::ranges::unique(lines).begin(), lines.end());
  trace::Activity earlier = side.replay->activityOf(at.grain, index);
  const auto join = [](auto& to, auto& from) { to.insert(to.begin(), from.begin(), from.end()); };
  join(at.activity.globalLoads, earlier.globalLoads);
  join(at.activity.sharedWrites, earlier.sharedWrites);
  join(at.activity.sharedReads, earlier.sharedReads);
  join(at.activity.accumulates, earlier.accumulates);
  join(at.activity.outputStores, earlier.outputStores);
  join(at.activity.atomics, earlier.atomics);
  at.tally += trace::tallyOf(*side.replay, at.grain, index);
}

/// Whether everything that the trace refers to exists. The trace may come from a worker, so it is
/// not trusted.
bool fits(const trace::BlockTrace& recording, size_t operands) {
  for (size_t i = 0; i < recording.size(); ++i) {
    const trace::TraceEvent event = recording.event(i);
    if (event.space == trace::Space::global && event.buffer >= 0 &&
        static_cast<size_t>(event.buffer) >= operands)
      return false;
  }
  return true;
}

/// Removes the incomplete epoch at the end of a truncated trace. The rest is complete, because no
/// warp passes a barrier before all others have arrived. Null if no complete epoch is left.
std::shared_ptr<const trace::BlockTrace> wholeEpochs(
    const std::shared_ptr<const trace::BlockTrace>& all) {
  const trace::BlockTrace& recording = *all;
  if (!recording.truncated()) return all;
  if (recording.size() == 0 || recording.uneven) return nullptr;
  const uint32_t last = recording.event(recording.size() - 1).epoch;
  if (last == 0) return nullptr;
  auto whole = std::make_shared<trace::BlockTrace>(recording.bytes());
  whole->block = recording.block;
  whole->blockShape = recording.blockShape;
  whole->device = recording.device;
  whole->sharedArrays = recording.sharedArrays;
  whole->accumulators = recording.accumulators;
  whole->feeds = recording.feeds;
  whole->sumStores = recording.sumStores;
  for (size_t i = 0; i < recording.size() && recording.event(i).epoch < last; ++i)
    whole->append(recording.event(i));
  whole->cutShort();
  whole->finish();
  return whole;
}

}  // namespace

std::vector<TouchedElement> countElements(std::vector<uint64_t> elements) {
  std::vector<TouchedElement> counted;
  if (elements.empty()) return counted;
  const auto [least, most] = std::ranges::minmax(elements);
  constexpr uint64_t kSparse = 16;  // With more elements per access than this, sorting is faster.
  if (most - least < kSparse * elements.size()) {
    std::vector<uint32_t> times(most - least + 1, 0);
    for (const uint64_t element : elements) ++times[element - least];
    for (uint64_t i = 0; i < times.size(); ++i)
      if (times[i] > 0) counted.push_back({least + i, times[i]});
    return counted;
  }
  std::ranges::sort(elements);
  for (const uint64_t element : elements) {
    if (counted.empty() || counted.back().element != element) counted.push_back({element, 0});
    ++counted.back().times;
  }
  return counted;
}

Area areaOf(int16_t operand, uint64_t columns, const std::vector<TouchedElement>& touched) {
  uint64_t left = columns, right = 0;
  for (const TouchedElement& one : touched) {
    left = std::min(left, one.element % columns);
    right = std::max(right, one.element % columns);
  }
  const uint64_t top = touched.front().element / columns;
  const uint64_t bottom = touched.back().element / columns;
  Area area{operand,
            static_cast<uint32_t>(top),
            static_cast<uint32_t>(left),
            static_cast<uint32_t>(bottom - top + 1),
            static_cast<uint32_t>(right - left + 1),
            false};
  area.dense = touched.size() == uint64_t{area.rows} * area.columns;
  return area;
}

std::vector<Area> areasOf(const compile::Plan& plan, const std::vector<trace::Access>& accesses) {
  std::vector<std::vector<uint64_t>> elements(plan.operands.size());
  for (const trace::Access& access : accesses) {
    if (access.buffer < 0 || static_cast<size_t>(access.buffer) >= plan.operands.size()) continue;
    const auto index = static_cast<size_t>(access.buffer);
    const compile::ResolvedOperand& operand = plan.operands[index];
    if (operand.columns == 0) continue;
    elements[index].push_back(access.offset / bytesOf(operand.spec.type));
  }
  std::vector<Area> areas;
  for (size_t index = 0; index < elements.size(); ++index)
    if (!elements[index].empty())
      areas.push_back(areaOf(static_cast<int16_t>(index), plan.operands[index].columns,
                             countElements(std::move(elements[index]))));
  return areas;
}

uint32_t TracedKernel::lineOf(const trace::TraceEvent& event) const {
  const auto line = lines.find(event.instruction);
  return event.line != 0 || line == lines.end() ? event.line : line->second;
}

uint32_t TracedKernel::phases() const {
  const uint32_t seen = tallies.phases.empty() ? 0 : tallies.phases.back().phase + 1;
  if (!replay->recording().truncated()) return seen;
  // A truncated trace does not contain all phases.
  const trace::Cut& cut = replay->cut();
  const auto k = result->plan.sizes.find("k");
  if (cut.epochsPerPhase > 0) return std::max(seen, cut.phases);
  if (cut.phaseLength == 0 || k == result->plan.sizes.end()) return seen;
  return std::max(
      seen, static_cast<uint32_t>(ceilDiv(static_cast<uint64_t>(k->second), cut.phaseLength)));
}

std::string deviceText(const device::DeviceInfo& device) {
  const std::string name = device::machineText(device);
  return device.recordedOn.empty() ? name : name + ", recorded " + device.recordedOn;
}

std::string shortNameOf(const std::string& kernel) {
  constexpr std::string_view kPrefix = "matmul_";
  std::string name = kernel.starts_with(kPrefix) ? kernel.substr(kPrefix.size()) : kernel;
  std::ranges::replace(name, '_', ' ');
  return name;
}

trace::Cut cutFor(const compile::KernelSpec& spec, const compile::Plan& plan, int64_t phaseLength) {
  trace::Cut cut;
  if (spec.epochsPerPhase > 0 && plan.phases > 0) {
    cut.epochsPerPhase = static_cast<uint32_t>(spec.epochsPerPhase);
    cut.firstEpoch = static_cast<uint32_t>(spec.epochsBefore);
    cut.phases = static_cast<uint32_t>(plan.phases);
  } else if (spec.reference == "matmul") {
    cut.phaseLength = static_cast<uint64_t>(std::max<int64_t>(phaseLength, 1));
  }
  for (const compile::ResolvedOperand& operand : plan.operands)
    cut.operands.push_back(
        {coordinateOfK(operand.spec), operand.columns, bytesOf(operand.spec.type)});
  return cut;
}

std::shared_ptr<const TracedKernel> traceKernel(const compile::CatalogueEntry& entry,
                                                const lab::ResultPointer& given, uint64_t seed,
                                                int64_t phaseLength, uint32_t removedLine) {
  const lab::RunResult& result = *given;
  if (!result.trace || !entry.spec) return nullptr;
  if (!fits(*result.trace, result.plan.operands.size())) return nullptr;
  auto side = std::make_shared<TracedKernel>();
  side->kernel = entry.spec->name;
  side->removedLine = removedLine;
  side->spec = *entry.spec;
  side->shortName = plainNameOf(*side);
  side->seed = seed;
  side->sourceText = result.kernelText.empty() ? entry.source.text : result.kernelText;
  auto recording = wholeEpochs(result.trace);
  if (!recording) return nullptr;
  side->replay = std::make_shared<const trace::Replay>(
      std::move(recording), cutFor(*entry.spec, result.plan, phaseLength));
  side->tallies = trace::tallyByPhase(*side->replay);
  side->whole = trace::tallyOf(side->replay->recording());
  for (uint32_t i = 0; i < result.plan.operands.size(); ++i)
    side->inputs.push_back(result.hasGivenData ? givenValues(result, i)
                                               : valuesOf(result.plan.operands[i], i, seed));
  side->result = given;
  side->lines = linesOf(side->replay->recording());
  side->sumName = sumNameOf(*side);
  addAreas(*side);
  side->sumsStored = sumsStoredIn(side->replay->recording());
  side->wrong = wrongOutputsOf(*side);
  return side;
}

std::string plainNameOf(const TracedKernel& side) {
  // A program's launch has the name that the author gave its kernel.
  const std::string name = side.spec.given != nullptr ? side.spec.title : shortNameOf(side.kernel);
  return side.removedLine == 0 ? name : name + " without line " + std::to_string(side.removedLine);
}

std::shared_ptr<const TracedKernel> withName(const TracedKernel& side, std::string shortName) {
  auto named = std::make_shared<TracedKernel>(side);
  named->shortName = std::move(shortName);
  return named;
}

uint64_t phaseLengthOf(const TracedKernel& side) {
  const trace::Cut& cut = side.replay->cut();
  if (cut.epochsPerPhase == 0) return cut.phaseLength;
  return static_cast<uint64_t>(std::max<int64_t>(side.result->plan.phaseLength, 0));
}

uint64_t elementsMade(const TracedKernel& side) {
  return side.end.outputs.size();
}

std::shared_ptr<const TracedStep> makeStep(std::shared_ptr<const TracedKernel> side,
                                           trace::StepGranularity grain, size_t index) {
  return makeSteps(std::move(side), grain, index, index);
}

std::shared_ptr<const TracedStep> makeSteps(std::shared_ptr<const TracedKernel> side,
                                            trace::StepGranularity grain, size_t first,
                                            size_t last) {
  if (!side || last >= side->replay->size(grain) || first > last) return nullptr;
  auto at = std::make_shared<TracedStep>();
  at->grain = grain;
  at->index = last;
  at->first = first;
  at->step = side->replay->step(grain, last);
  // Compilers may emit stores that have no source line.
  const uint32_t line = side->lineOf(side->replay->recording().event(at->step.firstEvent));
  if (at->step.lines.empty() && line > 0) at->step.lines = {line};
  at->activity = side->replay->activityOf(grain, last);
  at->state = side->replay->stateAfter(grain, last);
  at->tally = tallyAround(*side, *at);
  for (size_t index = last; index-- > first;) prepend(*at, *side, index);
  at->firstPhase = first == last ? at->step.phase : side->replay->step(grain, first).phase;
  at->storeSources = sourcesOf(*side, at->activity.outputStores);
  at->side = std::move(side);
  return at;
}

}  // namespace tilestep::model
