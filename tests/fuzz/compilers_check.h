// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilestep::fuzz {

/// Compiles a text that is accepted, with a line in it that includes a file which is no header,
/// with every compiler that is here: none of them may read that file. Empty when all holds, else
/// which compiler read it, and the text as it was compiled. The text is made of pieces that open,
/// close and hide comments and literals: each byte of `orders` names one.
std::string checkCompilers(std::string_view orders);

}  // namespace tilestep::fuzz
