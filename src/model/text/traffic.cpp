// SPDX-License-Identifier: Apache-2.0
#include "model/text/traffic.h"

#include <algorithm>
#include <utility>

#include "lab/figures.h"
#include "model/roofline_marks.h"

namespace tilestep::model {
namespace {

/// When a row has no value.
enum class RowKind : uint8_t {
  always,
  loads,  ///< It has no value if not all loads are counted.
  known,  ///< The row is omitted if neither side has a value.
};

/// A row shows the result of `value` or, without a function, the sum of its counters.
struct RowSpec {
  const char* name;
  const char* hover;                  ///< Includes the metric names of nvprof and Nsight Compute.
  std::vector<const char*> counters;  ///< As in trace::namedCounts.
  RowKind kind = RowKind::always;
  Unit unit = Unit::count;
  std::optional<double> (*value)(const CountedSide& side) = nullptr;
};

std::optional<double> share(double part, double whole) {
  if (whole == 0) return std::nullopt;
  return part / whole;
}

std::optional<double> elementLoadsOf(const CountedSide& side) {
  return static_cast<double>(elementLoads(side.counters->globalLoad, side.elementBytes));
}

std::optional<double> usefulShareOf(const CountedSide& side) {
  const trace::GlobalCounts& loads = side.counters->globalLoad;
  return share(static_cast<double>(loads.distinctBytes), 32 * static_cast<double>(loads.sectors));
}

std::optional<double> slotReadsOf(const CountedSide& side) {
  return side.slotReads;
}

/// Absent if fewer operations were counted than the result requires: others were not counted.
std::optional<double> operationsOf(const CountedSide& side) {
  const trace::Counters& c = *side.counters;
  const auto executed = static_cast<double>(2 * c.ffma + c.fadd + c.fmul);
  if (side.operations <= 0 || executed < side.operations) return std::nullopt;
  return executed;
}

std::optional<double> usefulOperationsOf(const CountedSide& side) {
  return share(side.operations, operationsOf(side).value_or(0));
}

/// Replaces the element loads for kernels that load elements of several sizes, because only the sum
/// of their bytes is counted.
constexpr const char* kLaneLoads = "Lane loads";
constexpr const char* kLaneLoadsHover =
    "Active lanes of all load requests; each lane counts once, however many bytes it loads. One of "
    "the kernels loads elements of several sizes, so the number of elements is unknown.";

const RowSpec kRows[] = {
    {"Element loads",
     "Elements that lanes load from global memory, counted per lane. A lane that loads several "
     "elements at once counts each of them.",
     {"global_load_bytes"},
     RowKind::loads,
     Unit::count,
     elementLoadsOf},
    {"Requests",
     "Warp instructions that load from global memory, each for up to 32 lanes.\nNsight Compute: "
     "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
     {"global_load_requests"},
     RowKind::loads},
    {"Sectors",
     "32-byte sectors that each request touches, summed, before any cache hit.\n"
     "nvprof: gld_transactions\nNsight Compute: l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
     {"global_load_sectors"},
     RowKind::loads},
    {"Bytes asked",
     "Bytes that lanes request; a broadcast counts once per lane.",
     {"global_load_bytes"},
     RowKind::loads,
     Unit::bytes},
    {"Useful share",
     "Distinct bytes of each request ÷ (32 × sectors): the used share of the moved bytes.",
     {"global_load_distinct_bytes", "global_load_sectors"},
     RowKind::loads,
     Unit::ratio,
     usefulShareOf},
    {"Store sectors",
     "32-byte sectors that each store request touches, summed.\nnvprof: gst_transactions",
     {"global_store_sectors"}},
    {"Shared loads",
     "Warp instructions that load from shared memory, as written in PTX; the machine may merge "
     "them.",
     {"shared_load_requests"}},
    {"Wavefronts",
     "Passes of shared memory for loads and stores: for each request, the largest number of "
     "distinct words in one bank.",
     {"shared_load_wavefronts", "shared_store_wavefronts"}},
    {"Bank conflicts",
     "Wavefronts beyond the fewest possible, loads and stores.\nnvprof: shared_ld_bank_conflict",
     {"shared_load_bank_conflicts", "shared_store_bank_conflicts"}},
    {"Barriers", "Barriers executed, counted once per warp.", {"barriers"}},
    {"Reads of a slot",
     "How often each element in shared memory is read: lane reads ÷ lane writes of shared memory.\n"
     "In a tiled product, this is the tile's width.",
     {},
     RowKind::known,
     Unit::count,
     slotReadsOf},
    {"FP operations",
     "Single-precision operations that threads execute: 2 × fused multiply-adds + additions + "
     "multiplications.",
     {},
     RowKind::known,
     Unit::count,
     operationsOf},
    {"Useful operations",
     "Operations that the result needs (2·m·n·k for a product) ÷ operations executed. Blocks that "
     "extend over an edge compute with zeros.",
     {},
     RowKind::known,
     Unit::ratio,
     usefulOperationsOf},
};

std::optional<double> valueOf(const RowSpec& spec, const CountedSide& side) {
  if (spec.value != nullptr) return spec.value(side);
  double sum = 0;
  for (const trace::NamedCount& count : side.named)
    if (std::ranges::find(spec.counters, count.name) != spec.counters.end())
      sum += static_cast<double>(count.value);
  return sum;
}

/// The reason why the hardware may count a row differently; empty if it does not.
std::string whyUncertain(const RowSpec& spec, const CountedSide& side) {
  if (side.uncertain == nullptr) return {};
  std::string why;
  for (const lab::UncertainCounts& counts : *side.uncertain) {
    const bool isOne = std::ranges::any_of(spec.counters, [&](const char* name) {
      return std::ranges::find(counts.counters, name) != counts.counters.end();
    });
    if (isOne) why += (why.empty() ? "" : "\n") + whyText(counts);
  }
  return why;
}

/// One side's value in a row.
struct Cell {
  std::optional<double> value;
  bool isUncertain = false;
  std::string note;  ///< For the hover text.
};

Cell cellOf(const RowSpec& spec, const CountedSide& side) {
  Cell cell;
  if (!side.counters || (spec.kind == RowKind::loads && !side.loadsAreCounted)) return cell;
  cell.value = valueOf(spec, side);
  cell.note = whyUncertain(spec, side);
  if (cell.note.empty() || !cell.value) return cell;
  const device::HardwareFigure* figure = side.hardware != nullptr && spec.counters.size() == 1
                                             ? side.hardware->find(spec.counters.front())
                                             : nullptr;
  cell.isUncertain = figure == nullptr;
  if (figure == nullptr) return cell;
  cell.note += "\nBy the hardware's own counter; the program as written makes " +
               Ratio{.unit = spec.unit, .own = cell.value}.ownText() + ".";
  cell.value = figure->value;
  return cell;
}

Ratio rowOf(const RowSpec& spec, const CountedSide& base, const CountedSide& own,
            const std::string& origin) {
  const Cell other = cellOf(spec, base), mine = cellOf(spec, own);
  Ratio row{spec.name,  spec.unit,         other.value,     mine.value,
            spec.hover, other.isUncertain, mine.isUncertain};
  row.hover += "\n" + origin;
  if (!mine.note.empty()) row.hover += "\n" + mine.note;
  if (!other.note.empty()) row.hover += "\nThe compared kernel: " + other.note;
  if (spec.kind == RowKind::loads && !(base.loadsAreCounted && own.loadsAreCounted))
    row.hover +=
        "\nAbsent for a kernel with asynchronous copies that this count omits (cp.async.bulk, or "
        "an old recording).";
  return row;
}

}  // namespace

uint32_t loadedElementBytes(const compile::Plan& plan) {
  uint32_t bytes = 0;
  for (const compile::ResolvedOperand& operand : plan.operands) {
    if (operand.spec.kind != OperandKind::buffer || operand.elements == 0 ||
        operand.spec.direction == Direction::out)
      continue;
    const auto own = static_cast<uint32_t>(bytesOf(operand.spec.type));
    if (bytes != 0 && bytes != own) return 0;
    bytes = own;
  }
  return bytes;
}

uint64_t elementLoads(const trace::GlobalCounts& loads, uint32_t elementBytes) {
  return elementBytes == 0 ? loads.threads : loads.bytes / elementBytes;
}

CountedSide sideOf(const trace::Tally& tally, const lab::RunResult& result) {
  CountedSide side{tally.counters, loadedElementBytes(result.plan), &result.uncertain};
  side.counters->globalLoad += tally.copies;
  side.slotReads = share(static_cast<double>(tally.sharedReads),
                         static_cast<double>(tally.sharedWrites + tally.arrivals));
  return side;
}

CountedSide sideOf(const lab::RunResult& result, bool isWholeGrid) {
  CountedSide side{{}, loadedElementBytes(result.plan), &result.uncertain};
  if (result.counters) side.counters = result.counters->total;
  if (result.hardware) side.hardware = &*result.hardware;
  side.loadsAreCounted = loadsAreCounted(result);
  if (isWholeGrid) side.operations = result.plan.operations;
  return side;
}

TrafficTable trafficOf(std::string title, CountedSide base, CountedSide own,
                       const std::string& origin) {
  TrafficTable table{std::move(title), {}};
  const auto isMixed = [](const CountedSide& side) {
    return side.counters && side.elementBytes == 0;
  };
  const bool mixed = isMixed(base) || isMixed(own);
  if (mixed) base.elementBytes = own.elementBytes = 0;
  for (CountedSide* side : {&base, &own})
    if (side->counters) side->named = trace::namedCounts(*side->counters);
  for (const RowSpec& spec : kRows) {
    Ratio row = rowOf(spec, base, own, origin);
    if (spec.kind != RowKind::known || row.base || row.own) table.rows.push_back(std::move(row));
  }
  if (mixed) {
    table.rows.front().name = kLaneLoads;
    table.rows.front().hover = std::string(kLaneLoadsHover) + "\n" + origin;
  }
  return table;
}

std::string blocksText(const Dim3& block) {
  const std::string text = "blocks of " + std::to_string(block.x) + " × " + std::to_string(block.y);
  return block.z > 1 ? text + " × " + std::to_string(block.z) : text;
}

std::string launchText(const lab::RunResult& result) {
  std::string name = shortNameOf(result.kernel);
  if (result.plan.launches.empty()) return name;
  return name + " in " + blocksText(result.plan.launches.front().block);
}

std::string sizesText(const compile::Bindings& sizes) {
  if (sizes.empty()) return {};
  const int64_t first = sizes.begin()->second;
  const bool same = std::ranges::all_of(sizes, [&](const auto& s) { return s.second == first; });
  std::string text;
  for (const auto& [name, value] : lab::orderedSizes(sizes))
    text += same ? name + " = " : (text.empty() ? "" : ", ") + name + " = " + std::to_string(value);
  return same ? text + std::to_string(first) : text;
}

std::string countedText(const TracedKernel& kernel) {
  return std::string("counted by the interpreter, ") +
         (kernel.result->blockAlone ? "the traced block of " : "the whole launch of ") +
         kernel.shortName + ", " + sizesText(kernel.result->plan.sizes);
}

}  // namespace tilestep::model
