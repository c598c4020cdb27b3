// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <utility>
#include <vector>

#include "guest/connection.h"
#include "guest/errors.h"
#include "guest/functions.h"

using namespace tilestep::guest;

namespace {

/// The configuration between <<< and >>>, kept until the kernel's stub is called.
struct Configuration {
  dim3 grid, block;
  size_t sharedBytes = 0;
  void* stream = nullptr;
  const void* where = nullptr;
};

thread_local std::vector<Configuration> configurations;
/// The code address of the launch whose stub was called last; null if it was no <<<>>> launch.
thread_local const void* site = nullptr;

cudaError_t launch(const void* function, dim3 grid, dim3 block, void** arguments,
                   size_t sharedBytes, cudaStream_t stream, bool isCooperative, const void* where) {
  if (stickyError() != cudaSuccess) return keep(stickyError());
  const Function* known = functionAt(function);
  if (known == nullptr) return keep(cudaErrorInvalidDeviceFunction);
  if (known->error != 0) return keep(known->error);
  std::vector<char> block_(known->facts.parameterBytes);
  for (size_t i = 0; i < known->parameters.size(); ++i) {
    const Parameter& parameter = known->parameters[i];
    std::memcpy(block_.data() + parameter.offset, arguments[i], parameter.bytes);
    if (parameter.bytes != sizeof(uint64_t)) continue;
    uint64_t value = 0;
    std::memcpy(&value, arguments[i], sizeof value);
    if (const uint64_t address = managedAddressOf(value))
      std::memcpy(block_.data() + parameter.offset, &address, sizeof address);
  }
  Launch launch{known->facts.number,         isCooperative, {grid.x, grid.y, grid.z},
                {block.x, block.y, block.z}, sharedBytes,   reinterpret_cast<uint64_t>(stream)};
  const iovec pieces[] = {{&launch, sizeof launch}, {block_.data(), block_.size()}};
  return keep(ask(Call::launch, where, pieces));
}

}  // namespace

extern "C" {

// Clang's code calls these names.
// NOLINTBEGIN(bugprone-reserved-identifier)
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t sharedBytes, void* stream) {
  configurations.push_back({grid, block, sharedBytes, stream, __builtin_return_address(0)});
  return 0;
}

int __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* sharedBytes, void** stream) {
  if (configurations.empty()) return cudaErrorMissingConfiguration;
  const Configuration last = configurations.back();
  configurations.pop_back();
  *grid = last.grid;
  *block = last.block;
  *sharedBytes = last.sharedBytes;
  *stream = last.stream;
  site = last.where;
  return cudaSuccess;
}
// NOLINTEND(bugprone-reserved-identifier)

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             size_t sharedBytes, cudaStream_t stream) {
  const void* const where = std::exchange(site, nullptr);
  return launch(function, grid, block, arguments, sharedBytes, stream, false,
                where != nullptr ? where : __builtin_return_address(0));
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                        void** arguments, size_t sharedBytes, cudaStream_t stream) {
  return launch(function, grid, block, arguments, sharedBytes, stream, true,
                __builtin_return_address(0));
}

}  // extern "C"
