// SPDX-License-Identifier: Apache-2.0
#include "lab/recording/recording_file.h"

#include <zlib.h>

#include <array>

#include "base/bytes.h"
#include "base/files.h"
#include "lab/recording/recording_check.h"
#include "lab/recording/recording_columns.h"
#include "lab/recording/recording_header.h"
#include "lab/recording/recording_points.h"

namespace tilestep::lab {
namespace {

/// A byte that no text begins with, the name, and line breaks that a text transfer would change.
constexpr std::string_view kMagic("\x89TSREC\r\n", 8);
constexpr size_t kFixedBytes = kMagic.size() + 2 * sizeof(uint32_t);
/// What a size or a tunable of a point takes beside its name, about.
constexpr size_t kBytesOfValue = 64;
constexpr size_t kMostHeaderBytes = size_t{1} << 20;

uint32_t checksumOf(std::string_view bytes) {
  return static_cast<uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

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

Error refusal(const std::string& file, const std::string& why) {
  return requestError(file + " is refused: " + why);
}

void writeBindings(ColumnWriter& columns, const std::vector<std::string>& names,
                   const compile::Bindings& bindings) {
  for (const std::string& name : names) {
    const auto at = bindings.find(name);
    columns.integer("point.values", at == bindings.end() ? 0 : at->second);
  }
}

/// The header's bytes, after the magic, the version and the length have been looked at.
Result<std::string_view> headerOf(std::string_view bytes, const std::string& file) {
  if (!bytes.starts_with(kMagic) || bytes.size() < kFixedBytes)
    return refusal(file, "it is not a recording: it does not begin as one");
  const uint32_t version = numberAt(bytes, kMagic.size());
  if (version > kRecordingVersion) {
    return refusal(file, "it is of version " + std::to_string(version) +
                             ", and this Tilestep reads version " +
                             std::to_string(kRecordingVersion) + ": take a newer Tilestep");
  }
  if (version == 0) return refusal(file, "byte 8: there is no version 0");
  const uint32_t length = numberAt(bytes, kMagic.size() + sizeof(uint32_t));
  if (length > kMostHeaderBytes)
    return refusal(file, "byte 12: a header of " + std::to_string(length) +
                             " bytes; at most 1048576 are read");
  if (length > bytes.size() - kFixedBytes) return refusal(file, "it is cut off within its header");
  return bytes.substr(kFixedBytes, length);
}

Status readColumns(const RecordingHeader& header, std::string_view payload, ColumnReader& columns) {
  size_t at = 0;
  for (const RecordingHeader::Column& column : header.columns) {
    if (column.bytes > payload.size() - at)
      return workError("column " + column.name + ": the file is cut off within it");
    if (Status s =
            columns.add(column.name, column.type, column.entries, payload.substr(at, column.bytes));
        !s)
      return s;
    at += column.bytes;
  }
  if (at < payload.size()) return workError("there are bytes that belong to no column");
  return {};
}

Status readPoints(const RecordingHeader& header, ColumnReader& columns, DeviceRecording& to) {
  PointReader reader(columns);
  if (header.points > 0 && to.kernels.empty()) return workError("there are points of no kernel");
  size_t nameBytes = 0;
  for (uint64_t i = 0; i < header.points && !columns.error(); ++i) {
    RecordedPoint& point = to.points.emplace_back();
    point.kernel = static_cast<uint32_t>(columns.upTo("point.kernel", to.kernels.size() - 1));
    const RecordedKernel& kernel = to.kernels[point.kernel];
    for (const std::string& name : kernel.sizes)
      point.sizes[name] = columns.integer("point.values");
    for (const std::string& name : kernel.tunables)
      point.tunables[name] = columns.integer("point.values");
    for (const auto* names : {&kernel.sizes, &kernel.tunables})
      for (const std::string& name : *names) nameBytes += name.size() + kBytesOfValue;
    if (nameBytes > ColumnReader::kMostReturnedBytes)
      return workError("the names of its points' values have more than 64 MiB together");
    describePoint(reader, point);
  }
  columns.checkEnds();
  return columns.error() ? Status(*columns.error()) : checkRecording(to);
}

}  // namespace

Result<std::string> encodeRecording(const DeviceRecording& recording, int level) {
  if (recording.points.size() > kMostRecordedPoints)
    return requestError("a recording has at most 100000 points");
  RecordingHeader header;
  header.about = recording;
  header.about.points.clear();
  header.points = recording.points.size();
  ColumnWriter columns;
  PointWriter writer(columns);
  for (const RecordedPoint& point : recording.points) {
    const RecordedKernel& kernel = recording.kernels[point.kernel];
    columns.integer("point.kernel", point.kernel);
    writeBindings(columns, kernel.sizes, point.sizes);
    writeBindings(columns, kernel.tunables, point.tunables);
    describePoint(writer, point);
  }
  std::string payload;
  uint64_t entries = 0;
  for (const PackedColumn& column : columns.pack(level)) {
    header.columns.push_back({column.name, column.type, column.entries, column.bytes.size()});
    payload += column.bytes;
    entries += column.entries;
  }
  const std::string text = headerText(header);
  const size_t size = kFixedBytes + text.size() + payload.size() + sizeof(uint32_t);
  if (entries > ColumnReader::kMostEntries || text.size() > kMostHeaderBytes ||
      size > kMostRecordingBytes)
    return requestError("the recording is larger than a file may be: record fewer points");
  std::string bytes(kMagic);
  bytes += numberBytes(kRecordingVersion) + numberBytes(static_cast<uint32_t>(text.size()));
  bytes += text + payload;
  return bytes + numberBytes(checksumOf(bytes));
}

Result<DeviceRecording> decodeRecording(std::string_view bytes, const std::string& file) {
  const auto text = headerOf(bytes, file);
  if (!text) return text.error();
  const size_t begin = kFixedBytes + text->size();
  if (bytes.size() - begin < sizeof(uint32_t)) return refusal(file, "it is cut off");
  const std::string_view summed = bytes.substr(0, bytes.size() - sizeof(uint32_t));
  if (checksumOf(summed) != numberAt(bytes, summed.size()))
    return refusal(file, "its checksum does not fit: it is damaged or cut off");
  Result<RecordingHeader> header = parseHeader(*text);
  if (!header) return refusal(file, header.error().message);
  DeviceRecording recording = std::move(header->about);
  ColumnReader columns;
  if (Status read = readColumns(*header, summed.substr(begin), columns); !read)
    return refusal(file, read.error().message);
  if (Status read = readPoints(*header, columns, recording); !read)
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
  const auto text = headerOf(*bytes, file);
  if (!text) return text.error();
  Result<RecordingHeader> header = parseHeader(*text);
  if (!header) return refusal(file, header.error().message);
  return std::move(header->about);
}

}  // namespace tilestep::lab
