// SPDX-License-Identifier: Apache-2.0
#include "simt/parameter_block.h"

#include <algorithm>
#include <cstring>

namespace tilestep::simt {

void takeParameters(const ptx::Function& entry, std::span<const uint8_t> block,
                    GridRequest& request) {
  for (size_t i = 0; i < entry.parameters.size(); ++i) {
    const ptx::Parameter& parameter = entry.parameters[i];
    const auto bytes = block.subspan(parameter.offset, parameter.bytes());
    uint64_t bits = 0;
    std::memcpy(&bits, bytes.data(), std::min<size_t>(bytes.size(), sizeof bits));
    request.parameters.push_back(bits);
    if (parameter.elements > 1) request.structures[i] = {bytes.begin(), bytes.end()};
  }
}

}  // namespace tilestep::simt
