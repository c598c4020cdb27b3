// SPDX-License-Identifier: Apache-2.0
#include "fuzz/recording_changes.h"

#include <array>
#include <cstdint>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "fuzz/recording_check.h"
#include "lab/recording/recording_columns.h"

namespace tilestep::fuzz {
namespace {

using Json = nlohmann::ordered_json;
using lab::ColumnType;

constexpr size_t kLengthAt = 12, kFixedBytes = 16, kSumBytes = 4;
constexpr size_t kMostChanges = 4;

constexpr std::array<int64_t, 16> kWholes{0,
                                          1,
                                          2,
                                          33,
                                          255,
                                          4095,
                                          4096,
                                          4097,
                                          65536,
                                          std::numeric_limits<int32_t>::max(),
                                          std::numeric_limits<uint32_t>::max(),
                                          int64_t{1} << 40,
                                          std::numeric_limits<int64_t>::max(),
                                          std::numeric_limits<int64_t>::min(),
                                          -1,
                                          -2};
constexpr std::array<double, 9> kReals{0.0,
                                       -0.0,
                                       -1.0,
                                       5e-324,
                                       1e-9,
                                       1e18,
                                       1e300,
                                       std::numeric_limits<double>::infinity(),
                                       std::numeric_limits<double>::quiet_NaN()};

class Orders {
 public:
  explicit Orders(std::span<const std::byte> bytes) : bytes_(bytes) {}
  [[nodiscard]] bool areLeft() const { return !bytes_.empty(); }
  /// 0 to count - 1; count > 0. 0 where no order is left.
  size_t pick(size_t count) {
    size_t value = 0;
    for (int i = 0; i < 2 && !bytes_.empty(); ++i, bytes_ = bytes_.subspan(1))
      value = value << 8 | static_cast<size_t>(bytes_.front());
    return value % count;
  }

