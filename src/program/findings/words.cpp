// SPDX-License-Identifier: Apache-2.0
#include "program/findings/words.h"

#include <algorithm>
#include <iterator>

#include "program/errors.h"

namespace tilestep::program {

std::string lineText(const Place& place) {
  return place.line == 0 ? std::string() : " in line " + std::to_string(place.line);
}

std::string callText(const CallRecord& call) {
  return call.name + lineText(call.place);
}

std::string capitalised(std::string text) {
  if (text.starts_with("the ")) text[0] = 'T';
  return text;
}

const MemoryRecord* memoryAt(const ProgramRun& run, uint64_t address) {
  const auto behind = std::ranges::upper_bound(run.memory, address, {}, &MemoryRecord::address);
  if (behind == run.memory.begin()) return nullptr;
  const MemoryRecord& before = *std::prev(behind);
  return address - before.address < before.bytes ? &before : nullptr;
}

std::string errorText(int error) {
  switch (error) {
    case kIllegalAddress:
      return "an illegal memory access";
    case kMisalignedAddress:
      return "a misaligned address";
    case kAssert:
      return "an assertion";
    case kLaunchTimeout:
      return "it did not end";
    case kLaunchFailure:
      return "a trap";
    case kOutOfResources:
      return "too many resources requested";
    default:
      return "error " + std::to_string(error);
  }
}

}  // namespace tilestep::program
