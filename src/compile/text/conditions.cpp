// SPDX-License-Identifier: Apache-2.0
#include "compile/text/conditions.h"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "compile/text/headers.h"

namespace tilestep::compile {
namespace {

using Kind = CudaToken::Kind;

constexpr std::array kHeadersMacros = {
    "RAND_MAX",  "EOF",       "EXIT_FAILURE", "EXIT_SUCCESS", "NULL",     "BUFSIZ",
    "SEEK_SET",  "SEEK_CUR",  "SEEK_END",     "INFINITY",     "NAN",      "HUGE_VAL",
    "HUGE_VALF", "errno",     "stdin",        "stdout",       "stderr",   "CLOCKS_PER_SEC",
    "UINT64_C",  "INT64_C",   "UINT32_C",     "INT32_C",      "offsetof", "assert",
    "UINT_MAX",  "ULONG_MAX", "SIZE_MAX",     "FLT_MAX",      "DBL_MAX",  "FLT_EPSILON"};
constexpr std::array kHeadersBeginnings = {"PRI",   "SCN",    "M_",     "INT_",
                                           "LONG_", "CHAR_",  "SHRT_",  "LLONG_",
                                           "INT8_", "INT16_", "INT32_", "INT64_"};
/// Macros that nvcc and the toolkit's headers define.
constexpr std::array kToolkitsBeginnings = {"CUDA_VERSION", "CUDART_", "CUBLAS_",
                                            "CUFFT_",       "CURAND_", "CUDNN_"};
/// Macros that both nvcc and our compilers define, or that neither defines.
constexpr std::array kSame = {"__CUDA_ARCH__",
                              "__CUDACC__",
                              "__cplusplus",
                              "__HIPCC__",
                              "__INTELLISENSE__",
                              "__JETBRAINS_IDE__",
                              "__APPLE__",
                              "__CLION_IDE__",
                              "__HIP_PLATFORM_AMD__",
                              "__HIP__",
                              "__HIP_DEVICE_COMPILE__",
                              "__MINGW32__",
                              "__CYGWIN__",
                              "__CDT_PARSER__",
                              "__clangd__",
                              "__SYCL_DEVICE_ONLY__",
                              "_WIN32",
                              "_WIN64",
                              "_MSC_VER",
                              "_OPENMP",
                              "_DEBUG"};
/// Macros of the system's headers and of g++.
constexpr std::array kSystems = {"unix",       "linux",    "LITTLE_ENDIAN", "BIG_ENDIAN",
                                 "BYTE_ORDER", "TIME_UTC", "MATH_ERRNO",    "FP_NAN"};
constexpr std::array kConditionals = {"if", "ifdef", "ifndef", "elif"};

template <class List>
bool beginsWithOneOf(std::string_view name, const List& list) {
  return std::ranges::any_of(list, [&](const char* one) { return name.starts_with(one); });
}

bool isUpper(char c) {
  return c >= 'A' && c <= 'Z';
}

/// Whether host headers define the macro. Covers only names that kernels are likely to use.
bool isHeadersMacro(std::string_view name) {
  return isOneOf(name, kHeadersMacros) || beginsWithOneOf(name, kHeadersBeginnings);
}

bool isDoubtful(std::string_view name) {
  if (isOneOf(name, kSame)) return false;
  // Such names are reserved for compilers and libraries.
  const bool isReserved = name.size() > 1 && name[0] == '_' && (name[1] == '_' || isUpper(name[1]));
  return isReserved || isHeadersMacro(name) || isOneOf(name, kSystems) ||
         beginsWithOneOf(name, kToolkitsBeginnings) || name.ends_with("_MAX") ||
         name.ends_with("_MIN");
}

/// An #if without its #endif so far.
struct Open {
  std::optional<DoubtfulCondition> doubt;
  bool decides = false;  ///< Contains code, a macro or an #error.
};

}  // namespace

std::optional<DoubtfulCondition> doubtfulCondition(std::string_view text) {
  const CudaTokens tokens = cudaTokens(text);
  std::set<std::string_view> own;
  for (const CudaToken& token : tokens) {
    if (token.kind != Kind::directive) continue;
    const CudaTokens words = wordsOfDirective(token.text);
    if (words.size() > 1 && words[0].is("define")) own.insert(words[1].text);
  }
  std::vector<Open> open;
  int line = 1;
  const char* counted = text.data();
  for (const CudaToken& token : tokens) {
    line += static_cast<int>(std::count(counted, token.text.data(), '\n'));
    counted = token.text.data();
    const bool isDirective = token.kind == Kind::directive;
    const CudaTokens words = isDirective ? wordsOfDirective(token.text) : CudaTokens();
    if (isDirective && words.empty()) continue;
    if (isDirective && words[0].is("endif")) {
      if (open.empty()) continue;
      const Open closed = open.back();
      open.pop_back();
      if (closed.decides && closed.doubt) return closed.doubt;
      if (closed.decides && !open.empty()) open.back().decides = true;
      continue;
    }
    if (isDirective && isOneOf(words[0].text, kConditionals)) {
      if (!words[0].is("elif")) open.emplace_back();
      if (open.empty()) continue;
      for (size_t i = 1; i < words.size(); ++i) {
        const bool isName = words[i].kind == Kind::word && !own.contains(words[i].text);
        if (!open.back().doubt && isName && isDoubtful(words[i].text))
          open.back().doubt = DoubtfulCondition{std::string(words[i].text), line};
      }
      continue;
    }
    const bool decides =
        !isDirective || words[0].is("define") || words[0].is("undef") || words[0].is("error");
    if (decides && !open.empty()) open.back().decides = true;
  }
  return std::nullopt;
}

}  // namespace tilestep::compile