 private:
  std::span<const std::byte> bytes_;
};

struct Column {
  std::string name;
  ColumnType type = ColumnType::integer;
  std::vector<int64_t> wholes;
  std::vector<double> reals;
  std::string packedTexts;
  uint64_t texts = 0;
};

struct Parts {
  std::string before;  ///< Magic and version.
  Json header;
  std::vector<Column> columns;
};

Column columnOf(const Json& about, std::string_view packed) {
  Column column;
  column.name = about["name"];
  const uint64_t entries = about["entries"];
  const std::string type = about["type"];
  if (type == "text") {
    column.type = ColumnType::text;
    column.packedTexts = packed;
    column.texts = entries;
    return column;
  }
  column.type = type == "real" ? ColumnType::real : ColumnType::integer;
  lab::ColumnReader reader;
  if (!reader.add(column.name, column.type, entries, packed)) return column;
  for (uint64_t i = 0; i < entries; ++i) {
    if (column.type == ColumnType::real)
      column.reals.push_back(reader.real(column.name));
    else
      column.wholes.push_back(reader.integer(column.name));
  }
  return column;
}

Parts partsOf(std::string_view bytes) {
  size_t length = 0;
  for (size_t i = 4; i-- > 0;)
    length = length << 8 | static_cast<unsigned char>(bytes[kLengthAt + i]);
  Parts parts;
  parts.before = bytes.substr(0, kLengthAt);
  parts.header = Json::parse(bytes.substr(kFixedBytes, length));
  size_t at = kFixedBytes + length;
  for (const Json& about : parts.header["columns"]) {
    const uint64_t size = about["bytes"];
    parts.columns.push_back(columnOf(about, bytes.substr(at, size)));
    at += size;
  }
  return parts;
}

lab::PackedColumn packed(const Column& column) {
  if (column.type == ColumnType::text)
    return {column.name, column.type, column.texts, column.packedTexts};
  lab::ColumnWriter writer;
  for (const int64_t value : column.wholes) writer.integer(column.name, value);
  for (const double value : column.reals) writer.real(column.name, value);
  const std::vector<lab::PackedColumn> all = writer.pack(1);
  return all.empty() ? lab::PackedColumn{column.name, column.type, 0, {}} : all.front();
}

std::string bytesOf(Parts parts) {
  std::string payload;
  Json columns = Json::array();
  for (const Column& column : parts.columns) {
    const lab::PackedColumn one = packed(column);
    if (one.entries == 0) continue;
    constexpr const char* kTypes[] = {"integer", "real", "text"};
    columns.push_back({{"name", one.name},
                       {"type", kTypes[static_cast<size_t>(one.type)]},
                       {"entries", one.entries},
                       {"bytes", one.bytes.size()}});
    payload += one.bytes;
  }
  parts.header["columns"] = std::move(columns);
  const std::string text = parts.header.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string bytes = parts.before;
  for (size_t i = 0; i < 4; ++i) bytes += static_cast<char>(text.size() >> (8 * i) & 0xff);
  bytes += text + payload + std::string(kSumBytes, '\0');
  return withChecksum(std::as_bytes(std::span(bytes)));
}

void collect(Json& tree, std::vector<Json*>& into) {
  if (!tree.is_structured()) return into.push_back(&tree);
  for (auto child = tree.begin(); child != tree.end(); ++child)
    if (!tree.is_object() || child.key() != "columns") collect(*child, into);
}

void changeHeader(Json& header, Orders& orders) {
  std::vector<Json*> values;
  collect(header, values);
  Json& value = *values[orders.pick(values.size())];
  switch (orders.pick(4)) {
    case 0:
      value = kWholes[orders.pick(kWholes.size())];
      break;
    case 1:
      value = kReals[orders.pick(kReals.size())];
      break;
    case 2:
      value = std::string(orders.pick(5000), 'x');
      break;
    default:
      value = nullptr;
      break;
  }
}

/// A list loses or gains an element: its length in "name#" and its entry in "name".
void changeList(std::vector<Column>& columns, Orders& orders) {
  std::vector<Column*> lengths;
  for (Column& column : columns)
    if (column.name.ends_with('#') && !column.wholes.empty()) lengths.push_back(&column);
  if (lengths.empty()) return;
  Column& length = *lengths[orders.pick(lengths.size())];
  int64_t& count = length.wholes[orders.pick(length.wholes.size())];
  const bool grows = orders.pick(2) == 1;
  if (count <= 0) return;
  count += grows ? 1 : -1;
  const std::string name = length.name.substr(0, length.name.size() - 1);
  for (Column& column : columns) {
    if (column.name != name || column.wholes.empty()) continue;
    const auto at =
        column.wholes.begin() + static_cast<std::ptrdiff_t>(orders.pick(column.wholes.size()));
    if (grows)
      column.wholes.insert(at, *at);
    else
      column.wholes.erase(at);
  }
}

void changeEntry(Column& column, Orders& orders) {
  if (!column.wholes.empty()) {
    int64_t& entry = column.wholes[orders.pick(column.wholes.size())];
    const size_t how = orders.pick(4);
    if (how == 0) std::swap(entry, column.wholes[orders.pick(column.wholes.size())]);
    if (how == 1) entry ^= int64_t{1} << orders.pick(20);
    if (how >= 2) entry = kWholes[orders.pick(kWholes.size())];
  } else if (!column.reals.empty()) {
    column.reals[orders.pick(column.reals.size())] = kReals[orders.pick(kReals.size())];
  }
}

}  // namespace

std::string changedRecording(std::string_view recording, std::span<const std::byte> bytes) {
  Parts parts = partsOf(recording);
  Orders orders(bytes);
  for (size_t i = 0; i < kMostChanges && orders.areLeft(); ++i) {
    const size_t kind = orders.pick(8);
    if (kind == 0) changeHeader(parts.header, orders);
    if (kind == 1 || kind == 2) changeList(parts.columns, orders);
    if (kind > 2 && !parts.columns.empty())
      changeEntry(parts.columns[orders.pick(parts.columns.size())], orders);
  }
  return bytesOf(std::move(parts));
}

}  // namespace tilestep::fuzz
