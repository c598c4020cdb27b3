// SPDX-License-Identifier: Apache-2.0
#include "compile/text/headers.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace tilestep::compile {
namespace {

// Prefixes of the toolkit's headers that contain device code.
constexpr std::array kDeviceHeaders = {
    "cuda_fp", "cuda_bf16", "cooperative_groups", "cuda_pipeline",  "cuda/",           "cub/",
    "mma.h",   "nv/",       "math_constants.h",   "vector_types.h", "curand_kernel.h", "crt/"};

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

bool isPlainHeader(std::string_view header) {
  const bool isPlain = std::ranges::all_of(header, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '/' || c == '-';
  });
  const bool isRelative = !header.starts_with('/') && header.find("..") == std::string_view::npos;
  return !header.empty() && isPlain && isRelative;
}

bool isDeviceHeader(std::string_view header) {
  return std::any_of(kDeviceHeaders.begin(), kDeviceHeaders.end(),
                     [&](const char* name) { return header.starts_with(name); });
}

}  // namespace tilestep::compile
