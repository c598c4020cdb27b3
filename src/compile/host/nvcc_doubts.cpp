// SPDX-License-Identifier: Apache-2.0
#include "compile/host/nvcc_doubts.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "compile/host/declaration.h"
#include "compile/host/device_part.h"
#include "compile/host/host_names.h"
#include "compile/nearest_name.h"
#include "compile/text/conditions.h"
#include "compile/text/headers.h"

namespace tilestep::compile {
namespace {

const HostSigns kProgram{.isProgram = true, .wrongLines = {}};

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

/// Whether a line is one of a function for which that holds.
template <class Holds>
bool isInFunction(int line, std::string_view source, const CudaTokens& tokens,
                  const std::vector<size_t>& partner, Holds holds) {
  const DeclarationReader reader(tokens, partner);
  size_t counted = 0;
  int counter = 1;
  const auto lineAt = [&](size_t token) {  // Tokens are asked for in their order.
    const auto offset = static_cast<size_t>(tokens[token].text.data() - source.data());
    counter += static_cast<int>(std::ranges::count(source.substr(counted, offset - counted), '\n'));
    counted = offset;
    return counter;
  };
  for (size_t i = 0; i < tokens.size();) {
    if (const size_t behind = reader.behindOther(i); behind > i) {
      i = behind;
      continue;
    }
    const Declaration found = reader.read(i);
    const int first = lineAt(i), last = lineAt(found.end - 1);
    if (first > line) return false;
    if (found.isFunction && holds(found) && line <= last) return true;
    i = found.end;
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

bool isHostFunction(std::string_view name, const DevicePart& part) {
  return std::ranges::any_of(
      part.functions, [&](const DevicePart::LeftOut& function) { return function.name == name; });
}

/// Whether the name was declared in what was left out, and not as a function of the host.
bool wasLeftOut(std::string_view name, std::string_view source) {
  if (name.empty() || (std::isalpha(static_cast<unsigned char>(name[0])) == 0 && name[0] != '_'))
    return false;
  const DevicePart part = devicePart(source);
  return !isHostFunction(name, part) && countOf(name, part.text) < countOf(name, source);
}

/// Whether the error is about a variable that no word such as __device__ marks and NVRTC takes for
/// the device's. For nvcc it is the host's, and may call functions: `const float PI = acos(-1.0);`.
bool isHostsVariable(const Error& error) {
  constexpr std::array kMarks{"__device__", "__constant__", "__shared__", "__managed__"};
  const bool isMarked = std::ranges::any_of(
      kMarks, [&](const char* mark) { return error.sourceLine.find(mark) != std::string::npos; });
  return !isMarked && error.message.find(
                          "dynamic initialization is not supported for a "
                          "__device__ variable") != std::string::npos;
}

/// Whether it may come from a library that is not here: it stands in a header, asks for one, is
/// about a name of std, thrust, cub or cuComplex.h, or about a declaration that was left out
/// because it uses such a name. One about a call of a host function is none.
bool isLackOfLibrary(const Error& error, std::string_view source, const std::string& path) {
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
  return saysSo || isLibrary || namesLibrary(error.sourceLine) || namesLibrary(message) ||
         wasLeftOut(quoted, source);
}

/// Whether it may be taken for newer GPUs, or by newer compilers: clang does not know these words.
bool needsNewer(const Error& error) {
  constexpr std::array kWords{"__cluster_dims__", "__maxnreg__", "__block_size__"};
  return error.message.find("for this GPU architecture") != std::string::npos ||
         std::ranges::any_of(kWords, [&](const char* word) {
           return error.sourceLine.find(word) != std::string::npos;
         });
}

/// Whether it is about the dialect of g++, which nvcc takes: `typeof`, arithmetic with void* and
/// parameters of type auto.
bool isAboutDialect(const Error& error, std::string_view source) {
  constexpr std::array kWords{"\"auto\" is not allowed here",
                              "'auto' not allowed",
                              "must be a pointer to a complete object type",
                              "incomplete type \"void\" is not allowed",
                              "unknown type name 'ulong'",
                              "ordered comparison between pointer and zero",
                              "cannot jump from switch statement to this case label"};
  return source.find("typeof") != source.npos ||
         std::ranges::any_of(kWords, [&](const char* words) {
           return error.message.find(words) != std::string::npos;
         });
}

/// What a message about a name that is not known quotes; empty where it is about something else.
std::string_view unknownNameIn(std::string_view message) {
  constexpr std::array kWords{
      "is undefined",  "undeclared identifier", "unknown type name",   "has not been declared",
      "no type named", "no template named",     "did not name a type", "expected namespace name"};
  const bool isThat = std::ranges::any_of(
      kWords, [&](const char* words) { return message.find(words) != std::string_view::npos; });
  return isThat ? quotedIn(message) : std::string_view();
}

/// What NVRTC says, without quoting the name, where a template or a namespace is not known, such as
/// `enable_if` with `using namespace std`.
bool isAboutStandardName(std::string_view message) {
  constexpr std::array kWords{"is not a template", "must be a class or namespace name"};
  return std::ranges::any_of(
      kWords, [&](const char* words) { return message.find(words) != std::string_view::npos; });
}

/// Whether a name of the text, or one of CUDA's, is spelt almost like it.
bool isMisspelt(std::string_view name, const CudaTokens& tokens) {
  constexpr std::array kCudas{"threadIdx",     "blockIdx",  "blockDim",  "gridDim",
                              "__syncthreads", "atomicAdd", "atomicMax", "unsigned",
                              "float",         "double",    "return",    "__shared__"};
  constexpr size_t kLongest = 64, kMostChanges = 2;
  const auto isNear = [&](std::string_view other) {
    const size_t longer = std::max(name.size(), other.size());
    if (other == name || longer > kLongest ||
        longer - std::min(name.size(), other.size()) > kMostChanges)
      return false;
    const size_t changes = editDistance(name, other);
    return changes == 0 || (name.size() > 4 && changes <= kMostChanges);
  };
  return std::ranges::any_of(kCudas, isNear) ||
         std::ranges::any_of(tokens, [&](const CudaToken& token) {
           return token.kind == CudaToken::Kind::word && isNear(token.text);
         });
}

/// Whether a header that is not read may declare the name: by how it is spelt and used in the line.
/// Headers of the standard library give functions, types and macros; macros are in capitals.
bool mayBeOfHeader(std::string_view name, std::string_view line, const CudaTokens& tokens) {
  if (isHeadersMacro(name) || name.ends_with("_t") || isRuntimeName(name)) return true;
  if (isMisspelt(name, tokens)) return false;
  const bool hasSmall = std::ranges::any_of(
      name, [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0; });
  if (!hasSmall) return true;
  const CudaTokens words = cudaTokens(line);
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    if (!words[i].is(name)) continue;
    const CudaToken& next = words[i + 1];
    if (next.kind == CudaToken::Kind::word || next.is("(") || next.is("::") || next.is("<") ||
        next.is("*") || next.is("&"))
      return true;
  }
  return false;
}

/// Whether the text includes a header of its author's.
bool hasOwnHeader(const CudaTokens& tokens) {
  return std::ranges::any_of(tokens, [](const CudaToken& token) {
    if (token.kind != CudaToken::Kind::directive) return false;
    const CudaTokens words = wordsOfDirective(token.text);
    return words.size() > 1 && words[0].is("include") && words[1].kind == CudaToken::Kind::text;
  });
}

/// What is in doubt where a program does not compile, whose headers and host code are left out.
std::string whyProgramMayBeRight(const Error& error, std::string_view source) {
  const CudaTokens tokens = cudaTokens(source);
  const auto partner = matchBrackets(tokens);
  const bool hasConditions = std::ranges::any_of(tokens, [](const CudaToken& token) {
    return token.kind == CudaToken::Kind::directive && token.text.find("if") != token.text.npos;
  });
  if (!partner && !hasConditions) return {};  // Brackets that nothing closes are wrong anywhere.
  const auto isDevicesAlone = [](const Declaration& found) {
    return found.isDevice && !found.isHost;
  };
  if (!partner || !isInFunction(error.where->line, source, tokens, *partner, isDevicesAlone))
    return "It does not compile without its host code, which only nvcc can compile";
  const CudaTokens words = cudaTokens(error.sourceLine);
  const bool hasMacro =
      std::ranges::any_of(words, [](const CudaToken& word) { return isHeadersMacro(word.text); });
  if (hasMacro || isAboutStandardName(error.message))
    return "It may need a header of the host, and has to be compiled with nvcc";
  const std::string_view name = unknownNameIn(error.message);
  const bool isAsked = std::ranges::any_of(words, [](const CudaToken& word) {
    return word.is("decltype") || word.is("sizeof");  // These may name what the host has.
  });
  if (isAsked && !name.empty())
    return "It may ask for the type of host code, and has to be compiled with nvcc";
  if (name.empty() || isHostFunction(name, devicePart(source, kProgram))) return {};
  if (hasOwnHeader(tokens)) return "It needs a header of its own, and has to be compiled with nvcc";
  return mayBeOfHeader(name, error.sourceLine, tokens)
             ? "It may need a header of the host, and has to be compiled with nvcc"
             : std::string();
}

bool hasHostCode(std::string_view source) {
  return isProgram(source) || devicePart(source, kProgram).text != source;
}

}  // namespace

bool isOfDevice(const Error& error, std::string_view source) {
  // What is wrong with code that nvcc makes for the host may be told of a line with #include.
  const CudaTokens line = cudaTokens(error.sourceLine);
  if (!line.empty() && line[0].kind == CudaToken::Kind::directive) {
    const CudaTokens words = wordsOfDirective(line[0].text);
    if (!words.empty() && words[0].is("include")) return false;
  }
  if (!hasHostCode(source)) return true;
  const CudaTokens tokens = cudaTokens(source);
  const auto partner = matchBrackets(tokens);
  const bool isAboutBoth = error.message.find("__device__") != std::string::npos;
  const auto isDevices = [&](const Declaration& found) {
    return found.isDevice && (!found.isHost || isAboutBoth);
  };
  const auto isOther = [&](const Declaration& found) { return !isDevices(found); };
  return partner && isInFunction(error.where->line, source, tokens, *partner, isDevices) &&
         !isInFunction(error.where->line, source, tokens, *partner, isOther);
}

std::string whyNvccMayTake(const Error& error, std::string_view source, const std::string& path) {
  if (!error.where || error.where->file == path + " (PTX)") return {};  // It passed the compiler.
  if (isLackOfLibrary(error, source, path))
    return "It uses a library that the grader does not have, and has to be compiled with nvcc";
  if (needsNewer(error)) return "It may need a newer GPU than the spec's arch, or nvcc";
  if (isAboutDialect(error, source))
    return "It may be in the dialect of g++, and has to be compiled with nvcc";
  if (isHostsVariable(error))
    return "NVRTC cannot leave out a variable of the host; compile it with nvcc";
  if (hasHostCode(source)) return whyProgramMayBeRight(error, source);
  const std::string_view name = unknownNameIn(error.message);
  // nvcc includes some headers by itself.
  if (!name.empty() && (isHeadersMacro(name) || name.ends_with("_t")))
    return "It may need a header of the host, and has to be compiled with nvcc";
  return {};
}

}  // namespace tilestep::compile
