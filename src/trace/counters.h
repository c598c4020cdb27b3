// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Exact counts of the program as written (PTX), for the whole grid, as defined in
/// docs/architecture/data-and-counts.md.
namespace tilestep::trace {

struct GlobalCounts {
  uint64_t threads = 0;        ///< Accesses by single lanes.
  uint64_t requests = 0;       ///< Warp instructions with at least one active lane.
  uint64_t sectors = 0;        ///< Distinct 32-byte sectors of each request, summed.
  uint64_t bytes = 0;          ///< Bytes that lanes request.
  uint64_t distinctBytes = 0;  ///< Distinct bytes of each request, summed.
  GlobalCounts& operator+=(const GlobalCounts& other);
  bool operator==(const GlobalCounts&) const = default;
};

struct SharedCounts {
  uint64_t requests = 0;
  uint64_t wavefronts = 0;     ///< Per request: the most distinct 4-byte words in one bank.
  uint64_t bankConflicts = 0;  ///< Wavefronts beyond ceil(distinct words / 32).
  bool operator==(const SharedCounts&) const = default;
};

struct Counters {
  GlobalCounts globalLoad, globalStore;
  SharedCounts sharedLoad, sharedStore;
  uint64_t barriers = 0;  ///< Warp-level bar.sync and bar.red executed.
  uint64_t ffma = 0;      ///< Thread-level f32 operations, by kind.
  uint64_t fadd = 0;
  uint64_t fmul = 0;
  uint64_t threadInstructions = 0;  ///< PTX instructions reached, even if their guard is false.
  /// Absent on a GPU, where ptxas decides reconvergence.
  std::optional<uint64_t> warpInstructions;
  std::optional<uint64_t> branches;  ///< Conditional branches, by warp instruction.
  std::optional<uint64_t> divergentBranches;

  /// A count that is absent in one operand is taken from the other, so adding Counters{} changes
  /// nothing. Do not add counters of devices that provide different counts.
  Counters& operator+=(const Counters& other);
  bool operator==(const Counters&) const = default;
};

/// Describes a counter. Messages, recordings, JSON, CSV and grading rules all use counterFields().
/// To add a counter, add a member above, its entry in counterFields(), and the code that counts it.
struct CounterField {
  const char* name;                         ///< "global_load_requests"
  uint64_t& (*plain)(Counters&) = nullptr;  ///< Null unless every device counts it.
  std::optional<uint64_t> Counters::*optional = nullptr;

  [[nodiscard]] std::optional<uint64_t> of(const Counters& counters) const;
  void set(Counters& counters, std::optional<uint64_t> value) const;
};
/// In the order in which reports list them.
[[nodiscard]] std::span<const CounterField> counterFields();

struct NamedCount {
  std::string name;
  uint64_t value = 0;
};
/// The counts that are present.
[[nodiscard]] std::vector<NamedCount> namedCounts(const Counters& counters);

struct GridCounters {
  static constexpr size_t kMaxEpochs = 4096;
  Counters total;
  /// Sums over blocks, by epoch. The last entry also holds all epochs beyond the cap.
  std::vector<Counters> epochs;
  bool epochsTruncated = false;
  bool operator==(const GridCounters&) const = default;
};

}  // namespace tilestep::trace
