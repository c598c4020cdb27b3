// SPDX-License-Identifier: Apache-2.0
#include "simt/engines.h"

namespace tilestep::simt {

namespace core_baseline {
const Engine& engine();
}
#ifdef TILESTEP_SIMT_X86
namespace core_v3 {
const Engine& engine();
}
namespace core_v4 {
const Engine& engine();
}

namespace {
bool hasV3() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi2");
}
bool hasV4() {
  return hasV3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl");
}
}  // namespace
#endif

std::vector<const Engine*> engines() {
  std::vector<const Engine*> found;
#ifdef TILESTEP_SIMT_X86
  if (hasV4()) found.push_back(&core_v4::engine());
  if (hasV3()) found.push_back(&core_v3::engine());
#endif
  found.push_back(&core_baseline::engine());
  return found;
}

}  // namespace tilestep::simt
