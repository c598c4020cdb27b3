// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/process/run_command.h"
#include "base/result.h"
#include "compile/kernel.h"

namespace tilestep::compile {

/// What nvcc says of a whole file, host code and all.
struct NvccAnswer {
  enum class Kind : uint8_t {
    takes,
    refuses,
    takesOtherwise,  ///< It refuses the file as asked, and takes it in another way (Nvcc::ask).
    /// The file includes a header that is not here, or one by a path or a macro; nvcc does not know
    /// the `arch`, or ptxas alone refuses the file, which says so where it is asked with NVRTC.
    unknown,
  };
  Kind kind = Kind::unknown;
  /// Where it refuses the file as asked: the first error in code of the device, else the first one,
  /// with its place.
  std::optional<Error> error;
  bool isOfDevice = false;  ///< That error is in code of the device.
  std::string name;         ///< "nvcc", and where it refuses the file "nvcc 13.0".
};

/// What it says by how it ended and by its log. An Error of kind work where that is no answer.
/// Takes any log.
[[nodiscard]] Result<NvccAnswer> nvccAnswer(const CommandResult& ran, const KernelSource& source);

/// Why a run failed that may succeed at another time: it reached a limit, crashed, or lacked
/// something of the machine. Nothing for any other end. Takes any log.
[[nodiscard]] std::optional<Error> machinesFault(const CommandResult& ran);

/// "13.0" of what nvcc says of its version, "compute_121" of its list of all architectures; empty
/// for other text.
[[nodiscard]] std::string nvccVersion(const std::string& text);
[[nodiscard]] std::string newestArch(const std::string& text);

}  // namespace tilestep::compile
