// SPDX-License-Identifier: Apache-2.0
#include "lab/launch/values.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "lab/elements.h"

namespace tilestep::lab {
namespace {

using device::ByteSpan;
using device::MemoryRange;

/// Whether each element of `width` bytes was written completely. The first one is at `offset`.
std::vector<bool> writtenElements(const MemoryRange& range, uint64_t offset, uint64_t elements,
                                  unsigned width) {
  std::vector<bool> written(elements, false);
  const uint64_t end = offset + elements * width;
  for (const ByteSpan& span : range.written) {
    const uint64_t from = std::max(span.begin, offset), to = std::min(span.end, end);
    if (from >= to) continue;
    const uint64_t first = (from - offset + width - 1) / width, last = (to - offset) / width;
    for (uint64_t i = first; i < last; ++i) written[i] = true;
  }
  return written;
}

bool touches(const std::vector<ByteSpan>& spans, uint64_t begin, uint64_t end) {
  return std::ranges::any_of(
      spans, [&](const ByteSpan& span) { return span.begin < end && span.end > begin; });
}

}  // namespace

LaunchValues valuesOf(const device::CapturedLaunch& launch, const InferredLaunch& inferred,
                      const BytesAfter& after, uint64_t mostBytes) {
  LaunchValues made;
  made.operands = inferred.plan.operands;
  made.block = launch.launch.block;
  made.values.resize(made.operands.size());
  for (uint32_t i = 0; i < made.operands.size(); ++i) {
    const compile::ResolvedOperand& operand = made.operands[i];
    const View& view = inferred.views[i];
    const unsigned width = bytesOf(operand.spec.type);
    const uint64_t bytes = operand.elements * width;
    if (view.range < 0 || bytes == 0 || bytes > mostBytes) continue;
    const MemoryRange& range = launch.ranges[static_cast<size_t>(view.range)];
    const uint64_t end = view.offset + bytes;
    OperandValues& values = made.values[i];
    if (touches(range.read, view.offset, end)) {
      std::vector<std::byte> before(bytes);
      device::copyContents(range, view.offset, bytes, before.data());
      values.before = elementsAsDoubles(operand.spec.type, before);
    }
    if (!touches(range.written, view.offset, end)) continue;
    const std::span<const std::byte> now = after(i);
    if (now.size() != bytes) continue;
    values.after = elementsAsDoubles(operand.spec.type, now);
    values.written = writtenElements(range, view.offset, operand.elements, width);
  }
  return made;
}

}  // namespace tilestep::lab
