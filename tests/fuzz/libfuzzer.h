// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

namespace tilestep::fuzz {

/// Ends the program where a check found something, so that libFuzzer keeps the input.
inline int report(const std::string& trouble) {
  if (trouble.empty()) return 0;
  std::fprintf(stderr, "%s\n", trouble.c_str());
  std::abort();
}

inline std::string_view textOf(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace tilestep::fuzz
