// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "compile/kernel.h"

namespace tilestep::compile {

/// The TOML of a kernel. Everything before it is replaced by blanks, so that TOML's lines and
/// columns are those of the file.
struct FrontMatter {
  std::string file;  ///< For errors: the .cu, or the .toml beside it.
  std::string toml;
};

/// Parses front matter alone: `name` becomes the kernel's name, entries stay as written, and
/// nothing is compared with a .cu file. Errors name file and line.
Result<KernelSpec> parseFrontMatter(const FrontMatter& front, const std::string& name);

/// From the first comment of the text, `/*--- … ---*/`, or from KernelSource::frontMatter. Having
/// both or neither is an Error.
Result<FrontMatter> findFrontMatter(const KernelSource& source);

/// A kernel's text without its front matter.
struct BareText {
  std::string text;         ///< Front matter is blank, so that lines keep their numbers.
  int frontMatterLine = 0;  ///< Its first line; 0: none.
  size_t behind = 0;        ///< The offset after it.
};

/// Removes the first comment if it is front matter, without parsing it. An unterminated one is an
/// Error.
Result<BareText> withoutFrontMatter(const KernelSource& source);

/// The path of the TOML file beside a kernel: "kernels/x.toml" for "kernels/x.cu".
[[nodiscard]] std::string tomlBeside(std::string_view kernelPath);

/// The name of a kernel's file without folder and extension.
[[nodiscard]] std::string stemOf(std::string_view kernelPath);

}  // namespace tilestep::compile
