// SPDX-License-Identifier: Apache-2.0
#include "lab/judge/fault_kinds.h"

#include <algorithm>
#include <array>

namespace tilestep::lab {
namespace {

constexpr std::array<FaultKind, 15> kKinds{{
    {"launch-refused", Criterion::compiles, "a launch that no GPU runs"},
    {"out-of-bounds", Criterion::bounds, "an access outside its array"},
    {"outside-row", Criterion::bounds, "an access outside its row"},
    {"misaligned", Criterion::bounds, "a misaligned access"},
    {"stack-overflow", Criterion::bounds, "a stack overflow"},
    {"read-only", Criterion::bounds, "a write to an input"},
    {"uninitialised-read", Criterion::result, "a read of memory that nothing has written"},
    {"deadlock", Criterion::barriers, "a wait for threads that never come"},
    {"wrong-mask", Criterion::barriers, "a warp function with a wrong mask"},
    {"wrong-barrier", Criterion::barriers, "a barrier for a wrong number of threads"},
    {"divergent-barrier", Criterion::barriers, "threads of one warp at different barriers"},
    {"assert", Criterion::result, "an assertion that does not hold"},
    {"trap", Criterion::result, "a trap"},
    {"timeout", Criterion::end, "a launch that does not end"},
    {"instruction-limit", Criterion::end, "a launch that does not end"},
}};

}  // namespace

const FaultKind* faultKind(std::string_view kind) {
  const auto at = std::ranges::find(kKinds, kind, &FaultKind::kind);
  return at == kKinds.end() ? nullptr : &*at;
}

}  // namespace tilestep::lab
