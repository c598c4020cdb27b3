// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "compile/kernel.h"

namespace tilestep::compile {

/// The TOML of a kernel, with blanks for all that comes before it, so that TOML's lines and
/// columns are those of the file.
struct FrontMatter {
  std::string file;  ///< For errors: the .cu, or the .toml beside it.
  std::string toml;
};

/// From the first comment of the text, `/*--- … ---*/`, or from KernelSource::frontMatter.
Result<FrontMatter> findFrontMatter(const KernelSource& source);

/// The path of the TOML beside a kernel: "kernels/x.cu" has "kernels/x.toml".
[[nodiscard]] std::string tomlBeside(std::string_view kernelPath);

/// The name of a kernel's file without folder and ending.
[[nodiscard]] std::string stemOf(std::string_view kernelPath);

}  // namespace tilestep::compile
