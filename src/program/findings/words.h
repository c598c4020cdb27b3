// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "program/record.h"

/// Words that findings share.
namespace tilestep::program {

/// " in line 12"; empty where that is not known.
[[nodiscard]] std::string lineText(const Place& place);
/// "cudaMemcpy in line 12"
[[nodiscard]] std::string callText(const CallRecord& call);
/// With a large first letter, unless that begins the name of a function of the runtime.
[[nodiscard]] std::string capitalised(std::string text);
/// The memory that the address lies in; null where it does not.
[[nodiscard]] const MemoryRecord* memoryAt(const ProgramRun& run, uint64_t address);
/// "an illegal memory access": what a cudaError of a launch means.
[[nodiscard]] std::string errorText(int error);

}  // namespace tilestep::program
