// SPDX-License-Identifier: Apache-2.0
#include "lab/judge/fault_kinds.h"

#include <algorithm>
#include <array>

namespace tilestep::lab {
namespace {

constexpr const char* kEndless =
    "A launch does not end, or executes far more instructions than the task needs";

constexpr std::array<FaultKind, 15> kKinds{{
    {"launch-refused", Criterion::compiles, "a launch that no GPU accepts",
     "It cannot be launched"},
    {"out-of-bounds", Criterion::bounds, "an access outside its array",
     "An access lies outside its array"},
    {"outside-row", Criterion::bounds, "an access outside its row", "An access leaves its row"},
    {"misaligned", Criterion::bounds, "a misaligned access", "An access is misaligned"},
    {"stack-overflow", Criterion::bounds, "a stack overflow", "The stack overflows"},
    {"read-only", Criterion::bounds, "a write to an input", "An input is written to"},
    {"uninitialised-read", Criterion::result, "a read of uninitialised memory",
     "Memory is read before it is written"},
    {"deadlock", Criterion::barriers, "a wait for threads that never arrive",
     "Threads wait for others that never arrive"},
    {"wrong-mask", Criterion::barriers, "a warp function with a wrong mask",
     "The mask of a warp function is wrong"},
    {"wrong-barrier", Criterion::barriers, "a barrier with a wrong thread count",
     "A barrier has a wrong thread count"},
    {"divergent-barrier", Criterion::barriers, "threads of one warp at different barriers",
     "Threads of one warp wait at different barriers"},
    {"assert", Criterion::result, "a failed assertion", "An assertion fails"},
    {"trap", Criterion::result, "a trap", "The kernel stops at a trap"},
    {"timeout", Criterion::end, "a launch that does not end", kEndless},
    {"instruction-limit", Criterion::end, "a launch that does not end", kEndless},
}};

}  // namespace

const FaultKind* faultKind(std::string_view kind) {
  const auto at = std::ranges::find(kKinds, kind, &FaultKind::kind);
  return at == kKinds.end() ? nullptr : &*at;
}

}  // namespace tilestep::lab
