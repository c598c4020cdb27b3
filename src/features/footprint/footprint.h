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
  uint32_t event = 0;  ///< Index in the recording.
  uint32_t warp = 0;
  uint32_t line = 0;  ///< Source line; 0 if unknown.
  AccessKind kind = AccessKind::load;
  int16_t buffer = -1;  ///< Operand index, or -1 for memory that is not an operand.
  uint8_t width = 0;    ///< Bytes that each lane requests.
  uint32_t lanes = 0;   ///< Number of lanes that take part.
  AccessCounts counts;
};

/// An element of an operand that lanes of the block request.
struct AskedElement {
  uint64_t index = 0;  ///< Index in the operand, in memory order.
  uint32_t warp = 0;   ///< The first warp that requests it.
  size_t request = 0;  ///< Its first request, an index of Footprint::requests.
};

/// A sector of which the block requests at least one byte.
struct MovedSector {
  uint64_t index = 0;  ///< Byte offset in the operand / 32.
  size_t request = 0;  ///< The first request that moves it.
};

/// The block's accesses to one operand.
struct OperandFootprint {
  int16_t buffer = -1;
  std::string name;           ///< "M"
  uint32_t elementBytes = 4;  ///< Divides 32.
  uint64_t elements = 0;      ///< Number of elements of the operand.
  /// Elements per row; 0 for an array, and for rows so short (of structures, for example) that the
  /// operand is drawn as lines of memory.
  uint64_t columns = 0;
  std::vector<AskedElement> asked;  ///< Ascending.
  std::vector<MovedSector> moved;   ///< Ascending.
};

/// All requests of a block to global memory, derived only from the recorded offsets. Each operand
/// begins at a multiple of 512 bytes, so offsets also determine sectors and lines. Immutable.
struct Footprint {
  std::vector<GlobalRequest> requests;     ///< In recorded order.
  std::vector<OperandFootprint> operands;  ///< In order of first access.
  CountsByKind whole;                      ///< Counts of all requests.
  uint64_t mostLines = 0;                  ///< The largest number of lines of one request.

  [[nodiscard]] const OperandFootprint* find(int16_t buffer) const;
  /// The last request at or before an event; absent if there is no such request.
  [[nodiscard]] std::optional<size_t> lastAt(uint32_t event) const;
  /// The counts of the first `requests` requests.
  [[nodiscard]] CountsByKind countsOf(size_t requests) const;
};
[[nodiscard]] Footprint footprintOf(const TracedKernel& kernel);

/// A request with its lanes, sectors and lines.
struct RequestPicture {
  GlobalRequest request;
  std::string name;                ///< The operand's name.
  std::vector<LaneBytes> lanes;    ///< Ascending by lane.
  metrics::Coalescing coalescing;  ///< The sectors that contain the lanes' bytes.
  std::vector<MemoryLine> lines;   ///< Ascending.
};
[[nodiscard]] RequestPicture pictureOf(const TracedKernel& kernel, const GlobalRequest& request);

/// "M[2][5]" for a byte offset in an operand; "A[37]" if the operand has no rows.
[[nodiscard]] std::string globalName(const TracedKernel& kernel, int16_t buffer, uint64_t offset);

/// "loads", "stores", "atomics"
[[nodiscard]] const char* nameOf(AccessKind kind);

/// Describes a request in one or two sentences: the lanes, their bytes, and the moved sectors.
[[nodiscard]] std::string requestSentence(const RequestPicture& picture);

}  // namespace tilestep::features
