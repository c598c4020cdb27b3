// SPDX-License-Identifier: Apache-2.0
#include "lab/recording/recording_columns.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace tilestep::lab {
namespace {

constexpr size_t kPiece = size_t{1} << 15;
constexpr size_t kPlanes = 8;

uint64_t zigzag(uint64_t difference) {
  return (difference << 1) ^ (0 - (difference >> 63));
}
uint64_t unZigzag(uint64_t value) {
  return (value >> 1) ^ (0 - (value & 1));
}

std::string plainOf(const std::vector<int64_t>& values) {
  std::string bytes;
  uint64_t before = 0;
  for (const int64_t signedValue : values) {
    const auto value = static_cast<uint64_t>(signedValue);
    uint64_t rest = zigzag(value - before);
    before = value;
    for (; rest >= 0x80; rest >>= 7) bytes += static_cast<char>((rest & 0x7f) | 0x80);
    bytes += static_cast<char>(rest);
  }
  return bytes;
}

std::string plainOf(const std::vector<double>& values) {
  std::string bytes(values.size() * kPlanes, '\0');
  for (size_t i = 0; i < values.size(); ++i) {
    const auto bits = std::bit_cast<uint64_t>(values[i]);
    for (size_t plane = 0; plane < kPlanes; ++plane)
      bytes[plane * values.size() + i] = static_cast<char>((bits >> (8 * plane)) & 0xff);
  }
  return bytes;
}

std::string deflated(const std::string& plain, int level) {
  uLongf size = compressBound(static_cast<uLong>(plain.size()));
  std::string bytes(size, '\0');
  // Fails for want of memory alone, and the buffer is as large as can be needed.
  compress2(reinterpret_cast<Bytef*>(bytes.data()), &size,
            reinterpret_cast<const Bytef*>(plain.data()), static_cast<uLong>(plain.size()), level);
  bytes.resize(size);
  return bytes;
}

/// Inflates piece by piece; `take` gets each piece and says whether it wants more.
class Inflater {
 public:
  explicit Inflater(std::string_view packed) : started_(inflateInit(&stream_) == Z_OK) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = static_cast<uInt>(packed.size());
  }
  ~Inflater() {
    if (started_) inflateEnd(&stream_);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  template <class Take>
  Status run(Take take) {
    if (!started_) return workError("there is not enough memory to unpack it");
    std::array<unsigned char, kPiece> piece;
    int state = Z_OK;
    while (state == Z_OK) {
      stream_.next_out = piece.data();
      stream_.avail_out = kPiece;
      state = inflate(&stream_, Z_NO_FLUSH);
      if (state != Z_OK && state != Z_STREAM_END) return workError("its packed bytes are damaged");
      const Status taken = take(std::span(piece.data(), kPiece - stream_.avail_out));
      if (!taken) return taken;
    }
    if (stream_.avail_in > 0) return workError("it has packed bytes left over");
    return {};
  }

 private:
  z_stream stream_{};
  bool started_;
};

Status tooMany(uint64_t entries) {
  return workError("it unpacks to more than the " + std::to_string(entries) +
                   " entries that the header names");
}

Status unpack(std::string_view packed, uint64_t entries, std::vector<int64_t>& values) {
  uint64_t before = 0, rest = 0;
  unsigned shift = 0;
  const Status status = Inflater(packed).run([&](std::span<const unsigned char> piece) -> Status {
    for (const unsigned char byte : piece) {
      if (values.size() == entries) return tooMany(entries);
      if (shift > 63 || (shift == 63 && (byte & 0x7e) != 0))
        return workError("entry " + std::to_string(values.size()) + " has more than 64 bits");
      rest |= uint64_t{byte & 0x7fU} << shift;
      shift += 7;
      if ((byte & 0x80) != 0) continue;
      before += unZigzag(rest);
      values.push_back(static_cast<int64_t>(before));
      rest = shift = 0;
    }
    return {};
  });
  if (!status) return status;
  return shift == 0 ? Status() : workError("its last entry is cut off");
}

Status unpack(std::string_view packed, uint64_t entries, std::vector<double>& values) {
  std::string plain;
  const Status status = Inflater(packed).run([&](std::span<const unsigned char> piece) -> Status {
    if (plain.size() + piece.size() > entries * kPlanes) return tooMany(entries);
    plain.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    return {};
  });
  if (!status) return status;
  if (plain.size() != entries * kPlanes) return {};  // The caller says how many are missing.
  values.reserve(entries);
  for (size_t i = 0; i < entries; ++i) {
    uint64_t bits = 0;
    for (size_t plane = 0; plane < kPlanes; ++plane)
      bits |= uint64_t{static_cast<unsigned char>(plain[plane * entries + i])} << (8 * plane);
    values.push_back(std::bit_cast<double>(bits));
  }
  return {};
}

/// Nothing that a terminal would act on.
bool isPlain(std::string_view text) {
  return std::ranges::none_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

Status unpack(std::string_view packed, uint64_t entries, std::vector<std::string>& texts) {
  std::string text;
  size_t bytes = 0;
  const Status status = Inflater(packed).run([&](std::span<const unsigned char> piece) -> Status {
    bytes += piece.size();
    if (bytes > ColumnReader::kMostTextBytes) return workError("it unpacks to more than 4 MiB");
    for (const unsigned char byte : piece) {
      if (texts.size() == entries) return tooMany(entries);
      if (byte != '\n') {
        text += static_cast<char>(byte);
        continue;
      }
      if (text.size() > ColumnReader::kMostText || !isPlain(text))
        return workError("entry " + std::to_string(texts.size()) +
                         " is not a text of at most 4096 bytes without control characters");
      texts.push_back(std::move(text));
      text.clear();
    }
    return {};
  });
  if (!status) return status;
  return text.empty() ? Status() : workError("its last text is cut off");
}

Error inColumn(std::string_view name, const std::string& what) {
  return workError("column " + std::string(name) + ": " + what);
}

}  // namespace

void ColumnWriter::integer(std::string_view name, int64_t value) {
  auto at = integers_.find(name);
  if (at == integers_.end())
    at = integers_.emplace(std::string(name), std::vector<int64_t>()).first;
  at->second.push_back(value);
}

void ColumnWriter::real(std::string_view name, double value) {
  auto at = reals_.find(name);
  if (at == reals_.end()) at = reals_.emplace(std::string(name), std::vector<double>()).first;
  at->second.push_back(value);
}

int64_t ColumnWriter::placeOf(const std::string& text) {
  const auto [at, isNew] = places_.emplace(text, static_cast<int64_t>(texts_.size()));
  if (isNew) texts_.push_back(text);
  return at->second;
}

std::vector<PackedColumn> ColumnWriter::pack(int level) const {
  std::vector<PackedColumn> packed;
  for (const auto& [name, values] : integers_)
    packed.push_back({name, ColumnType::integer, values.size(), deflated(plainOf(values), level)});
  for (const auto& [name, values] : reals_)
    packed.push_back({name, ColumnType::real, values.size(), deflated(plainOf(values), level)});
  std::string plain;
  for (const std::string& text : texts_) plain += text + "\n";
  if (!texts_.empty())
    packed.push_back({"texts", ColumnType::text, texts_.size(), deflated(plain, level)});
  std::ranges::sort(packed, {}, &PackedColumn::name);
  return packed;
}

Status ColumnReader::add(const std::string& name, ColumnType type, uint64_t entries,
                         std::string_view packed) {
  if (entries > kMostEntries - entries_) {
    return workError("column " + name + ": the columns have more than " +
                     std::to_string(kMostEntries) + " entries together");
  }
  entries_ += entries;
  const auto [at, isNew] = columns_.try_emplace(name);
  if (!isNew || (type == ColumnType::text && !texts_.empty()))
    return inColumn(name, "there are two of them");
  Column& column = at->second;
  Status unpacked;
  if (type == ColumnType::integer) unpacked = unpack(packed, entries, column.integers);
  if (type == ColumnType::real) unpacked = unpack(packed, entries, column.reals);
  if (type == ColumnType::text) unpacked = unpack(packed, entries, texts_);
  if (!unpacked) return inColumn(name, unpacked.error().message);
  const size_t has =
      type == ColumnType::text ? texts_.size() : column.integers.size() + column.reals.size();
  if (has == entries) return {};
  return inColumn(name, "it unpacks to fewer than the " + std::to_string(entries) +
                            " entries that the header names");
}

ColumnReader::Column* ColumnReader::find(std::string_view name) {
  if (error_) return nullptr;
  const auto at = columns_.find(name);
  if (at != columns_.end()) return &at->second;
  error_ = workError("there is no column " + std::string(name));
  return nullptr;
}

int64_t ColumnReader::integer(std::string_view name) {
  Column* column = find(name);
  if (column == nullptr) return 0;
  if (column->next < column->integers.size()) return column->integers[column->next++];
  error_ = inColumn(name, "it has too few whole numbers");
  return 0;
}

std::span<const int64_t> ColumnReader::integers(std::string_view name, uint64_t count) {
  Column* column = find(name);
  if (column == nullptr) return {};
  if (count > column->integers.size() - column->next) {
    error_ = inColumn(name, "it has too few whole numbers");
    return {};
  }
  const auto numbers = std::span<const int64_t>(column->integers).subspan(column->next, count);
  column->next += count;
  return numbers;
}

double ColumnReader::real(std::string_view name) {
  Column* column = find(name);
  if (column == nullptr) return 0;
  if (column->next < column->reals.size()) return column->reals[column->next++];
  error_ = inColumn(name, "it has too few numbers");
  return 0;
}

std::string ColumnReader::text(std::string_view name) {
  const int64_t place = integer(name);
  if (error_) return {};
  if (place < 0 || static_cast<uint64_t>(place) >= texts_.size()) {
    fail(name, "there is no text " + std::to_string(place));
    return {};
  }
  const std::string& text = texts_[static_cast<size_t>(place)];
  returnedBytes_ += text.size();
  if (returnedBytes_ <= kMostReturnedBytes) return text;
  fail(name, "the points' texts have more than 64 MiB together");
  return {};
}

uint64_t ColumnReader::upTo(std::string_view name, uint64_t most) {
  const int64_t value = integer(name);
  if (value >= 0 && static_cast<uint64_t>(value) <= most) return static_cast<uint64_t>(value);
  fail(name, std::to_string(value) + " is not from 0 to " + std::to_string(most));
  return 0;
}

void ColumnReader::fail(std::string_view name, const std::string& what) {
  const Column* column = find(name);
  if (column == nullptr) return;
  const size_t entry = column->next > 0 ? column->next - 1 : 0;
  error_ = inColumn(name, "entry " + std::to_string(entry) + ": " + what);
}

void ColumnReader::checkEnds() {
  for (const auto& [name, column] : columns_) {
    const size_t has = column.integers.size() + column.reals.size();
    if (!error_ && column.next > 0 && column.next < has)
      error_ = inColumn(name, "it has more entries than the points take");
  }
}

}  // namespace tilestep::lab
