// SPDX-License-Identifier: Apache-2.0
#include "simt/check/global_shadows.h"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace tilestep::simt {

void GlobalShadows::Free::operator()(Mark* marks) const {
  std::free(marks);
}

/// calloc, because untouched pages use no memory.
Mark* GlobalShadows::allocate(uint64_t count) {
  auto* marks = static_cast<Mark*>(std::calloc(std::max<uint64_t>(count, 1), sizeof(Mark)));
  if (marks == nullptr) throw std::bad_alloc();
  memory_.emplace_back(marks);
  return marks;
}

GlobalShadows::GlobalShadows(const Setup& setup) : setup_(setup) {
  for (size_t i = 0; i < setup.regions.size(); ++i) {
    Shadow& shadow = shadows_.emplace_back();
    const Scrutiny& scrutiny = setup.checks.regions[i];
    shadow.granuleShift = scrutiny.granuleShift;
    shadow.atomicsMayRace = scrutiny.atomicsMayRace;
    const uint64_t count = (setup.regions[i].bytes >> scrutiny.granuleShift) + 1;
    if (!scrutiny.written) continue;
    shadow.writes = allocate(count);
    for (Mark*& marks : shadow.reads) marks = scrutiny.read ? allocate(count) : nullptr;
    for (Mark*& marks : shadow.atomics) marks = scrutiny.atomic ? allocate(count) : nullptr;
  }
}

void GlobalShadows::forget(uint64_t address, uint64_t bytes) {
  const uint16_t region = setup_.map.regionAt(address);
  const Shadow& shadow = shadows_[region];
  const uint64_t offset = address - setup_.regions[region].start;
  const uint64_t last = (offset + bytes - 1) >> shadow.granuleShift;
  for (Mark* marks :
       {shadow.writes, shadow.reads[0], shadow.reads[1], shadow.atomics[0], shadow.atomics[1]}) {
    for (uint64_t at = offset >> shadow.granuleShift; marks != nullptr && at <= last; ++at) {
      __atomic_store_n(marks + at, Mark{0}, __ATOMIC_RELAXED);
    }
  }
}

}  // namespace tilestep::simt
