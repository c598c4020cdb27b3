// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilestep::ptx {

/// The name a person wrote, from a symbol of PTX: "_ZZ6matmulPfE3Mds" and "matmul::Mds" are "Mds",
/// "_Z6matmulPf" is "matmul", "_Z4tileILi16EEvPf" is "tile<16>"; any other text is itself.
[[nodiscard]] std::string displayName(std::string_view symbol);

}  // namespace tilestep::ptx
