// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/launch_memory.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "ptx/ir.h"

namespace tilestep::cuda {
namespace {

bool isZero(const device::MemoryRange& range) {
  return std::ranges::all_of(range.contents, [](const auto& block) { return block == nullptr; });
}

}  // namespace

Result<LaunchMemory> LaunchMemory::make(const ContextPtr& context,
                                        std::shared_ptr<const device::CapturedLaunch> launch,
                                        const device::Stop& stop) {
  LaunchMemory made;
  made.context_ = context;
  made.launch_ = std::move(launch);
  for (const device::MemoryRange& range : made.launch_->ranges) {
    Piece& piece = made.pieces_.emplace_back();
    piece.range = &range;
    if (range.symbol.empty()) {
      Result<PlacedMemory> placed = PlacedMemory::make(context, range.address, range.bytes);
      if (!placed) return placed.error();
      piece.placed = std::make_unique<PlacedMemory>(std::move(*placed));
      piece.address = range.address;
    }
    if (Status s = made.fill(piece, stop); !s) return s.error();
  }
  return made;
}

uint64_t LaunchMemory::bytesOf(const device::CapturedLaunch& launch) {
  return 2 * launch.memoryBytes();
}

// Copies piece by piece, so that the host needs no buffer for the whole range.
Status LaunchMemory::fill(Piece& piece, const device::Stop& stop) const {
  const device::MemoryRange& range = *piece.range;
  if (isZero(range)) return {};
  Result<Memory> pristine = allocate(context_, range.bytes, range.name);
  if (!pristine) return pristine.error();
  piece.pristine = std::move(*pristine);
  constexpr uint64_t kPieceBytes = uint64_t{64} << 20;
  std::vector<std::byte> bytes(std::min(kPieceBytes, range.bytes));
  for (uint64_t at = 0; at < range.bytes; at += kPieceBytes) {
    if (stop()) return stop.why("filling the launch's memory");
    const uint64_t count = std::min(kPieceBytes, range.bytes - at);
    device::copyContents(range, at, count, bytes.data());
    if (Status s = copyToGpu(*context_, piece.pristine.get() + at, bytes.data(), count,
                             "Copying " + range.name + " to the GPU");
        !s)
      return s;
  }
  return {};
}

Status LaunchMemory::bind(const LoadedModule& module) {
  for (Piece& piece : pieces_) {
    if (piece.placed) continue;
    size_t bytes = 0;
    const ApiResult found = context_->api().moduleGetGlobal(&piece.address, &bytes, module.get(),
                                                            piece.range->symbol.c_str());
    if (found != kSuccess || bytes < piece.range->bytes) piece.address = 0;
  }
  // A variable's address in a parameter is the interpreter's, so it is replaced by the GPU's.
  parameters_ = launch_->parameters;
  for (size_t at = 0; at + sizeof(uint64_t) <= parameters_.size(); at += sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, parameters_.data() + at, sizeof word);
    const auto variable = std::ranges::find_if(pieces_, [&](const Piece& piece) {
      return !piece.placed && piece.address != 0 && piece.range->holds(word);
    });
    if (variable == pieces_.end()) continue;
    word = variable->address + (word - variable->range->address);
    std::memcpy(parameters_.data() + at, &word, sizeof word);
  }
  return {};
}

Status LaunchMemory::restore(StreamHandle stream, bool onlyWritten) const {
  for (const Piece& piece : pieces_) {
    const device::MemoryRange& range = *piece.range;
    if (piece.address == 0 || range.bytes == 0) continue;
    if (onlyWritten && launch_->knowsAccesses && range.written.empty()) continue;
    const ApiResult done =
        piece.pristine.get() != 0
            ? context_->api().memcpyDtoDAsync(piece.address, piece.pristine.get(), range.bytes,
                                              stream)
            : context_->api().memsetD8Async(piece.address, 0, range.bytes, stream);
    if (Status s = context_->check(done, "Restoring " + range.name); !s) return s;
  }
  return {};
}

std::vector<void*> LaunchMemory::parameters() {
  std::vector<void*> pointers;
  const ptx::Function& entry = *launch_->module->find(launch_->launch.entry);
  for (const ptx::Parameter& parameter : entry.parameters)
    pointers.push_back(parameters_.data() + parameter.offset);
  return pointers;
}

}  // namespace tilestep::cuda
