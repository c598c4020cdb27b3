// SPDX-License-Identifier: Apache-2.0
#include "compile/text/headers.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace tilestep::compile {
namespace {

// Headers that device code uses: the toolkit's own, by the beginnings of their names, and those of
// the standard library that only give types and constants.
constexpr std::array kDeviceHeaders = {
    "cuda_fp", "cuda_bf16", "cooperative_groups", "cuda_pipeline",  "cuda/",           "cub/",
    "mma.h",   "nv/",       "math_constants.h",   "vector_types.h", "curand_kernel.h", "crt/"};
constexpr std::array kPlainHeaders = {"stdint.h", "cstdint", "limits.h", "climits",  "float.h",
                                      "cfloat",   "math.h",  "cmath",    "stddef.h", "cstddef"};

}  // namespace

CudaTokens wordsOfDirective(std::string_view directive) {
  const size_t sign = directive.starts_with("#") ? 1 : 2;  // # or %:
  return cudaTokens(directive.substr(std::min(sign, directive.size())));
}

std::string_view headerOf(std::string_view directive) {
  const size_t open = directive.find_first_of("<\"");
  if (open == std::string_view::npos) return {};
  const size_t close = directive.find_first_of(">\"", open + 1);
  return directive.substr(open + 1, close == std::string_view::npos ? close : close - open - 1);
}

bool isIncludable(std::string_view header) {
  const bool isPlain = std::ranges::all_of(header, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '/' || c == '-';
  });
  const bool climbs = header.find("..") != std::string_view::npos;
  return isPlain && !climbs && (isDeviceHeader(header) || isOneOf(header, kPlainHeaders));
}

bool isDeviceHeader(std::string_view header) {
  return std::any_of(kDeviceHeaders.begin(), kDeviceHeaders.end(),
                     [&](const char* name) { return header.starts_with(name); });
}

}  // namespace tilestep::compile
