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

/// Archives that store values as trees: CBOR (RFC 8949) for messages and recordings, JSON for
/// reports between processes. No field may be missing; one without a value is null (Archive::has).
namespace tilestep {

constexpr size_t kMostCborDepth = 32;
constexpr uint64_t kMostCborItems = uint64_t{1} << 20;  ///< Values of all kinds.

/// Whether the strings come from this program. Strings of a `stranger` are made printable
/// (base/printable.h), and one-line strings are limited to Archive::kLongestText bytes.
enum class Trust : bool { own, stranger };

[[nodiscard]] std::vector<std::byte> toCbor(const Archive::Body& body);
/// `what` is the first part of the path in errors: "message" in "message.body.device.name".
Status readCbor(std::span<const std::byte> bytes, const std::string& what, Trust trust,
                const Archive::Body& body, uint64_t mostItems = kMostCborItems);

[[nodiscard]] std::string toJsonText(const Archive::Body& body);
Status readJsonText(std::string_view text, const std::string& what, Trust trust,
                    const Archive::Body& body);

/// Rejects CBOR that is truncated or has trailing bytes, is nested deeper than kMostCborDepth,
/// contains more than `mostItems` items, or uses tags or indefinite lengths, which toCbor() never
/// writes. Needs neither recursion nor allocation, so call it before a recursive parser.
Status checkCbor(std::span<const std::byte> body, uint64_t mostItems = kMostCborItems);

}  // namespace tilestep
