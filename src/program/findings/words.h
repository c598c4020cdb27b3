// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "program/record.h"

/// Words shared by findings.
namespace tilestep::program {

/// " in line 12"; empty if the line is unknown.
[[nodiscard]] std::string lineText(const Place& place);
/// "cudaMemcpy in line 12"
[[nodiscard]] std::string callText(const CallRecord& call);
/// With a capital first letter, unless the text begins with the name of a runtime function.
[[nodiscard]] std::string capitalised(std::string text);
/// The memory that contains the address; null if none does.
[[nodiscard]] const MemoryRecord* memoryAt(const ProgramRun& run, uint64_t address);
/// "an illegal memory access": the meaning of a launch's cudaError.
[[nodiscard]] std::string errorText(int error);

}  // namespace tilestep::program
