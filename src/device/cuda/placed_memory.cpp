// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/placed_memory.h"

#include <algorithm>
#include <utility>

namespace tilestep::cuda {
namespace {

/// The driver places small reservations in its own range and ignores the requested address. The
/// size from which it respects the address is unknown, so increasing sizes are tried.
constexpr uint64_t kReserved[] = {uint64_t{1} << 28, uint64_t{1} << 30, uint64_t{1} << 31};

}  // namespace

PlacedMemory::PlacedMemory(PlacedMemory&& other) noexcept {
  *this = std::move(other);
}

PlacedMemory& PlacedMemory::operator=(PlacedMemory&& other) noexcept {
  std::swap(context_, other.context_);
  std::swap(address_, other.address_);
  std::swap(reserved_, other.reserved_);
  std::swap(mapped_, other.mapped_);
  std::swap(memory_, other.memory_);
  std::swap(isMapped_, other.isMapped_);
  return *this;
}

PlacedMemory::~PlacedMemory() {
  release();
}

/// A destructor cannot report an error; the next checked call reports it again.
void PlacedMemory::release() {
  if (!context_ || context_->abandoned()) return;
  const Api& api = context_->api();
  if (isMapped_) static_cast<void>(api.memUnmap(address_, mapped_));
  if (memory_ != 0) static_cast<void>(api.memRelease(memory_));
  if (address_ != 0) static_cast<void>(api.memAddressFree(address_, reserved_));
}

Status PlacedMemory::reserve(DevicePointer address, uint64_t granularity) {
  const Api& api = context_->api();
  for (const uint64_t fewest : kReserved) {
    reserved_ = std::max(mapped_, fewest);
    DevicePointer got = 0;
    const ApiResult result = api.memAddressReserve(&got, reserved_, granularity, address, 0);
    if (Status s = context_->check(result, "Reserving addresses"); !s) return s;
    if (got == address) {
      address_ = got;
      return {};
    }
    static_cast<void>(api.memAddressFree(got, reserved_));
  }
  return requestError(
      "the GPU's driver could not allocate the launch's memory at its addresses; run the program "
      "again");
}

Result<PlacedMemory> PlacedMemory::make(const ContextPtr& context, DevicePointer address,
                                        uint64_t bytes) {
  const Api& api = context->api();
  if (api.memAddressReserve == nullptr)
    return requestError("this driver cannot place memory at an address: install a newer one");
  MemoryKind kind;
  kind.where.number = context->ordinal();
  size_t granularity = 0;
  PlacedMemory made(context);
  if (Status s = context->check(api.memGranularity(&granularity, &kind, 0),
                                "cuMemGetAllocationGranularity");
      !s)
    return s.error();
  made.mapped_ = (std::max<uint64_t>(bytes, 1) + granularity - 1) / granularity * granularity;
  if (Status s = made.reserve(address, granularity); !s) return s.error();
  if (Status s =
          context->check(api.memCreate(&made.memory_, made.mapped_, &kind, 0), "Allocating memory");
      !s)
    return s.error();
  if (Status s =
          context->check(api.memMap(address, made.mapped_, 0, made.memory_, 0), "Placing memory");
      !s)
    return s.error();
  made.isMapped_ = true;
  MemoryAccess access;
  access.where.number = context->ordinal();
  if (Status s = context->check(api.memSetAccess(address, made.mapped_, &access, 1),
                                "Opening memory to the GPU");
      !s)
    return s.error();
  return made;
}

}  // namespace tilestep::cuda
