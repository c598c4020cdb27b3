// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace tilestep::compile {

/// Refuses a text that lets the preprocessor read another file than a compiler's headers, or ask
/// whether there is one: #include of what has no plain name (isPlainHeader), #include_next,
/// #import, #embed, __has_include, __has_embed, and pragmas that look at files. It also refuses
/// #line, which would let a text give its errors the name of another file.
///
/// Judges what the preprocessor sees, wherever it stands: lines that end in a backslash are joined,
/// comments are blanks, and raw strings hold no directives. What compilers read in different ways
/// is refused, since it could hide a directive from this reader: a lone carriage return, blanks
/// between a backslash and the end of its line, characters outside ASCII in front of or in a name,
/// a raw string that touches a name, a number or another literal, marks of unsolved conflicts.
///
/// The error names the first such line of `path`. Takes any text; time is linear.
Status checkDirectives(std::string_view text, const std::string& path);

}  // namespace tilestep::compile
