// SPDX-License-Identifier: Apache-2.0
#include "guest/device_array.h"

#include "cuda_runtime.h"

namespace tilestep::guest {

int copyColumns(const Caller& caller, void* to, uint64_t toPitch, const void* from,
                uint64_t fromPitch, uint64_t bytes, uint64_t columns) {
  if (bytes == 0 || columns == 0) return cudaSuccess;
  Copy copy{};
  copy.to = reinterpret_cast<uint64_t>(to);
  copy.from = reinterpret_cast<uint64_t>(from);
  copy.toPitch = toPitch;
  copy.fromPitch = fromPitch;
  copy.width = bytes;
  copy.height = columns;
  copy.depth = 1;
  copy.kind = cudaMemcpyDefault;
  copy.isAsync = 1;
  copy.stream = caller.stream;
  return ask(Call::copy, caller.where, copy);
}

}  // namespace tilestep::guest
