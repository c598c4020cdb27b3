// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "features/footprint/access_counts.h"
#include "features/footprint/memory_line.h"
#include "features/names.h"
#include "metrics/coalescing.h"
#include "model/scene/traced_kernel.h"

namespace tilestep::features {

/// One recorded warp instruction that accesses global memory.
struct GlobalRequest {
  uint32_t event = 0;  ///< In the recording.
  uint32_t warp = 0;
  uint32_t line = 0;  ///< Source line; 0: unknown.
  AccessKind kind = AccessKind::load;
  int16_t buffer = -1;  ///< Operand index, or -1.
  uint8_t width = 0;    ///< Bytes that each lane requests.
  uint32_t lanes = 0;   ///< Lanes that request.
  AccessCounts counts;
};

/// An element of an operand that lanes of the block request.
struct AskedElement {
  uint64_t index = 0;  ///< Index in the operand, in memory order.
  uint32_t warp = 0;   ///< The first warp that requests it.
  size_t request = 0;  ///< The first request: an index of Footprint::requests.
};

/// A sector of which the block requests at least one byte.
struct MovedSector {
  uint64_t index = 0;  ///< Its byte offset in the operand / 32.
  size_t request = 0;  ///< The first request that moves it.
};

/// The accesses of the block to one operand.
struct OperandFootprint {
  int16_t buffer = -1;
  std::string name;           ///< "M"
  uint32_t elementBytes = 4;  ///< Divides 32.
  uint64_t elements = 0;      ///< Number of elements of the operand.
  /// Elements per row; 0 for an array, and if rows are so short (structures, for example) that the
  /// operand is drawn as lines of memory.
  uint64_t columns = 0;
  std::vector<AskedElement> asked;  ///< Ascending.
  std::vector<MovedSector> moved;   ///< Ascending.
};

/// All requests of a block to global memory. Derived from the recorded offsets alone, which also
/// determine sectors and lines, because each operand begins at a multiple of 512 bytes. Immutable.
struct Footprint {
  std::vector<GlobalRequest> requests;     ///< In recorded order.
  std::vector<OperandFootprint> operands;  ///< In order of first access.
  CountsByKind whole;                      ///< Counts of all requests.
  uint64_t mostLines = 0;                  ///< The most lines that a request accesses.

  [[nodiscard]] const OperandFootprint* find(int16_t buffer) const;
  /// The last request at or before an event; absent if there is none.
  [[nodiscard]] std::optional<size_t> lastAt(uint32_t event) const;
  /// The counts of the first `requests` requests.
  [[nodiscard]] CountsByKind countsOf(size_t requests) const;
};
[[nodiscard]] Footprint footprintOf(const TracedKernel& kernel);

/// One request in full.
struct RequestPicture {
  GlobalRequest request;
  std::string name;                ///< The operand's.
  std::vector<LaneBytes> lanes;    ///< Ascending by lane.
  metrics::Coalescing coalescing;  ///< The sectors that contain their bytes.
  std::vector<MemoryLine> lines;   ///< Ascending.
};
[[nodiscard]] RequestPicture pictureOf(const TracedKernel& kernel, const GlobalRequest& request);

/// "M[2][5]" for a byte offset into an operand; "A[37]" if it has no rows.
[[nodiscard]] std::string globalName(const TracedKernel& kernel, int16_t buffer, uint64_t offset);

/// "loads", "stores", "atomics"
[[nodiscard]] const char* nameOf(AccessKind kind);

/// A request in a sentence or two: the lanes, their bytes, and what moves.
[[nodiscard]] std::string requestSentence(const RequestPicture& picture);

}  // namespace tilestep::features
