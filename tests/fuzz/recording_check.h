// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace tilestep::fuzz {

/// Reads `bytes` as a recording; what is accepted must come back when it is written again. Empty,
/// or what went wrong.
std::string checkRecordingBytes(std::span<const std::byte> bytes);

/// The bytes with their checksum set right, so that damage gets through to what reads the rest.
std::string withChecksum(std::span<const std::byte> bytes);

}  // namespace tilestep::fuzz
