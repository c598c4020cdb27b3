// SPDX-License-Identifier: Apache-2.0
#include "lab/recording/recording_file.h"

#include <span>

#include "base/bytes.h"
#include "base/files.h"
#include "base/tree_archive.h"
#include "lab/recording/packed.h"
#include "lab/recording/recording_fields.h"
#include "lab/recording/recording_v1.h"

namespace tilestep::lab {
namespace {

/// A byte that begins no text file, the name, and line breaks that text transfers change.
constexpr std::string_view kMagic("\x89TSREC\r\n", 8);
constexpr size_t kFixedBytes = kMagic.size() + 2 * sizeof(uint32_t);
constexpr size_t kMostHeaderBytes = size_t{1} << 20;
/// Limits for the unpacked points: their bytes, and their count of numbers and names.
constexpr size_t kMostPointBytes = size_t{128} << 20;
constexpr uint64_t kMostPointItems = uint64_t{1} << 23;

std::string numberBytes(uint32_t value) {
  ByteWriter writer;
  writer.put(value);
  const std::vector<std::byte> bytes = writer.take();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

uint32_t numberAt(std::string_view bytes, size_t at) {
  ByteReader reader(std::as_bytes(std::span(bytes.substr(at))));
  return reader.get<uint32_t>().value_or(0);
}

std::string textOf(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Error refusal(const std::string& file, const std::string& why) {
  return requestError(file + " is refused: " + why);
}

/// The version and the header's bytes, after the magic and the length are checked.
struct Start {
  uint32_t version = 0;
  std::string_view header;
};
Result<Start> startOf(std::string_view bytes, const std::string& file) {
  if (!bytes.starts_with(kMagic) || bytes.size() < kFixedBytes)
    return refusal(file, "it does not begin like a recording");
  const uint32_t version = numberAt(bytes, kMagic.size());
  if (version == 0 || version > kRecordingVersion)
    return refusal(file, "its version is " + std::to_string(version) +
                             "; this Tilestep reads versions 1 to " +
                             std::to_string(kRecordingVersion) +
                             (version == 0 ? "" : "; install a newer Tilestep"));
  const uint32_t length = numberAt(bytes, kMagic.size() + sizeof(uint32_t));
  if (length > kMostHeaderBytes) return refusal(file, "its header is longer than 1 MiB");
  if (length > bytes.size() - kFixedBytes)
    return refusal(file, "it is truncated within its header");
  return Start{version, bytes.substr(kFixedBytes, length)};
}

Result<DeviceRecording> headerOf(const Start& start) {
  if (start.version == 1) return readHeaderV1(start.header);
  DeviceRecording recording;
  const Status read = readCbor(std::as_bytes(std::span(start.header)), "header", Trust::stranger,
                               [&](Archive& io) { describeHeader(io, recording); });
  if (!read) return read.error();
  return recording;
}

Status readPoints(std::string_view packed, DeviceRecording& recording) {
  const Result<std::string> points = inflated(packed, kMostPointBytes);
  if (!points) return points.error();
  return readCbor(
      std::as_bytes(std::span(*points)), "recording", Trust::stranger,
      [&](Archive& io) { describePoints(io, recording); }, kMostPointItems);
}

}  // namespace

Result<std::string> encodeRecording(const DeviceRecording& recording, int level) {
  if (recording.points.size() > kMostRecordedPoints)
    return requestError("a recording has at most 100000 points");
  DeviceRecording copy = recording;
  const std::string header = textOf(toCbor([&](Archive& io) { describeHeader(io, copy); }));
  const std::vector<std::byte> plain = toCbor([&](Archive& io) { describePoints(io, copy); });
  const std::string points = deflated(textOf(plain), level);
  std::string bytes(kMagic);
  bytes += numberBytes(kRecordingVersion) + numberBytes(static_cast<uint32_t>(header.size()));
  bytes += header + points;
  bytes += numberBytes(checksumOf(bytes));
  size_t values = 0;
  for (const RecordedPoint& point : recording.points) values += namedValues(point);
  // A file that cannot be read again must not be written.
  if (header.size() > kMostHeaderBytes || bytes.size() > kMostRecordingBytes ||
      plain.size() > kMostPointBytes || !checkCbor(plain, kMostPointItems) ||
      values > kMostNamedValues)
    return requestError("the recording is too large for a file; record fewer points");
  return bytes;
}

Result<DeviceRecording> decodeRecording(std::string_view bytes, const std::string& file) {
  const Result<Start> start = startOf(bytes, file);
  if (!start) return start.error();
  const size_t begin = kFixedBytes + start->header.size();
  if (bytes.size() - begin < sizeof(uint32_t)) return refusal(file, "it is truncated");
  const std::string_view summed = bytes.substr(0, bytes.size() - sizeof(uint32_t));
  if (checksumOf(summed) != numberAt(bytes, summed.size()))
    return refusal(file, "its checksum does not match; it is damaged or truncated");
  if (start->version == 1) {
    const Result<DeviceRecording> old = readV1(start->header, summed.substr(begin));
    if (!old) return refusal(file, old.error().message);
    // The values are checked in the current format.
    const Result<std::string> converted = encodeRecording(*old, 1);
    return converted ? decodeRecording(*converted, file) : converted.error();
  }
  Result<DeviceRecording> recording = headerOf(*start);
  if (!recording) return refusal(file, recording.error().message);
  if (const Status read = readPoints(summed.substr(begin), *recording); !read)
    return refusal(file, read.error().message);
  return recording;
}

Result<DeviceRecording> readRecording(const std::string& file) {
  const Result<std::string> bytes = readTextFile(file, kMostRecordingBytes);
  if (!bytes) return bytes.error();
  return decodeRecording(*bytes, file);
}

Result<DeviceRecording> readRecordingHeader(const std::string& file) {
  const Result<std::string> bytes = readFileStart(file, kFixedBytes + kMostHeaderBytes);
  if (!bytes) return bytes.error();
  const Result<Start> start = startOf(*bytes, file);
  if (!start) return start.error();
  Result<DeviceRecording> header = headerOf(*start);
  if (!header) return refusal(file, header.error().message);
  return header;
}

}  // namespace tilestep::lab
