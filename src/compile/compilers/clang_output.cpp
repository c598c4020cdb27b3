// SPDX-License-Identifier: Apache-2.0
#include "compile/compilers/clang_output.h"

#include <algorithm>
#include <string_view>

#include "compile/text/headers.h"

namespace tilestep::compile {
namespace {

// The text in the first pair of single quotes.
std::string_view quotedIn(std::string_view message) {
  const size_t open = message.find('\'');
  if (open == std::string_view::npos) return {};
  const size_t close = message.find('\'', open + 1);
  return close == std::string_view::npos ? "" : message.substr(open + 1, close - open - 1);
}

// The part of the log with the first error and its notes.
std::string_view ofFirstError(std::string_view log) {
  const size_t first = std::min(log.find(" error: "), log.size());
  const size_t end = log.find(" error: ", first + 1);
  return log.substr(first, end == std::string_view::npos ? end : end - first);
}

// Whether the notes of the first error refer to a function in the headers in `headerFolder`.
bool notesCandidates(std::string_view log, std::string_view headerFolder) {
  log = ofFirstError(log);
  for (size_t at = log.find("note: candidate"); at != std::string_view::npos;
       at = log.find("note: candidate", at + 1)) {
    const size_t line = log.rfind('\n', at) + 1;
    if (log.substr(line).starts_with(headerFolder)) return true;
  }
  return false;
}

// Whether the error is about a call that matches no overload, or several.
bool isUnfitCall(std::string_view message) {
  return message.starts_with("no matching function for call to") ||
         (message.starts_with("call to ") && message.ends_with("is ambiguous"));
}

// Whether the first error is about a call of a host-only function.
bool callsHost(const std::string& message, std::string_view log) {
  return message.starts_with("reference to __host__ function") ||
         ofFirstError(log).find("call to __host__ function") != std::string_view::npos;
}

bool isNameOfCuda(std::string_view message) {
  const bool unknown = message.starts_with("use of undeclared identifier") ||
                       message.starts_with("unknown type name") ||
                       message.starts_with("no template named");
  const std::string_view name = quotedIn(message);
  const bool plain = name == "nvcuda" || name == "cuda";
  return (unknown && (name.starts_with("__") || plain)) ||
         (isUnfitCall(message) && name.starts_with("__")) ||
         message.find("in namespace 'cooperative_groups'") != std::string_view::npos;
}

}  // namespace

std::string withMaskedRotations(std::string ptx) {
  constexpr std::string_view kRest = "sub.u32 \t%amt2, 64, ", kMasked = "%amt2";
  for (size_t at = ptx.find(kRest); at != std::string::npos; at = ptx.find(kRest, at + 1)) {
    const size_t second = at + kRest.size();
    const std::string amount = ptx.substr(second, ptx.find(';', second) - second);
    const size_t first = ptx.rfind(", " + amount + ";", at);  // Of the preceding shift.
    if (amount == kMasked || first == std::string::npos) continue;
    const std::string mask = "\tand.b32 \t%amt2, " + amount + ", 63;\n";
    ptx.replace(second, amount.size(), kMasked);
    ptx.replace(first + 2, amount.size(), kMasked);
    ptx.insert(ptx.rfind('\n', first) + 1, mask);
    at += mask.size();
  }
  return ptx;
}

Error withRemedy(Error error, std::string_view log, std::string_view headerFolder) {
  const std::string header(quotedIn(error.message));
  if (error.message.ends_with("file not found")) {
    error.kind = ErrorKind::work;
    error.message = isDeviceHeader(header) ? header + " needs the CUDA Toolkit (NVRTC)"
                                           : "the header " + header + " is not on this machine";
  } else if (callsHost(error.message, log)) {
    error.message += "; it is a host function: write __device__ before it";
  } else if (isNameOfCuda(error.message) ||
             (isUnfitCall(error.message) && notesCandidates(log, headerFolder))) {
    error.kind = ErrorKind::work;
    error.message +=
        ". Tilestep's own headers for clang declare only part of CUDA (docs/kernels.md lists it); "
        "with the CUDA Toolkit installed, NVRTC compiles the kernel";
  }
  return error;
}

}  // namespace tilestep::compile
