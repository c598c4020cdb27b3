// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilestep::ptx {

/// The source name of a PTX symbol: "_ZZ6matmulPfE3Mds" and "matmul::Mds" become "Mds",
/// "_Z6matmulPf" becomes "matmul", and "_Z4tileILi16EEvPf" becomes "tile<16>". Others do not
/// change.
[[nodiscard]] std::string displayName(std::string_view symbol);

}  // namespace tilestep::ptx
