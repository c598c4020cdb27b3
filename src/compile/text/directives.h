// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace tilestep::compile {

/// Rejects a text that makes the preprocessor read files other than a compiler's headers, or test
/// whether such a file exists: #include of a name that is not plain (isPlainHeader), #include_next,
/// #import, #embed, __has_include, __has_embed, and pragmas that inspect files. It also rejects
/// #line, with which a text could attribute its errors to another file.
///
/// It examines the text as the preprocessor sees it: lines that end in a backslash are joined,
/// comments are blanks, and raw strings contain no directives. Constructs that compilers read
/// differently are rejected, since they could hide a directive from this check: a lone carriage
/// return, blanks between a backslash and the end of its line, characters outside ASCII before or
/// in a name, a raw string that touches a name, a number or another literal, unresolved
/// merge-conflict markers.
///
/// The error names the first such line of `path`. Accepts any text; time is linear.
Status checkDirectives(std::string_view text, const std::string& path);

}  // namespace tilestep::compile
