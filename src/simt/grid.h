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
  std::string name;    ///< For people.
  std::string symbol;  ///< Its module variable; empty if a parameter points to it.
  uint8_t* host = nullptr;
  uint64_t bytes = 0;
  uint8_t* shadow = nullptr;  ///< `bytes` bytes, set to 1 when written; null: not requested.
  bool writable = true;       ///< False: stores are skipped, and each is the fault "read-only".
  /// For messages: elements per row if it is a matrix, and the bytes of one; else 0.
  uint64_t columns = 0;
  uint32_t elementBytes = 0;
  /// Its address, a multiple of 32 and in its own cells (machine.h). 0 for all buffers of a launch:
  /// each at its addressOf.
  uint64_t address = 0;
  /// A variable that already contains the addresses of its first value, or newer values.
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
  bool onlyThisBlock = false;  ///< Other blocks run only while it waits for them ...
  bool alone = false;  ///< ... or, with this, never: it is an Error if the block then waits.
  /// Names and places to use; empty: the program's variables.
  std::vector<trace::SharedArray> sharedArrays;
  /// A part of a buffer that the trace treats as a separate buffer.
  struct View {
    size_t buffer = 0;  ///< In the request.
    uint64_t offset = 0, bytes = 0;
    int16_t number = 0;  ///< In the trace.
  };
  /// If two overlap, the first counts. Absent: the request's buffers are used unchanged.
  std::optional<std::vector<View>> views;
};

constexpr uint64_t kFewResident = uint64_t{1} << 63;

/// One kernel launch, prepared by the caller.
struct GridRequest {
  const ptx::Module* module = nullptr;  ///< Must outlive the call.
  /// The assembler's data: a launch that needs too many registers is rejected. May be null.
  const ptx::Assembled* assembled = nullptr;
  Launch launch;
  std::vector<Buffer> buffers;
  std::vector<uint64_t> parameters;  ///< Values in parameter order: addresses and scalars' bits.
  std::map<size_t, std::vector<uint8_t>> structures;  ///< By parameter: those of more bytes.
  bool counters = false;
  std::optional<TraceOptions> trace;
  /// Look for hazards and for reads of unwritten memory.
  bool check = false;
  /// Names and shapes of shared arrays, for display; empty: the program's variables.
  std::vector<trace::SharedArray> sharedArrays;
  /// If not 0: blocks and warps, and lanes at atomic operations, take turns in another order. From
  /// kFewResident on, blocks begin in their usual order, and only one, two or three are resident at
  /// once.
  uint64_t order = 0;
  unsigned threads = 1;
  double timeoutSeconds = 60;  ///< For all of the work, including that before the launch.
  double spentSeconds = 0;     ///< The part of it that was used up before the launch.
  /// The most instructions that all warps together may execute; 0: no limit. Exceeding it is the
  /// fault "instruction-limit", or "waits-too-long" in a program with a loop that may wait for
  /// other threads, because it may still end. It is checked after each turn of a warp.
  uint64_t mostInstructions = 0;
  /// Called every few milliseconds with the share of blocks that ended, on the calling thread.
  std::function<void(double fraction)> progress;
  /// Whether something outside the launch, such as the host, may still write to memory for which
  /// threads wait: then waiting is not a deadlock. Called from any thread; empty: nothing does.
  std::function<bool()> othersMayWrite;
  const Engine* engine = nullptr;  ///< Null: the best one.
  /// The values of module variables that have no buffer; empty: as declared. Afterwards the values
  /// after the launch, for the next launch of the same module. May be null.
  std::vector<std::vector<uint8_t>>* variables = nullptr;
};

/// One printf of one thread.
struct Printed {
  Dim3 block{0, 0, 0};
  Dim3 thread{0, 0, 0};
  uint32_t line = 0;  ///< 0: not known.
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
  std::vector<Fault> faults;  ///< One per kind and source line.
  /// With `check`: one per kind, space and pair of source lines.
  std::vector<Hazard> hazards;
  /// With `check`: lines at which threads wrote equal values to one place of global memory without
  /// an order, ascending.
  std::vector<uint32_t> equalWriteLines;
  std::vector<LineRequests> requests;  ///< With `check`, in the order of the lines.
  SharedUse sharedUse;                 ///< With `check`.
  /// In the order of blocks, then warps, then time within a warp; at most kMostPrinted pieces.
  std::vector<Printed> printed;
  bool printedAll = true;    ///< False: there was more output.
  uint32_t sharedBytes = 0;  ///< Static and dynamic, per block.
  uint32_t localBytes = 0;   ///< Per thread.
};

/// Runs a grid. Mistakes of the program are in GridResult::faults, and the launch then ends early.
/// An Error means that it could not run at all or was cancelled. Without races and waiting loops
/// (whose iterations are counted), nothing depends on the number of threads or on the order.
Result<GridResult> runGrid(const GridRequest& request, const std::function<bool()>& cancelled);

}  // namespace tilestep::simt
