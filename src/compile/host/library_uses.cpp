// SPDX-License-Identifier: Apache-2.0
#include "compile/host/library_uses.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "compile/host/device_part.h"
#include "compile/text/cuda_lexer.h"

namespace tilestep::compile {
namespace {

constexpr std::array kLibraries{"std", "thrust", "cub", "nvcuda", "cuda"};
/// Of the toolkit's cuComplex.h, which is not there for kernels.
constexpr std::array<std::string_view, 6> kComplex{"cuComplex",           "cuFloatComplex",
                                                   "cuDoubleComplex",     "make_cuComplex",
                                                   "make_cuFloatComplex", "make_cuDoubleComplex"};

/// Whether the text names something of a library: `std::max`.
bool namesLibrary(std::string_view text) {
  const auto tokens = cudaTokens(text);
  for (size_t i = 0; i + 1 < tokens.size(); ++i) {
    const bool isLibrary =
        std::ranges::any_of(kLibraries, [&](const char* library) { return tokens[i].is(library); });
    if (isLibrary && tokens[i + 1].is("::")) return true;
  }
  return false;
}

/// What the message quotes first; empty: nothing.
std::string_view quotedIn(std::string_view message) {
  const size_t open = message.find_first_of("\"'");
  if (open == std::string_view::npos) return {};
  const size_t close = message.find(message[open], open + 1);
  return close == std::string_view::npos ? std::string_view()
                                         : message.substr(open + 1, close - open - 1);
}

size_t countOf(std::string_view word, std::string_view text) {
  const auto tokens = cudaTokens(text);
  return static_cast<size_t>(
      std::ranges::count_if(tokens, [&](const CudaToken& token) { return token.is(word); }));
}

/// Whether the name was declared in what was left out, and not as a function of the host.
bool wasLeftOut(std::string_view name, std::string_view source) {
  if (name.empty() || (std::isalpha(static_cast<unsigned char>(name[0])) == 0 && name[0] != '_'))
    return false;
  const DevicePart part = devicePart(source);
  const bool isFunction = std::ranges::any_of(
      part.functions, [&](const DevicePart::LeftOut& function) { return function.name == name; });
  return !isFunction && countOf(name, part.text) < countOf(name, source);
}

}  // namespace

bool isHostsVariable(const Error& error) {
  constexpr std::array kMarks{"__device__", "__constant__", "__shared__", "__managed__"};
  const bool isMarked = std::ranges::any_of(
      kMarks, [&](const char* mark) { return error.sourceLine.find(mark) != std::string::npos; });
  return !isMarked && error.message.find(
                          "dynamic initialization is not supported for a "
                          "__device__ variable") != std::string::npos;
}

bool isLackOfLibrary(const Error& error, std::string_view source, const std::string& path) {
  if (!error.where) return false;
  if (error.where->file == path + " (PTX)") return false;  // It passed the compiler.
  if (error.where->file != path) return true;
  const std::string& message = error.message;
  const std::string_view quoted = quotedIn(message);
  // The last two are of clang, whose headers for CUDA are Tilestep's own.
  constexpr std::array kWordsOfLack{"cannot open", "could not open", "needs the CUDA Toolkit",
                                    "do not have all of CUDA's names", "cudaConfigureCall"};
  const bool saysSo = std::ranges::any_of(
      kWordsOfLack, [&](const char* words) { return message.find(words) != std::string::npos; });
  const bool isLibrary = std::ranges::find(kLibraries, quoted) != kLibraries.end() ||
                         std::ranges::find(kComplex, quoted) != kComplex.end();
  return saysSo || isLibrary || namesLibrary(error.sourceLine) || wasLeftOut(quoted, source);
}

}  // namespace tilestep::compile
