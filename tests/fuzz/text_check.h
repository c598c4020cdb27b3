// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilestep::fuzz {

/// Takes any text as a CUDA C++ program: cuts it into tokens, leaves host code out, judges its
/// directives, looks for kernels, and drafts front matter. Empty when all holds, else what does
/// not: tokens that are not the text's, a cut text of another shape, a directive that another
/// reading of an accepted text finds, a draft that is no front matter.
std::string checkText(std::string_view text);

/// The first directive or word in `text`, read in plain passes, that brings in another file than a
/// device's header, or asks for one; empty: there is none. A text that is not plain enough for
/// these passes, such as one with a raw string that has no end, has none.
std::string foreignDirective(std::string_view text);

}  // namespace tilestep::fuzz
