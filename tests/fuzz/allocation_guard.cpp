// SPDX-License-Identifier: Apache-2.0
#include "fuzz/allocation_guard.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace tilestep::fuzz {
namespace {

// A global variable, because the replaced operator new has no object.
std::atomic<size_t> largest{0};

}  // namespace

size_t largestAllocation() {
  return largest;
}
void resetLargestAllocation() {
  largest = 0;
}

}  // namespace tilestep::fuzz

void* operator new(size_t size, const std::nothrow_t&) noexcept {
  auto& largest = tilestep::fuzz::largest;
  size_t seen = largest;
  while (size > seen && !largest.compare_exchange_weak(seen, size)) {
  }
  return std::malloc(size == 0 ? 1 : size);
}
void* operator new(size_t size) {
  if (void* memory = operator new(size, std::nothrow)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}
