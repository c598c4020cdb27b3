// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace tilestep::fuzz {

/// Takes bytes as a stream that a worker or its client might get: in one piece and in many, behind
/// noise, and as the body of a message. Whatever comes out of it is decoded; what decodes is said
/// again. The empty string when all holds, else what does not.
std::string checkFrames(std::span<const std::byte> stream);

}  // namespace tilestep::fuzz
