// SPDX-License-Identifier: Apache-2.0
// Encodes a recording as columns for messages and files; decodes and checks the columns.
#include <bit>
#include <cstring>
#include <optional>
#include <string_view>

#include "base/bytes.h"
#include "trace/block_trace.h"
#include "trace/column_table.h"

namespace tilestep::trace {
namespace {

constexpr uint32_t kMaxThreads = 1024;  ///< CUDA's limit per block.
constexpr uint32_t kWarpSize = 32;
constexpr uint8_t kMaxWidth = 32;  ///< Bytes of the widest vector that a lane moves.

Error damaged(const std::string& what) {
  return workError("the trace is damaged: " + what);
}

std::vector<std::byte> headOf(const BlockTrace& recording) {
  ByteWriter head;
  for (const Dim3& d : {recording.block, recording.blockShape}) {
    head.put(d.x);
    head.put(d.y);
    head.put(d.z);
  }
  head.put(recording.accumulators);
  head.put(static_cast<uint8_t>(recording.uneven));
  head.put(static_cast<uint8_t>(recording.truncated()));
  head.putText(recording.device);
  return head.take();
}

std::vector<std::byte> sharedOf(const BlockTrace& recording) {
  ByteWriter shared;
  for (const SharedArray& array : recording.sharedArrays) {
    shared.putText(array.name);
    shared.put(array.offset);
    shared.put(array.bytes);
    shared.put(array.columns);
  }
  return shared.take();
}

std::optional<Dim3> readDim3(ByteReader& reader) {
  const auto x = reader.get<uint32_t>(), y = reader.get<uint32_t>(), z = reader.get<uint32_t>();
  if (!x || !y || !z) return std::nullopt;
  return Dim3{*x, *y, *z};
}

bool readHead(ByteReader reader, BlockTrace& recording, bool& truncated) {
  const auto block = readDim3(reader), shape = readDim3(reader);
  const auto accumulators = reader.get<uint32_t>();
  const auto uneven = reader.get<uint8_t>(), cut = reader.get<uint8_t>();
  const auto device = reader.getText();
  if (!device || reader.left() != 0 || *uneven > 1 || *cut > 1) return false;
  recording.block = *block;
  recording.blockShape = *shape;
  recording.accumulators = *accumulators;
  recording.uneven = *uneven != 0;
  recording.device = std::string(*device);
  truncated = *cut != 0;
  return true;
}

bool readShared(ByteReader reader, std::vector<SharedArray>& arrays) {
  while (reader.left() > 0) {
    const auto name = reader.getText();
    const auto offset = reader.get<uint32_t>(), bytes = reader.get<uint32_t>();
    const auto columns = reader.get<uint32_t>();
    if (!name || !columns) return false;
    arrays.push_back({std::string(*name), *offset, *bytes, *columns});
  }
  return true;
}

using Pairs = std::vector<std::pair<uint32_t, uint32_t>>;

bool readPairs(const std::vector<uint32_t>& values, Pairs& pairs) {
  if (values.size() % 2 != 0) return false;
  for (size_t i = 0; i < values.size(); i += 2) pairs.emplace_back(values[i], values[i + 1]);
  return true;
}

uint64_t threadsOf(const Dim3& shape) {
  if (shape.x > kMaxThreads || shape.y > kMaxThreads || shape.z > kMaxThreads) return 0;
  return shape.count() <= kMaxThreads ? shape.count() : 0;
}

/// The lanes of a warp that are threads of the block.
uint32_t lanesOf(uint64_t threads, uint32_t warp) {
  const uint64_t first = uint64_t{warp} * kWarpSize;
  if (first >= threads) return 0;
  const uint64_t count = threads - first;
  return count >= kWarpSize ? 0xffffffffU : (1U << count) - 1;
}

/// The first invalid value among the scalars of an event; empty if there is none.
std::string_view flawOf(const TraceEvent& event, const BlockTrace& recording, uint64_t threads) {
  if (event.operation > Operation::arrive) return "an unknown operation";
  if (event.space > Space::constant) return "an unknown space";
  if (event.width > kMaxWidth) return "a width beyond 32 bytes";
  if (event.mask & ~lanesOf(threads, event.warp)) return "lanes outside the block";
  if (event.buffer < -1) return "a buffer below -1";
  if (event.buffer < 0) return {};
  const auto buffer = static_cast<uint32_t>(event.buffer);
  if (event.operation == Operation::accumulate) {
    return buffer < recording.accumulators ? std::string_view{} : "an unknown accumulator";
  }
  const bool shared = event.space == Space::shared;
  return shared && buffer >= recording.sharedArrays.size() ? "an unknown shared array"
                                                           : std::string_view{};
}

/// Whether a column of `size` entries contains `count` entries from `start`, or `start` is `none`,
/// which means that there are no entries.
bool spanFits(uint32_t start, uint64_t count, size_t size, uint32_t none) {
  return start == none || (start <= size && count <= size - start);
}

}  // namespace

std::vector<BlockTrace::Column> BlockTrace::columns() const {
  const auto flat = [](const Pairs& pairs) {
    std::vector<uint32_t> values;
    values.reserve(pairs.size() * 2);
    for (const auto& [first, second] : pairs) values.insert(values.end(), {first, second});
    return values;
  };
  const auto column = [](const char* name, const auto& values) {
    return Column{name, toColumn(std::span(values.data(), values.size()))};
  };
  return {Column{"head", headOf(*this)},   Column{"shared", sharedOf(*this)},
          column("feeds", flat(feeds)),    column("sumStores", flat(sumStores)),
          column("epoch", epoch_),         column("warp", warp_),
          column("sequence", sequence_),   column("instruction", instruction_),
          column("line", line_),           column("mask", mask_),
          column("laneStart", laneStart_), column("valueStart", valueStart_),
          column("operation", operation_), column("space", space_),
          column("width", width_),         column("buffer", buffer_),
          column("clock", clock_),         column("offsets", offsets_),
          Column{"values", values_}};
}

Result<BlockTrace> BlockTrace::fromColumns(const std::vector<Column>& columns) {
  BlockTrace r;
  ColumnTable table(columns, "trace");
  std::vector<std::byte> head, shared;
  std::vector<uint32_t> feeds, sumStores;
  table.read("head", head);
  table.read("shared", shared);
  table.read("feeds", feeds);
  table.read("sumStores", sumStores);
  table.read("epoch", r.epoch_);
  const size_t n = r.epoch_.size();
  table.read("warp", r.warp_, n);
  table.read("sequence", r.sequence_, n);
  table.read("instruction", r.instruction_, n);
  table.read("line", r.line_, n);
  table.read("mask", r.mask_, n);
  table.read("laneStart", r.laneStart_, n);
  table.read("valueStart", r.valueStart_, n);
  table.read("operation", r.operation_, n);
  table.read("space", r.space_, n);
  table.read("width", r.width_, n);
  table.read("buffer", r.buffer_, n);
  table.read("clock", r.clock_, n);
  table.read("offsets", r.offsets_);
  table.read("values", r.values_);
  if (table.error()) return *table.error();
  if (!readHead(ByteReader(head), r, r.truncated_)) return damaged("its head does not parse");
  if (!readShared(ByteReader(shared), r.sharedArrays)) {
    return damaged("its list of shared arrays does not parse");
  }
  if (!readPairs(feeds, r.feeds)) return damaged("column feeds holds half a pair");
  if (!readPairs(sumStores, r.sumStores)) return damaged("column sumStores holds half a pair");
  for (const auto& [accumulator, store] : r.sumStores)
    if (accumulator >= r.accumulators)
      return damaged("column sumStores has an unknown accumulator");
  const uint64_t threads = threadsOf(r.blockShape);
  if (threads == 0) return damaged("its block has no threads or more than 1024");
  for (size_t i = 0; i < n; ++i) {
    const auto lanes = static_cast<uint64_t>(std::popcount(r.mask_[i]));
    const auto has = [i](std::string_view flaw) {
      return damaged("event " + std::to_string(i) + " has " + std::string(flaw));
    };
    // Check the spans first, because event() relies on them.
    if (!spanFits(r.laneStart_[i], lanes, r.offsets_.size(), kNoLanes)) {
      return has("offsets outside their column");
    }
    if (!spanFits(r.valueStart_[i], lanes * r.width_[i], r.values_.size(), kNoLanes)) {
      return has("values outside their column");
    }
    if (const auto flaw = flawOf(r.event(i), r, threads); !flaw.empty()) return has(flaw);
  }
  r.finish();
  return r;
}

}  // namespace tilestep::trace
