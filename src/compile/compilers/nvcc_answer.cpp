// SPDX-License-Identifier: Apache-2.0
#include "compile/compilers/nvcc_answer.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "base/process/confine.h"
#include "base/process/shortage.h"
#include "compile/compilers/compiler_log.h"
#include "compile/host/nvcc_doubts.h"

namespace tilestep::compile {
namespace {

/// What stands before an error that ends a compile.
constexpr std::array kEnds{": catastrophic error: ", ": fatal error: "};

/// The first line of the log for which that holds; empty where there is none.
template <class Holds>
std::string lineWhere(std::string_view log, Holds holds) {
  while (!log.empty()) {
    const std::string_view line = log.substr(0, log.find('\n'));
    if (holds(line)) return std::string(line);
    log.remove_prefix(std::min(log.size(), line.size() + 1));
  }
  return {};
}

/// What a compiler says of a lack of the machine. Other lines may quote the file.
std::string lackIn(std::string_view log) {
  return lineWhere(log, [](std::string_view line) {
    constexpr std::array kPrograms{"nvcc ", "cc1plus: ", "g++: ", "gcc: ", "sh: ", "cannot start "};
    const bool isCompilers =
        std::ranges::any_of(kEnds,
                            [&](const char* mark) { return line.find(mark) != line.npos; }) ||
        std::ranges::any_of(kPrograms, [&](const char* name) { return line.starts_with(name); });
    return isCompilers && tellsOfShortage(line);
  });
}

/// Whether an error that ends a compile tells of such a lack. What the file says itself, as in
/// static_assert(false, "out of memory"), is an error of the usual kind.
bool isLack(const Error& error, const std::string& log) {
  return tellsOfShortage(error.message) && std::ranges::any_of(kEnds, [&](const char* mark) {
           return log.find(mark + error.message) != std::string::npos;
         });
}

/// Whether a header that the file includes is not here or is kept from it: then the preprocessor
/// ends there, and it is the first error.
bool lacksHeader(const Error& first) {
  return first.message.ends_with(": No such file or directory") ||
         first.message.ends_with(": Permission denied");
}

/// Whether nvcc does not know the architecture, or only ptxas refuses the file, so that there is no
/// error in the file.
bool cannotSay(std::string_view log) {
  const std::string line = lineWhere(log, [](std::string_view each) {
    return each.starts_with("ptxas ") ||
           each.starts_with("nvcc fatal   : Unsupported gpu architecture");
  });
  return !line.empty();
}

/// Whether nvcc or what it started was stopped by a signal.
bool wasStopped(const CommandResult& ran) {
  constexpr int kSignals = 128, kMostSignals = 64;  // ptxas may end with 255 by itself.
  const int signal = ran.exitStatus - kSignals;
  return (signal > 0 && signal <= kMostSignals) ||
         !lineWhere(ran.output, [](std::string_view line) {
            return (line.starts_with("nvcc error ") &&
                    line.find("died due to signal") != line.npos) ||
                   (line.find(": fatal error: ") != line.npos &&
                    line.find(" signal terminated program ") != line.npos);
          }).empty();
}

Error noAnswer(const CommandResult& ran) {
  if (ran.timedOut) return lateError("nvcc gave no answer: it had not ended after " + ran.limit);
  const std::string lack = lackIn(ran.output);
  const std::string why = !lack.empty() ? lack
                                        : "it ended with status " + std::to_string(ran.exitStatus) +
                                              ": " + ran.output.substr(0, ran.output.find('\n'));
  return workError("nvcc gave no answer: " + why);
}

/// The error that counts: the first one in code of the device, else the first one in the file, else
/// one in a header, whose place is then told in words.
NvccAnswer refusal(const std::vector<Error>& errors, const KernelSource& source) {
  const auto isOfFile = [&](const Error& error) { return error.where->file == source.path; };
  const auto isDevices = [&](const Error& error) {
    return isOfFile(error) && isOfDevice(error, source.text);
  };
  NvccAnswer answer{NvccAnswer::Kind::refuses, errors.front(), false, {}};
  if (const auto first = std::ranges::find_if(errors, isDevices); first != errors.end()) {
    answer.error = *first;
    answer.isOfDevice = true;
  } else if (const auto own = std::ranges::find_if(errors, isOfFile); own != errors.end()) {
    answer.error = *own;
  } else {
    answer.error->message += " (in " + answer.error->where->file + ")";
    answer.error->where.reset();
  }
  return answer;
}

}  // namespace

Result<NvccAnswer> nvccAnswer(const CommandResult& ran, const KernelSource& source) {
  if (ran.timedOut) return noAnswer(ran);
  if (ran.exitStatus == 0) return NvccAnswer{NvccAnswer::Kind::takes, {}, false, "nvcc"};
  // The log quotes lines and texts of the file, which may look like anything. An error in code of
  // the device is one all the same.
  std::vector<Error> errors = allErrors(ran.output, source);
  std::erase_if(errors, [&](const Error& error) { return isLack(error, ran.output); });
  const NvccAnswer refused = errors.empty() ? NvccAnswer{} : refusal(errors, source);
  if (refused.isOfDevice) return refused;
  if (const auto fault = machinesFault(ran)) return *fault;
  if (errors.empty())
    return cannotSay(ran.output) ? Result<NvccAnswer>(NvccAnswer{})
                                 : Result<NvccAnswer>(noAnswer(ran));
  return lacksHeader(errors.front()) ? NvccAnswer{} : refused;
}

std::optional<Error> machinesFault(const CommandResult& ran) {
  const bool isConfined =
      ran.exitStatus != kCannotRun || ran.output.find(" cannot be confined: ") == std::string::npos;
  if (!ran.timedOut && isConfined && !wasStopped(ran) && lackIn(ran.output).empty())
    return std::nullopt;
  return noAnswer(ran);
}

std::string nvccVersion(const std::string& text) {
  constexpr std::string_view kMark = "release ";
  const size_t at = text.find(kMark);
  if (at == std::string::npos) return {};
  const size_t begin = at + kMark.size();
  return text.substr(begin, text.find_first_not_of("0123456789.", begin) - begin);
}

std::string newestArch(const std::string& text) {
  const size_t at = text.rfind("compute_");
  if (at == std::string::npos) return {};
  return text.substr(at, text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789", at) - at);
}

}  // namespace tilestep::compile
