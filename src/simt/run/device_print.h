// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace tilestep::simt {

/// The generic addresses from which printf reads.
struct PrintSource {
  std::function<bool(uint64_t address, void* to, size_t bytes)> read;
  std::function<std::optional<std::string>(uint64_t address)> text;
};

/// The text that printf writes in device code: C's conversions, whose arguments follow one another
/// at `arguments`, each aligned to its size (4 bytes, or 8 for double, long and pointers). A text
/// longer than 4096 characters is cut.
std::string formatPrint(const std::string& format, uint64_t arguments, const PrintSource& source);
/// The number of arguments that the format consumes, which printf returns in device code.
uint32_t countArguments(const std::string& format);

}  // namespace tilestep::simt
