// SPDX-License-Identifier: Apache-2.0
#include "ptx/rewrite/instrument_groups.h"

#include <map>

#include "ptx/analysis/uses.h"

namespace tilestep::ptx {
namespace {

void addMember(AccessGroup& group, int64_t offset) {
  for (AccessGroup::Member& member : group.members) {
    const bool isLike = group.access.space == Space::shared || (member.offset - offset) % 32 == 0;
    if (!isLike) continue;
    ++member.times;
    return;
  }
  group.members.push_back({offset, 1});
}

}  // namespace

bool isPlain(const Instruction& instruction, const Access& access) {
  return instruction.guard.reg == kNone && access.space != Space::generic;
}

// Shared accesses that differ by whole units are equivalent for the banks; global ones are
// equivalent modulo a sector.
std::vector<AccessGroup> groupAccesses(const Function& entry, const Segment& segment) {
  std::vector<AccessGroup> groups;
  std::map<uint32_t, uint32_t> writes;  // of each register, within the segment
  std::map<std::vector<uint64_t>, size_t> known;
  for (uint32_t i = segment.begin; i < segment.end; ++i) {
    const auto access = accessOf(entry.body[i]);
    if (access && isPlain(entry.body[i], *access)) {
      const uint32_t reg = access->address->reg;
      const uint64_t unit = access->space == Space::global ? 4 : sharedUnit(access->width);
      const uint64_t rest = static_cast<uint64_t>(access->address->offset) % unit;
      const std::vector<uint64_t> key{static_cast<uint64_t>(access->space),
                                      access->isStore,
                                      access->width,
                                      reg,
                                      reg == kNone ? 0 : writes[reg],
                                      rest};
      const auto [found, isNew] = known.try_emplace(key, groups.size());
      if (isNew) groups.push_back({i, *access, {}});
      addMember(groups[found->second], access->address->offset);
    }
    for (const uint32_t reg : writtenRegisters(entry.body[i])) ++writes[reg];
  }
  return groups;
}

}  // namespace tilestep::ptx
