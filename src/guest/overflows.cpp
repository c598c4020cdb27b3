// SPDX-License-Identifier: Apache-2.0
// Functions that host code calls on signed overflow (-fsanitize=signed-integer-overflow). Only
// products are reported, because sizes and indices are products, while hashes and random numbers
// let sums wrap around on purpose. Source of the interface: UndefinedBehaviorSanitizer's
// ubsan_handlers.h, LLVM.
#include <atomic>
#include <cstdint>

#include "guest/connection.h"

using namespace tilestep::guest;

namespace {

struct Place {
  const char* file;
  uint32_t line;
  std::atomic<uint32_t> column;
};

struct Type {
  uint16_t kind;
  uint16_t info;  ///< Bit 0 means signed; the other bits are log2 of the bit count.
  char name[1];
};

/// Clang's data for one expression of the program. It may be written to.
struct Expression {
  Place place;
  const Type* type;
};

int64_t signedValue(uint64_t value, uint32_t bits) {
  const uint32_t unused = 64 - bits;
  return static_cast<int64_t>(value << unused) >> unused;
}

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {

void __ubsan_handle_mul_overflow(Expression* expression, uint64_t left, uint64_t right) {
  constexpr uint32_t kTold = ~uint32_t{0}, kMostBits = 64;
  if (expression->place.column.exchange(kTold) == kTold) return;
  const uint32_t bits = 1U << (expression->type->info >> 1);
  if (bits > kMostBits) return;
  ask(Call::overflowed, __builtin_return_address(0),
      Overflowed{signedValue(left, bits), signedValue(right, bits), bits, 0});
}
void __ubsan_handle_add_overflow(Expression*, uint64_t, uint64_t) {}
void __ubsan_handle_sub_overflow(Expression*, uint64_t, uint64_t) {}
void __ubsan_handle_negate_overflow(Expression*, uint64_t) {}
void __ubsan_handle_divrem_overflow(Expression*, uint64_t, uint64_t) {}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)
