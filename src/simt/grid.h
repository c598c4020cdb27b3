// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/launch.h"
#include "base/result.h"
#include "ptx/assembled.h"
#include "simt/check/hazards.h"
#include "simt/fault.h"
#include "simt/program.h"
#include "trace/block_trace.h"
#include "trace/branch_lines.h"
#include "trace/counters.h"

namespace tilestep::simt {

/// A range of global memory, not owned.
struct Buffer {
  std::string name;    ///< For messages.
  std::string symbol;  ///< The module variable that it holds; empty if a parameter points to it.
  uint8_t* host = nullptr;
  uint64_t bytes = 0;
  uint8_t* shadow = nullptr;  ///< `bytes` bytes, set to 1 when written; null if not requested.
  bool writable = true;       ///< If false, each store is skipped and is the fault "read-only".
  /// For messages: elements per row of a matrix (else 0) and bytes per element (0 if unknown).
  uint64_t columns = 0;
  uint32_t elementBytes = 0;
  /// The virtual address, a multiple of 32. No two buffers share a cell (kCellBits). If it is 0 for
  /// all buffers of a launch, each is at its addressOf.
  uint64_t address = 0;
  /// The variable's initial pointers are already in place, or it already holds newer values.
  bool isLinked = false;
  ByteUse use = {};  ///< With the request's `check`: records which bytes the launch uses.
};
/// 2^44 + buffer * 2^36
[[nodiscard]] uint64_t addressOf(size_t buffer);

constexpr size_t kMostPrinted = 10000;
constexpr size_t kMostPrintedBytes = 1 << 20;

struct TraceOptions {
  Dim3 block{0, 0, 0};
  size_t capBytes = trace::BlockTrace::kDefaultCap;
  bool onlyThisBlock = false;  ///< Other blocks run only while it waits for them.
  /// Other blocks never run; if the block waits for them, the result is an Error.
  bool alone = false;
  /// The names and offsets to record; empty means the program's variables.
  std::vector<trace::SharedArray> sharedArrays;
  /// A part of a buffer that the trace treats as a separate buffer.
  struct View {
    size_t buffer = 0;  ///< Index in the request.
    uint64_t offset = 0, bytes = 0;
    int16_t number = 0;  ///< Buffer number in the trace.
  };
  /// If views overlap, the first one counts. If absent, the request's buffers are used unchanged.
  std::optional<std::vector<View>> views;
};

constexpr uint64_t kFewResident = uint64_t{1} << 63;

struct GridRequest {
  const ptx::Module* module = nullptr;  ///< Must outlive the call.
  /// The assembler's data, by which launches that need too many registers are rejected. May be
  /// null.
  const ptx::Assembled* assembled = nullptr;
  Launch launch;
  std::vector<Buffer> buffers;
  std::vector<uint64_t> parameters;  ///< Addresses and the bits of scalars, in parameter order.
  /// By parameter index, those of more than 8 bytes.
  std::map<size_t, std::vector<uint8_t>> structures;
  bool counters = false;
  std::optional<TraceOptions> trace;
  bool check = false;  ///< Search for hazards and for reads of unwritten memory.
  /// Names and shapes of shared arrays, for display; empty means the program's variables.
  std::vector<trace::SharedArray> sharedArrays;
  /// If this is not 0, it selects another order in which blocks, warps, and lanes at atomic
  /// operations take turns. From kFewResident on, blocks begin in their usual order, but only one,
  /// two or three of them are resident at once.
  uint64_t order = 0;
  unsigned threads = 1;
  double timeoutSeconds = 60;  ///< Includes the work before the launch.
  double spentSeconds = 0;     ///< The part of the time used before the launch.
  /// The most instructions that all warps together may execute; 0 means no limit. Exceeding it is
  /// the fault "instruction-limit". In a program with a loop that may wait for other threads, the
  /// fault is "waits-too-long", because such a program may still end. Checked after each turn of a
  /// warp.
  uint64_t mostInstructions = 0;
  /// Called every few milliseconds on the calling thread, with the share of blocks that have ended.
  std::function<void(double fraction)> progress;
  /// Returns true if something outside the launch, such as the host, may still write to memory for
  /// which threads wait, so waiting is not a deadlock. Called from any thread. Empty means never.
  std::function<bool()> othersMayWrite;
  const Engine* engine = nullptr;  ///< Null means the best one.
  /// Before the launch, the values of module variables without a buffer, or empty for the declared
  /// values; afterwards, their values for the module's next launch. May be null.
  std::vector<std::vector<uint8_t>>* variables = nullptr;
};

struct Printed {
  Dim3 block{0, 0, 0};
  Dim3 thread{0, 0, 0};
  uint32_t line = 0;  ///< 0 if unknown.
  std::string text;
};

/// With `check`: the cost of a line's requests, separately for loads and stores, for each element
/// size and each range of memory. Excludes atomic operations.
struct LineRequests {
  uint32_t line = 0;
  bool isStore = false;
  uint32_t elementBytes = 0;
  RequestUse use;
};

struct GridResult {
  std::optional<trace::GridCounters> counters;
  trace::BranchLines branches;  ///< With `counters`.
  std::optional<trace::BlockTrace> trace;
  std::vector<Fault> faults;    ///< One per kind and source line.
  std::vector<Hazard> hazards;  ///< With `check`: one per kind, space and pair of source lines.
  /// With `check`: lines, ascending, at which unordered threads wrote equal values to one address.
  std::vector<uint32_t> equalWriteLines;
  std::vector<LineRequests> requests;  ///< With `check`, by ascending line.
  SharedUse sharedUse;                 ///< With `check`.
  /// In the order of blocks, then warps, then time within a warp; at most kMostPrinted pieces.
  std::vector<Printed> printed;
  bool printedAll = true;    ///< False if there was more output.
  uint32_t sharedBytes = 0;  ///< Static and dynamic, per block.
  uint32_t localBytes = 0;   ///< Per thread.
};

/// Runs a grid. A mistake of the program ends the launch and is in GridResult::faults. An Error
/// means that the launch could not start or was cancelled. The result depends on the number of host
/// threads and on the order only if the program has races or loops that wait.
Result<GridResult> runGrid(const GridRequest& request, const std::function<bool()>& cancelled);

}  // namespace tilestep::simt
