// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace tilestep::simt {

/// Reads printf's arguments and strings from generic addresses.
struct PrintSource {
  std::function<bool(uint64_t address, void* to, size_t bytes)> read;
  std::function<std::optional<std::string>(uint64_t address)> text;
};

/// The output of a printf in device code. The arguments of the format's conversions follow one
/// another at `arguments`, each aligned to its size (4 bytes, or 8 for double, long and pointers).
/// Output is truncated after 4096 characters.
std::string formatPrint(const std::string& format, uint64_t arguments, const PrintSource& source);
/// The number of arguments that the format uses, which is what printf returns in device code.
uint32_t countArguments(const std::string& format);

}  // namespace tilestep::simt
