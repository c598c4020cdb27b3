// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/trace/traced_memory.h"

#include <algorithm>

#include "simt/program.h"

namespace tilestep::cuda {
namespace {

/// Size of the window of generic addresses that refer to shared memory.
constexpr uint64_t kWindowBytes = uint64_t{1} << 24;

}  // namespace

TracedMemory::TracedMemory(const TracedLaunch& traced, const ptx::TraceLog& log,
                           const std::vector<uint64_t>& addresses)
    : window_(addresses.front()), pieces_(traced.operands), arrays_(traced.sharedArrays) {
  const simt::Symbols symbols(*traced.module, *traced.entry, {});
  sharedBytes_ = symbols.sharedBytes + traced.launch.dynamicSharedBytes;
  const auto named = simt::recordedArrays(symbols.shared, sharedBytes_);
  for (size_t i = 0; i < log.shared.size(); ++i) {
    for (size_t k = 0; k < symbols.shared.size(); ++k) {
      if (symbols.shared[k].name != log.shared[i]) continue;
      variables_.push_back({addresses[1 + i], named[k].offset, named[k].bytes});
    }
  }
  if (arrays_.empty()) arrays_ = named;
  for (size_t i = 0; i < log.globals.size(); ++i) {
    const auto variable =
        std::find_if(traced.module->variables.begin(), traced.module->variables.end(),
                     [&](const ptx::Variable& v) { return v.name == log.globals[i]; });
    if (variable == traced.module->variables.end()) continue;
    pieces_.push_back({addresses[1 + log.shared.size() + i], variable->bytes(), -1});
  }
}

// Maps an address beyond every variable relative to the nearest variable below it.
TracedMemory::Place TracedMemory::locateShared(uint64_t address, uint32_t bytes) const {
  const Variable* nearest = nullptr;
  for (const Variable& variable : variables_) {
    if (variable.at > address) continue;
    if (nearest == nullptr || variable.at >= nearest->at) nearest = &variable;
  }
  uint64_t offset = address;
  if (nearest != nullptr) offset = nearest->offset + (address - nearest->at);
  if (offset + bytes > sharedBytes_) return {};
  const trace::SharedPlace place = trace::placeIn(arrays_, offset, bytes);
  return {trace::Space::shared, place.buffer, place.offset};
}

TracedMemory::Place TracedMemory::locate(ptx::Space space, uint64_t address, uint32_t bytes) const {
  if (space == ptx::Space::shared) return locateShared(address, bytes);
  if (space == ptx::Space::generic && address - window_ < kWindowBytes) {
    return locateShared(address - window_, bytes);
  }
  for (const GlobalPiece& piece : pieces_) {
    const uint64_t offset = address - piece.start;
    if (address < piece.start || offset >= piece.bytes || offset + bytes > piece.bytes) continue;
    return {trace::Space::global, piece.buffer, static_cast<uint32_t>(offset)};
  }
  return {};
}

}  // namespace tilestep::cuda
