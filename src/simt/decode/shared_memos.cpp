// SPDX-License-Identifier: Apache-2.0
#include "simt/decode/shared_memos.h"

#include <algorithm>

namespace tilestep::simt {
namespace {

/// The first access with each address row and width since that row was written.
class Leaders {
 public:
  /// The first access with the address row and width of `instr`, or null if that is `instr` itself.
  const Instr* lead(const Instr& instr) {
    for (const Instr* leader : leaders_) {
      if (leader->address == instr.address && leader->bytes == instr.bytes &&
          leader->wideAddress == instr.wideAddress) {
        return leader;
      }
    }
    leaders_.push_back(&instr);
    return nullptr;
  }
  void written(const Instr& instr) {
    if (instr.isCompanion) return;
    if (instr.masksItself) leaders_.clear();  // The handler may also write other rows.
    std::erase_if(leaders_, [&](const Instr* leader) {
      const uint32_t row = leader->address;
      const bool data = instr.bytes != 0 && (row == instr.a || row == instr.b || row == instr.c);
      return row == instr.d || row == instr.target || data;
    });
  }

 private:
  std::vector<const Instr*> leaders_;
};

}  // namespace

void shareMemos(std::vector<Instr>& code, const std::vector<DecodedBlock>& blocks) {
  for (const DecodedBlock& block : blocks) {
    Leaders leaders;
    for (uint32_t i = block.begin; i < block.end; ++i) {
      Instr& instr = code[i];
      // Under a guard, fewer lanes may be active.
      if (instr.patterned && instr.guard == kNoRow) {
        if (const Instr* leader = leaders.lead(instr)) {
          instr.memo = leader->memo;
          instr.known = true;
        }
      }
      leaders.written(instr);
    }
  }
}

}  // namespace tilestep::simt
