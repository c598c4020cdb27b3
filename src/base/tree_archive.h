// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/archive.h"
#include "base/result.h"

/// Values as trees: CBOR (RFC 8949) for messages and recordings, JSON for reports between
/// processes. Every field has to be present; one that may be absent is asked for by Archive::has.
namespace tilestep {

constexpr size_t kMostCborDepth = 32;
constexpr uint64_t kMostCborItems = uint64_t{1} << 20;  ///< Numbers, texts, lists … together.

/// Whose texts are read. Those of a stranger are made printable (base/printable.h) and are limited
/// to Archive::kLongestText bytes where they are one line.
enum class Trust : bool { own, stranger };

[[nodiscard]] std::vector<std::byte> toCbor(const Archive::Body& body);
/// `what` begins the path in an error: "message.body.device.name".
Status readCbor(std::span<const std::byte> bytes, const std::string& what, Trust trust,
                const Archive::Body& body, uint64_t mostItems = kMostCborItems);

[[nodiscard]] std::string toJsonText(const Archive::Body& body);
Status readJsonText(std::string_view text, const std::string& what, Trust trust,
                    const Archive::Body& body);

/// Refuses CBOR that is cut off or has bytes left over, nests deeper than kMostCborDepth, holds
/// more than `mostItems`, or uses what is never written here (tags, indefinite lengths). No
/// recursion and no allocation, so it is safe before a parser that recurses.
Status checkCbor(std::span<const std::byte> body, uint64_t mostItems = kMostCborItems);

}  // namespace tilestep
