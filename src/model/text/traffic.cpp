// SPDX-License-Identifier: Apache-2.0
#include "model/text/traffic.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/factor.h"
#include "base/figure.h"
#include "model/machine.h"

namespace tilestep::model {
namespace {

struct RowSpec {
  const char* name;
  Unit unit;
  const char* hover;
  std::optional<double> (*value)(const trace::Counters&, uint32_t elementBytes);
  std::vector<const char*> madeOf;  ///< Counters, as in lab::namedCounts.
};

std::optional<double> share(uint64_t part, uint64_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

std::optional<double> countOf(uint64_t value) {
  return static_cast<double>(value);
}

/// Replaces the element loads for kernels that load elements of several sizes: counts combine their
/// bytes, so the number of elements is unknown.
constexpr const char* kLaneLoads = "Lane loads";
constexpr const char* kLaneLoadsHover =
    "Loads of single lanes: each lane of a request that is active counts once, however many bytes "
    "it loads. A kernel here loads elements of several sizes, so elements are not told apart.";

/// Metric names of nvprof and Nsight Compute.
const RowSpec kRows[] = {
    {"Element loads",
     Unit::count,
     "Elements that lanes ask global memory for: each lane counts for itself, and one that loads "
     "several elements at once asks for each of them.",
     [](const trace::Counters& c, uint32_t bytes) {
       return countOf(elementLoads(c.globalLoad, bytes));
     },
     {"global_load_bytes"}},
    {"Requests",
     Unit::count,
     "Warp instructions that load from global memory; one stands for the element loads of up to "
     "32 lanes.\n"
     "Nsight Compute: l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
     [](const trace::Counters& c, uint32_t) { return countOf(c.globalLoad.requests); },
     {"global_load_requests"}},
    {"Sectors",
     Unit::count,
     "32-byte pieces of lines that each request touches, summed; before any cache hit.\n"
     "nvprof: gld_transactions\nNsight Compute: l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
     [](const trace::Counters& c, uint32_t) { return countOf(c.globalLoad.sectors); },
     {"global_load_sectors"}},
    {"Bytes asked",
     Unit::bytes,
     "Bytes that lanes ask for; a broadcast counts once per lane.",
     [](const trace::Counters& c, uint32_t) { return countOf(c.globalLoad.bytes); },
     {"global_load_bytes"}},
    {"Useful share",
     Unit::ratio,
     "Distinct bytes of each request ÷ (32 × sectors): how much of what moves is used.",
     [](const trace::Counters& c, uint32_t) {
       return share(c.globalLoad.distinctBytes, 32 * c.globalLoad.sectors);
     },
     {"global_load_distinct_bytes", "global_load_sectors"}},
    {"Store sectors",
     Unit::count,
     "32-byte pieces that each store request touches, summed.\nnvprof: gst_transactions",
     [](const trace::Counters& c, uint32_t) { return countOf(c.globalStore.sectors); },
     {"global_store_sectors"}},
    {"Shared loads",
     Unit::count,
     "Warp instructions that load from shared memory, as written in PTX; the machine may merge "
     "them.",
     [](const trace::Counters& c, uint32_t) { return countOf(c.sharedLoad.requests); },
     {"shared_load_requests"}},
    {"Wavefronts",
     Unit::count,
     "Passes of shared memory that loads and stores need: for each request the most distinct words "
     "in one bank.",
     [](const trace::Counters& c, uint32_t) {
       return countOf(c.sharedLoad.wavefronts + c.sharedStore.wavefronts);
     },
     {"shared_load_wavefronts", "shared_store_wavefronts"}},
    {"Bank conflicts",
     Unit::count,
     "Wavefronts beyond the fewest possible, loads and stores.\nnvprof: shared_ld_bank_conflict",
     [](const trace::Counters& c, uint32_t) {
       return countOf(c.sharedLoad.bankConflicts + c.sharedStore.bankConflicts);
     },
     {"shared_load_bank_conflicts", "shared_store_bank_conflicts"}},
    {"Barriers",
     Unit::count,
     "Barriers executed, counted once per warp.",
     [](const trace::Counters& c, uint32_t) { return countOf(c.barriers); },
     {}},
};

/// Why the hardware may count a row otherwise; empty where it may not.
std::string whyUncertain(const RowSpec& spec, const CountedLoads& loads) {
  if (loads.uncertain == nullptr) return {};
  std::string why;
  for (const lab::UncertainCounts& counts : *loads.uncertain) {
    const bool isOne = std::ranges::any_of(spec.madeOf, [&](const char* name) {
      return std::ranges::find(counts.counters, name) != counts.counters.end();
    });
    if (isOne) why += (why.empty() ? "" : "\n") + whyText(counts);
  }
  return why;
}

/// One kernel's value in a row.
struct Cell {
  std::optional<double> value;
  bool isUncertain = false;
  std::string note;  ///< For the hover text.
};

Cell cellOf(const RowSpec& spec, const CountedLoads& loads, uint32_t elementBytes) {
  Cell cell;
  if (loads.counters == nullptr) return cell;
  cell.value = spec.value(*loads.counters, elementBytes);
  cell.note = whyUncertain(spec, loads);
  if (cell.note.empty() || !cell.value) return cell;
  const device::HardwareFigure* figure = loads.hardware != nullptr && spec.madeOf.size() == 1
                                             ? loads.hardware->find(spec.madeOf.front())
                                             : nullptr;
  if (figure == nullptr) {
    cell.isUncertain = true;
    return cell;
  }
  cell.note += "\nBy the hardware's own counter; the program as written makes " +
               valueText(cell.value, spec.unit) + ".";
  cell.value = figure->value;
  return cell;
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

TrafficTable trafficOf(std::string title, const CountedLoads& companion, const CountedLoads& main,
                       const std::string& origin) {
  TrafficTable table{std::move(title), {}};
  const auto isMixed = [](const CountedLoads& loads) {
    return loads.counters != nullptr && loads.elementBytes == 0;
  };
  const bool mixed = isMixed(companion) || isMixed(main);
  for (const RowSpec& spec : kRows) {
    const Cell other = cellOf(spec, companion, mixed ? 0 : companion.elementBytes);
    const Cell mine = cellOf(spec, main, mixed ? 0 : main.elementBytes);
    TrafficRow row{spec.name,
                   other.value,
                   mine.value,
                   spec.unit,
                   std::string(spec.hover) + "\n" + origin,
                   other.isUncertain,
                   mine.isUncertain};
    if (!mine.note.empty()) row.hover += "\n" + mine.note;
    if (!other.note.empty()) row.hover += "\nThe compared kernel: " + other.note;
    table.rows.push_back(std::move(row));
  }
  if (mixed) {
    table.rows.front().name = kLaneLoads;
    table.rows.front().hover = std::string(kLaneLoadsHover) + "\n" + origin;
  }
  return table;
}

trace::Counters withCopies(const trace::Tally& tally) {
  trace::Counters counters = tally.counters;
  counters.globalLoad += tally.copies;
  return counters;
}

void leaveOutLoads(TrafficTable& table, bool companion, bool main) {
  constexpr size_t kLoadRows = 5;  // The first of kRows.
  for (size_t i = 0; i < std::min(kLoadRows, table.rows.size()); ++i) {
    TrafficRow& row = table.rows[i];
    if (companion) row.companion.reset();
    if (main) row.main.reset();
    if (companion || main)
      row.hover +=
          "\nAbsent where a kernel loads by asynchronous copies that this count leaves out "
          "(cp.async.bulk, or an old recording).";
  }
}

void addReuse(TrafficTable& table, const trace::Tally* companion, const trace::Tally* main,
              const std::string& origin) {
  const auto reuse = [](const trace::Tally* tally) {
    return tally == nullptr ? std::nullopt
                            : share(tally->sharedReads, tally->sharedWrites + tally->arrivals);
  };
  TrafficRow row{"Reads of a slot", reuse(companion), reuse(main), Unit::count,
                 "How often an element is read from shared memory once it lies there: lane reads ÷ "
                 "lane writes of shared memory.\nIn a tiled product: the tile's width.\n" +
                     origin};
  if (row.companion || row.main) table.rows.push_back(std::move(row));
}

void addOperations(TrafficTable& table, const lab::RunResult* companion, const lab::RunResult* main,
                   const std::string& origin) {
  const auto executed = [](const lab::RunResult* result) -> std::optional<double> {
    if (result == nullptr || !result->counters || result->plan.operations <= 0) return {};
    const trace::Counters& c = result->counters->total;
    const auto operations = static_cast<double>(2 * c.ffma + c.fadd + c.fmul);
    if (operations < result->plan.operations) return {};
    return operations;
  };
  const auto useful = [&](const lab::RunResult* result) -> std::optional<double> {
    const auto operations = executed(result);
    if (!operations) return {};
    return result->plan.operations / *operations;
  };
  if (!executed(companion) && !executed(main)) return;
  table.rows.push_back({"FP operations", executed(companion), executed(main), Unit::count,
                        "Single-precision operations that threads execute: 2 × fused multiply-adds "
                        "+ additions + multiplications.\n" +
                            origin});
  table.rows.push_back({"Useful operations", useful(companion), useful(main), Unit::ratio,
                        "Operations that the result needs (2·m·n·k for a product) ÷ operations "
                        "executed. Blocks that hang over an edge compute with zeros.\n" +
                            origin});
}

std::string valueText(const std::optional<double>& value, Unit unit, bool isUncertain) {
  if (!value) return "–";
  if (isUncertain) return "≈ " + valueText(value, unit);
  const bool whole = *value == std::floor(*value);
  if (unit == Unit::count && whole && *value < 1e7) return grouped(static_cast<uint64_t>(*value));
  return toText(*value, unit);
}

std::string companionText(const TrafficRow& row) {
  return valueText(row.companion, row.unit, row.companionIsUncertain);
}

std::string mainText(const TrafficRow& row) {
  return valueText(row.main, row.unit, row.mainIsUncertain);
}

std::string comparisonText(const TrafficRow& row) {
  if (!row.comparable || !row.companion || !row.main || row.unit == Unit::ratio) return {};
  const FactorWords& words = row.unit == Unit::bytes ? kLessOrMore : kFewerOrMore;
  if (*row.main == 0 && *row.companion == 0) return words.same;
  if (*row.main == 0 || *row.companion == 0) return {};
  return factorText(*row.main, *row.companion, words);
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
  // m, n, k in this order; other names in their own.
  std::vector<std::string> names;
  for (const char* name : {"m", "n", "k"})
    if (sizes.contains(name)) names.emplace_back(name);
  for (const auto& [name, value] : sizes)
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  for (const std::string& name : names) {
    if (same)
      text += name + " = ";
    else
      text += (text.empty() ? "" : ", ") + name + " = " + std::to_string(sizes.at(name));
  }
  return same ? text + std::to_string(first) : text;
}

std::string countedText(const TracedKernel& kernel) {
  return std::string("counted by the interpreter, ") +
         (kernel.result->blockAlone ? "the traced block of " : "the whole launch of ") +
         kernel.shortName + ", " + sizesText(kernel.result->plan.sizes);
}

}  // namespace tilestep::model
