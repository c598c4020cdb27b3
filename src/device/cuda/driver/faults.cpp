// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/driver/faults.h"

#include "base/figure.h"

namespace tilestep::cuda {
namespace {

constexpr const char* kNamesTheLine =
    "run the same launch in the interpreter (--device simt), which reports the line and the "
    "thread.";

struct Meaning {
  ApiResult result;
  const char* kind;
  const char* did;   ///< What the kernel did: "… accessed memory outside its allocations".
  const char* todo;  ///< The remedy, before the interpreter is suggested.
};
constexpr Meaning kMeanings[] = {
    {kIllegalAddress, "out-of-bounds", "accessed memory outside its allocations",
     "Check its indices and guards"},
    {kMisalignedAddress, "misaligned",
     "used an address that is not aligned to the width of the access",
     "Check its casts to wider types and the offsets it adds"},
    {kInvalidAddressSpace, "out-of-bounds", "used an address of the wrong kind of memory",
     "Check its pointers to shared and local memory"},
    {kAssert, "assertion", "failed an assertion", "Check the assertion's condition"},
    {kHardwareStackError, "launch-failed", "ran out of its stack", "Check recursion and arrays"},
    {kIllegalInstruction, "launch-failed", "executed an illegal instruction",
     "Check inline assembly"},
    {kInvalidPc, "launch-failed", "jumped to an address without code", "Check function pointers"},
    {kLaunchFailed, "launch-failed", "ended with an exception on the GPU",
     "Check its accesses to shared and local memory"},
    {kLaunchTimeout, "timeout", "ran longer than the driver allows on a GPU with a display",
     "Choose smaller sizes, or check its loops"},
};

const Meaning* meaningOf(ApiResult result) {
  for (const Meaning& meaning : kMeanings) {
    if (meaning.result == result) return &meaning;
  }
  return nullptr;
}

bool isGone(ApiResult result) {
  return result == kDeviceUnavailable || result == kNoDevice || result == kEccUncorrectable ||
         result == kNvlinkUncorrectable || result == kContextIsDestroyed || result == kUnknown;
}

}  // namespace

bool isKernelsDoing(ApiResult result) {
  return meaningOf(result) != nullptr;
}

bool isFatal(ApiResult result) {
  return meaningOf(result) != nullptr || isGone(result);
}

std::string driversWord(const Driver& driver, ApiResult result) {
  const char* name = nullptr;
  const char* text = nullptr;
  if (driver.api().getErrorName(result, &name) != kSuccess || name == nullptr) {
    name = "unknown error";
  }
  if (driver.api().getErrorString(result, &text) != kSuccess || text == nullptr) {
    text = "no description";
  }
  return std::string(text) + ", " + name + ", " + std::to_string(result);
}

device::Fault faultOf(const Driver& driver, ApiResult fatal, const std::string& what) {
  const std::string word = " (the driver says: " + driversWord(driver, fatal) + "). ";
  device::Fault fault;
  if (const Meaning* meaning = meaningOf(fatal)) {
    fault.kind = meaning->kind;
    fault.message = what + " " + meaning->did + word + meaning->todo + ", or " + kNamesTheLine;
    return fault;
  }
  fault.kind = "device-lost";
  fault.message = "The GPU stopped responding while " + what + " ran" + word +
                  "nvidia-smi and the system's log (Xid) may show why; meanwhile run the same " +
                  "launch in the interpreter (--device simt).";
  return fault;
}

device::Fault timeoutFault(const std::string& what, double seconds) {
  device::Fault fault;
  fault.kind = "timeout";
  fault.message = what + " ran past its time limit of " + toText(seconds, Unit::seconds) +
                  " on the GPU (the driver reports only that it is still running). Check that its "
                  "loops end, raise the limit with --timeout, choose smaller sizes, or " +
                  kNamesTheLine;
  return fault;
}

device::Fault lateTimeoutFault(const std::string& what, double plainSeconds,
                               const std::string& step, double seconds) {
  device::Fault fault;
  fault.kind = "time-limit";
  fault.message =
      what + " itself ended after " + toText(plainSeconds, Unit::seconds) + ", but " + step +
      " had not ended when the time limit of " + toText(seconds, Unit::seconds) +
      ", which applies to the whole request, had passed; earlier results are kept. "
      "Raise the limit with --timeout, request less at a time, or choose smaller sizes.";
  return fault;
}

}  // namespace tilestep::cuda
