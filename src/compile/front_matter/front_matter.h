// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
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

/// Reads front matter alone: `name` becomes the kernel's, entries are as written, and nothing is
/// compared with a .cu file. Errors name file and line.
Result<KernelSpec> parseFrontMatter(const FrontMatter& front, const std::string& name);

/// From the first comment of the text, `/*--- … ---*/`, or from KernelSource::frontMatter. Both of
/// them, and neither, are Errors.
Result<FrontMatter> findFrontMatter(const KernelSource& source);

/// A kernel's text without its front matter.
struct BareText {
  std::string text;  ///< Blanks stand for the front matter, so that lines keep their numbers.
  int frontMatterLine = 0;  ///< Its first line; 0: there was none.
  size_t behind = 0;        ///< The place behind it.
};

/// Leaves out the first comment where it is front matter, whatever it says. Error: it has no end.
Result<BareText> withoutFrontMatter(const KernelSource& source);

/// The path of the TOML beside a kernel: "kernels/x.cu" has "kernels/x.toml".
[[nodiscard]] std::string tomlBeside(std::string_view kernelPath);

/// The name of a kernel's file without folder and ending.
[[nodiscard]] std::string stemOf(std::string_view kernelPath);

}  // namespace tilestep::compile
