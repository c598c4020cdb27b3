// SPDX-License-Identifier: Apache-2.0
#include "program/messages.h"

#include <cstdlib>
#include <set>
#include <utility>

namespace tilestep::program {
namespace {

/// Takes the first line.
std::string_view nextLine(std::string_view& text) {
  const size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == text.npos ? text.size() : end + 1);
  return line;
}

/// "file:line:column: error: message"; a "fatal error" too.
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

/// What Tilestep does not have, by words that name it; empty for anything else.
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
                                  {"cublas", "cuBLAS"},
                                  {"curand", "cuRAND"},
                                  {"cufft", "cuFFT"},
                                  {"cusparse", "cuSPARSE"},
                                  {"cusolver", "cuSOLVER"},
                                  {"cudnn", "cuDNN"},
                                  {"thrust", "Thrust"},
                                  {"cub/", "CUB"},
                                  {"cuda/std", "libcu++"},
                                  {"cudaGraph", "CUDA graphs"},
                                  {"StreamBeginCapture", "CUDA graphs"},
                                  {"__managed__", "__managed__ variables"}};
  for (const Family& each : kFamilies)
    if (message.find(each.word) != message.npos) return each.name;
  return {};
}

/// The error, and what it means where it is about something that Tilestep does not have.
Error withReason(Error error) {
  if (error.message.find("cudaStream_t") != std::string::npos &&
      error.message.find("'unsigned long'") != std::string::npos) {
    error.message +=
        "; the third argument of <<<>>> is the bytes of dynamic shared memory, and "
        "the stream is the fourth";
    return error;
  }
  const std::string missing = whatIsMissing(error.message);
  if (!missing.empty()) error.message += "; programs that use " + missing + " do not run here yet";
  return error;
}

}  // namespace

Error refusal(std::string_view log, const std::string& file) {
  Error error = requestError("clang does not compile " + file);
  for (std::string_view rest = log; !rest.empty();) {
    if (!readError(nextLine(rest), error)) continue;
    if (error.where) error.sourceLine = nextLine(rest);
    break;
  }
  return withReason(std::move(error));
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
  return withReason(requestError(file + " uses functions that are missing here: " + all));
}

}  // namespace tilestep::program
