// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace tilestep::compile {

/// Rejects sources that make the preprocessor read files other than a compiler's headers, or test
/// whether such a file exists: #include of a name that is not plain (isPlainHeader()),
/// #include_next, #import, #embed, __has_include, __has_embed, and pragmas that inspect files. Also
/// rejects #line, with which a source could attribute its errors to another file.
///
/// Reads the source as the preprocessor does: lines that end with a backslash are joined, comments
/// are blanks, and raw strings contain no directives. Constructs that compilers read differently
/// are rejected, because they could hide a directive from this check: a carriage return without a
/// line feed, blanks between a backslash and the end of its line, characters outside ASCII except
/// in comments and literals, a raw string directly after a name, a number or another literal, and
/// unresolved merge-conflict markers.
///
/// The error contains `path` and the first such line. Accepts any text. Runs in linear time.
Status checkDirectives(std::string_view text, const std::string& path);

}  // namespace tilestep::compile
