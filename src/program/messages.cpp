// SPDX-License-Identifier: Apache-2.0
#include "program/messages.h"

#include <cstdlib>
#include <set>
#include <utility>

namespace tilestep::program {
namespace {

/// Removes the first line and returns it.
std::string_view nextLine(std::string_view& text) {
  const size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == text.npos ? text.size() : end + 1);
  return line;
}

/// Parses "file:line:column: error: message" or "… fatal error: message".
bool readError(std::string_view line, Error& error) {
  constexpr std::string_view kMark = "error: ";
  const size_t at = line.find(kMark);
  if (at == line.npos) return false;
  error.message = line.substr(at + kMark.size());
  const size_t first = line.find(':');
  if (first == line.npos || first > at) return true;
  const size_t second = line.find(':', first + 1);
  const std::string number(line.substr(first + 1, second - first - 1));
  if (std::atoi(number.c_str()) <= 0) return true;
  error.where = TextLocation{std::string(line.substr(0, first)), std::atoi(number.c_str()), 0};
  if (second != line.npos)
    error.where->column = std::atoi(std::string(line.substr(second + 1, 8)).c_str());
  return true;
}

/// The unsupported feature that the message mentions; empty if none is recognised.
std::string whatIsMissing(std::string_view message) {
  struct Family {
    const char* word;
    const char* name;
  };
  constexpr Family kFamilies[] = {{"Texture", "textures"},
                                  {"texture", "textures"},
                                  {"tex1D", "textures"},
                                  {"tex2D", "textures"},
                                  {"tex3D", "textures"},
                                  {"ChannelFormatDesc", "textures"},
                                  {"ChannelDesc", "textures"},
                                  {"cudaArray", "CUDA arrays"},
                                  {"MallocArray", "CUDA arrays"},
                                  {"Surface", "surfaces"},
                                  {"surf2D", "surfaces"},
                                  {"cublas", "this part of cuBLAS"},
                                  {"curand", "this part of cuRAND"},
                                  {"cufft", "cuFFT"},
                                  {"cusparse", "cuSPARSE"},
                                  {"cusolver", "cuSOLVER"},
                                  {"cudnn", "cuDNN"},
                                  {"thrust", "Thrust"},
                                  {"cub/", "CUB"},
                                  {"cuda/std", "libcu++"},
                                  {"cudaGraph", "CUDA graphs"},
                                  {"StreamBeginCapture", "CUDA graphs"},
                                  {"cudaMemPool", "memory pools"},
                                  {"cudaIpc", "memory of several processes"},
                                  {"CUresult", "the driver API"},
                                  {"CUdevice", "the driver API"},
                                  {"CUcontext", "the driver API"},
                                  {"mma.h", "wmma fragments"},
                                  {"cuda/barrier", "libcu++"},
                                  {"cuda/pipeline", "libcu++"},
                                  {"cuda/atomic", "libcu++"},
                                  {"gl_interop", "OpenGL"},
                                  {"in __global__ function", "launches from device code"}};
  for (const Family& each : kFamilies)
    if (message.find(each.word) != message.npos) return each.name;
  return {};
}

/// "a, b and c"
std::string listed(const std::set<std::string>& names) {
  std::string text;
  size_t left = names.size();
  for (const std::string& name : names) {
    text += name;
    if (--left > 0) text += left == 1 ? " and " : ", ";
  }
  return text;
}

/// Adds an explanation to the error if it concerns something that Tilestep does not support.
Error withReason(Error error, const std::set<std::string>& missing) {
  if (error.message.find("cudaStream_t") != std::string::npos &&
      error.message.find("'unsigned long'") != std::string::npos) {
    error.message +=
        "; the third argument of <<<>>> is the bytes of dynamic shared memory, and "
        "the stream is the fourth";
    return error;
  }
  if (!missing.empty())
    error.message += "; programs that use " + listed(missing) + " do not run here yet";
  return error;
}

/// The CUDA name that clang does not know, according to its message; otherwise empty.
std::string unknownName(std::string_view message) {
  if (message.find("undeclared identifier") == message.npos &&
      message.find("unknown type name") == message.npos)
    return {};
  const size_t begin = message.find('\''), end = message.find('\'', begin + 1);
  if (begin == message.npos || end == message.npos) return {};
  const std::string name(message.substr(begin + 1, end - begin - 1));
  return name.starts_with("cu") || name.starts_with("CU") || name.starts_with("tex") ? name : "";
}

}  // namespace

Error refusal(std::string_view log, const std::string& file) {
  Error first = requestError("clang does not compile " + file);
  std::set<std::string> missing, names;
  bool isFirst = true;
  for (std::string_view rest = log; !rest.empty();) {
    Error error = requestError("");
    if (!readError(nextLine(rest), error)) continue;
    if (const std::string what = whatIsMissing(error.message); !what.empty()) missing.insert(what);
    if (std::string name = unknownName(error.message); !name.empty()) names.insert(std::move(name));
    if (!std::exchange(isFirst, false)) continue;
    if (error.where) error.sourceLine = nextLine(rest);
    first = std::move(error);
  }
  // For example, a kernel that calls cudaMalloc.
  if (first.message.starts_with("no matching function for call to 'cuda") &&
      log.find("call to __host__ function from __") != log.npos)
    missing.insert("the runtime's functions in device code");
  first = withReason(std::move(first), missing);
  if (names.size() > 1) first.message += "; unsupported names: " + listed(names);
  return first;
}

Error missingFunctions(std::string_view log, const std::string& file) {
  constexpr std::string_view kMark = "undefined reference to `";
  std::set<std::string> names;
  for (std::string_view rest = log; !rest.empty();) {
    const std::string_view line = nextLine(rest);
    const size_t at = line.find(kMark);
    if (at == line.npos) continue;
    const size_t begin = at + kMark.size();
    names.emplace(line.substr(begin, line.rfind('\'') - begin));
  }
  if (names.empty()) return requestError(file + " cannot be linked: " + std::string(log));
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  std::set<std::string> missing;
  if (std::string what = whatIsMissing(all); !what.empty()) missing.insert(std::move(what));
  return withReason(requestError(file + " uses functions that are missing here: " + all), missing);
}

}  // namespace tilestep::program
