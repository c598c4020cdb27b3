// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "compile/kernel.h"

namespace tilestep::compile {

/// The TOML of a kernel. Everything before the TOML is replaced by blanks, so that lines and
/// columns are those of the file.
struct FrontMatter {
  std::string file;  ///< The .cu file, or the .toml file beside it, for errors.
  std::string toml;
};

/// Parses front matter without a .cu file: `name` becomes the kernel's name, and entries stay as
/// written. Errors contain file and line.
Result<KernelSpec> parseFrontMatter(const FrontMatter& front, const std::string& name);

/// The front matter in the first comment of the source, `/*--- … ---*/`, or in
/// KernelSource::frontMatter. Fails if neither or both exist.
Result<FrontMatter> findFrontMatter(const KernelSource& source);

/// A kernel's source without its front matter.
struct BareText {
  std::string text;  ///< The front matter is replaced by blanks, so that lines keep their numbers.
  int frontMatterLine = 0;  ///< The first line of the front matter; 0 if there is none.
  size_t behind = 0;        ///< The offset after the front matter.
};

/// Removes the first comment if it is front matter, without parsing it. Fails if it is not closed.
Result<BareText> withoutFrontMatter(const KernelSource& source);

/// The path of the TOML file beside a kernel: "kernels/x.toml" for "kernels/x.cu".
[[nodiscard]] std::string tomlBeside(std::string_view kernelPath);

/// The name of a kernel's file without folder and extension.
[[nodiscard]] std::string stemOf(std::string_view kernelPath);

}  // namespace tilestep::compile
