// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/operands.h"

#include <algorithm>
#include <set>
#include <string>

#include "device/parameter.h"

namespace tilestep::cuda {
namespace {

bool isOutput(const device::Operand& operand) {
  return operand.direction != Direction::in;
}

}  // namespace

Result<DevicePointer> FillCache::reserve(const ContextPtr& context, const device::Operand& operand,
                                         uint32_t index, uint64_t seed) {
  for (Entry& entry : entries_) {
    const device::Operand& kept = entry.operand;
    if (entry.index == index && entry.seed == seed && kept.elements == operand.elements &&
        kept.type == operand.type && kept.fill == operand.fill &&
        kept.contents == operand.contents) {
      entry.used = true;
      return entry.memory.get();
    }
  }
  Result<Memory> memory = allocate(context, operand.bytes(), "operand " + operand.name);
  if (!memory) return memory.error();
  entries_.push_back({operand, index, seed, std::move(*memory), true, false});
  return entries_.back().memory.get();
}

// Fills piece by piece, so that the host needs no buffer for a whole operand.
Status FillCache::fill(Context& context, const device::Stop& stop) {
  constexpr uint64_t kPieceBytes = uint64_t{64} << 20;
  std::vector<std::byte> piece;
  for (Entry& entry : entries_) {
    const uint64_t width = bytesOf(entry.operand.type), most = kPieceBytes / width;
    for (uint64_t at = 0; !entry.filled && at < entry.operand.elements; at += most) {
      if (stop()) return stop.why("filling the operands");
      const uint64_t count = std::min(most, entry.operand.elements - at);
      piece.resize(count * width);
      device::fillElements(entry.operand, entry.index, at, count, entry.seed, piece.data());
      if (Status s = copyToGpu(context, entry.memory.get() + at * width, piece.data(), piece.size(),
                               "Copying " + entry.operand.name + " to the GPU");
          !s) {
        return s;
      }
    }
    entry.filled = true;
  }
  return {};
}

void FillCache::startJob() {
  for (Entry& entry : entries_) entry.used = false;
}

void FillCache::keepUsed() {
  std::erase_if(entries_, [](const Entry& entry) { return !entry.used; });
}

Result<Operands> Operands::make(const ContextPtr& context, const device::Job& job, FillCache& cache,
                                const device::Stop& stop) {
  Operands made;
  made.context_ = context;
  if (job.captured != nullptr) {
    Result<LaunchMemory> memory = LaunchMemory::make(context, job.captured, stop);
    if (!memory) return memory.error();
    made.launch_ = std::make_unique<LaunchMemory>(std::move(*memory));
    for (const device::Operand& operand : job.operands)
      made.slots_.emplace_back().operand = &operand;
    return made;
  }
  for (uint32_t i = 0; i < job.operands.size(); ++i) {
    const device::Operand& operand = job.operands[i];
    Slot slot;
    slot.operand = &operand;
    if (operand.kind == OperandKind::scalar) {
      slot.scalar = device::scalarBits(operand.type, operand.scalar);
    } else if (operand.direction != Direction::out) {
      Result<DevicePointer> pristine = cache.reserve(context, operand, i, job.seed);
      if (!pristine) return pristine.error();
      slot.pristine = *pristine;
    }
    if (operand.kind == OperandKind::buffer) {
      Result<Memory> memory = allocate(context, operand.bytes(), "operand " + operand.name);
      if (!memory) return memory.error();
      slot.memory = std::move(*memory);
      slot.address = slot.memory.get();
    }
    made.slots_.push_back(std::move(slot));
  }
  std::set<std::string> symbols;
  for (const device::Operand& operand : job.operands) {
    if (operand.kind == OperandKind::symbol) symbols.insert(operand.name);
  }
  made.variables_ = ModuleVariables::of(job.module, symbols);
  // Filling takes a while, so it starts only after all memory is allocated.
  if (Status s = cache.fill(*context, stop); !s) return s.error();
  return made;
}

uint64_t Operands::bytesOf(const device::Job& job) {
  if (job.captured != nullptr) return LaunchMemory::bytesOf(*job.captured);
  uint64_t bytes = 0;
  for (const device::Operand& operand : job.operands) {
    if (operand.kind == OperandKind::scalar) continue;
    const int copies =
        (operand.kind == OperandKind::buffer) + (operand.direction != Direction::out);
    bytes += static_cast<uint64_t>(copies) * operand.bytes();
  }
  return bytes;
}

Status Operands::bind(const LoadedModule& module) {
  if (launch_) {
    if (Status s = launch_->bind(module); !s) return s;
    for (Slot& slot : slots_) {
      if (slot.operand->range < 0) continue;
      const DevicePointer range = launch_->addressOf(static_cast<size_t>(slot.operand->range));
      slot.address = range == 0 ? 0 : range + slot.operand->rangeOffset;
    }
    return {};
  }
  for (Slot& slot : slots_) {
    if (slot.operand->kind != OperandKind::symbol) continue;
    size_t bytes = 0;
    if (Status s =
            context_->check(context_->api().moduleGetGlobal(&slot.address, &bytes, module.get(),
                                                            slot.operand->name.c_str()),
                            "Looking for the symbol " + slot.operand->name);
        !s) {
      return s;
    }
    if (bytes < slot.operand->bytes()) {
      return requestError("The symbol " + slot.operand->name + " has " + std::to_string(bytes) +
                          " bytes, but its operand needs " + std::to_string(slot.operand->bytes()) +
                          ".");
    }
  }
  return variables_.bind(context_, module);
}

Status Operands::restore(const Slot& slot, StreamHandle stream) const {
  return context_->check(
      context_->api().memcpyDtoDAsync(slot.address, slot.pristine, slot.operand->bytes(), stream),
      "Restoring " + slot.operand->name);
}

Status Operands::prepare(StreamHandle stream, std::byte poison) {
  if (launch_) return launch_->restore(stream, false);
  for (const Slot& slot : slots_) {
    if (slot.operand->kind == OperandKind::scalar || slot.operand->elements == 0) continue;
    const Status done = slot.pristine != 0
                            ? restore(slot, stream)
                            : context_->check(context_->api().memsetD8Async(
                                                  slot.address, static_cast<unsigned char>(poison),
                                                  slot.operand->bytes(), stream),
                                              "Poisoning " + slot.operand->name);
    if (!done) return done;
  }
  return variables_.restore(*context_, stream);
}

Status Operands::restoreInout(StreamHandle stream) {
  if (launch_) return launch_->restore(stream, true);
  for (const Slot& slot : slots_) {
    if (slot.operand->direction != Direction::inout || slot.operand->elements == 0) continue;
    if (Status done = restore(slot, stream); !done) return done;
  }
  return {};
}

bool Operands::hasInout() const {
  return std::any_of(slots_.begin(), slots_.end(),
                     [](const Slot& slot) { return slot.operand->direction == Direction::inout; });
}

std::vector<void*> Operands::parameters() {
  if (launch_) return launch_->parameters();
  std::vector<void*> pointers;
  for (Slot& slot : slots_) {
    if (!slot.operand->fields.empty()) {
      // Changed in place, because earlier callers still point to it.
      const auto bytes =
          device::structureOf(*slot.operand, [this](size_t i) { return addressOf(i); });
      slot.structure.resize(bytes.size());
      std::copy(bytes.begin(), bytes.end(), slot.structure.begin());
      pointers.push_back(slot.structure.data());
    } else if (slot.operand->kind == OperandKind::scalar) {
      pointers.push_back(&slot.scalar);
    } else if (slot.operand->kind == OperandKind::buffer && !slot.operand->held) {
      pointers.push_back(&slot.address);
    }
  }
  return pointers;
}

Result<std::vector<std::vector<std::byte>>> Operands::outputs() const {
  std::vector<std::vector<std::byte>> all(slots_.size());
  for (size_t i = 0; i < slots_.size(); ++i) {
    const Slot& slot = slots_[i];
    if (slot.operand->kind == OperandKind::scalar || !isOutput(*slot.operand)) continue;
    if (slot.address == 0) continue;
    all[i].resize(slot.operand->bytes());
    if (all[i].empty()) continue;
    if (Status s =
            context_->check(context_->api().memcpyDtoH(all[i].data(), slot.address, all[i].size()),
                            "Copying " + slot.operand->name + " back");
        !s) {
      return s.error();
    }
  }
  return all;
}

uint64_t countUnwritten(const device::Job& job, const std::vector<std::vector<std::byte>>& first,
                        const std::vector<std::vector<std::byte>>& second) {
  uint64_t unwritten = 0;
  for (size_t i = 0; i < job.operands.size(); ++i) {
    if (job.operands[i].direction != Direction::out || first[i].empty()) continue;
    const size_t width = bytesOf(job.operands[i].type);
    const auto holds = [&](const std::vector<std::byte>& bytes, size_t at, std::byte poison) {
      return std::all_of(bytes.begin() + static_cast<ptrdiff_t>(at),
                         bytes.begin() + static_cast<ptrdiff_t>(at + width),
                         [&](std::byte b) { return b == poison; });
    };
    for (size_t at = 0; at + width <= first[i].size(); at += width) {
      unwritten += holds(first[i], at, kFirstPoison) && holds(second[i], at, kSecondPoison);
    }
  }
  return unwritten;
}

}  // namespace tilestep::cuda
