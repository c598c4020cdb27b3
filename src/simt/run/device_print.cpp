// SPDX-License-Identifier: Apache-2.0
#include "simt/run/device_print.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>

namespace tilestep::simt {
namespace {

constexpr size_t kMostFormatted = 4096;
constexpr int kMostWidth = 1024;

/// A conversion specification, such as "%-8.3lf".
struct Conversion {
  std::string flags;
  std::optional<int> width, precision;
  bool wide = false;  ///< The argument has 64 bits.
  int narrow = 0;     ///< The number of h modifiers.
  char kind = 0;
};

class Printer {
 public:
  /// If `source` is null, only counts arguments.
  Printer(const std::string& format, uint64_t arguments, const PrintSource* source)
      : format_(format), next_(arguments), source_(source) {}

  std::string run() {
    text_.reserve(source_ == nullptr ? 0 : format_.size() + 32);
    while (at_ < format_.size() && text_.size() < kMostFormatted) {
      if (format_[at_] != '%')
        plainText();
      else
        convert();
    }
    if (text_.size() > kMostFormatted) text_.resize(kMostFormatted);
    return std::move(text_);
  }
  [[nodiscard]] uint32_t count() const { return count_; }

 private:
  void plainText() {
    const size_t end = std::min(format_.find('%', at_), format_.size());
    append(format_.data() + at_, end - at_);
    at_ = end;
  }
  void append(const char* text, size_t size) {
    if (source_ != nullptr) text_.append(text, size);
  }

  char peek() const { return at_ < format_.size() ? format_[at_] : '\0'; }

  template <class T>
  T take() {
    next_ = (next_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value{};
    if (source_ == nullptr || !source_->read(next_, &value, sizeof value)) value = T{};
    next_ += sizeof(T);
    ++count_;
    return value;
  }

  /// Parses a number, or '*', which takes it from an argument.
  std::optional<int> number() {
    if (peek() == '*') {
      ++at_;
      return take<int32_t>();
    }
    std::optional<int> value;
    while (peek() >= '0' && peek() <= '9') {
      value = std::min(value.value_or(0) * 10 + (format_[at_++] - '0'), kMostWidth);
    }
    return value;
  }

  Conversion parse() {
    Conversion c;
    while (peek() != '\0' && std::strchr("-+ #0", peek()) != nullptr) c.flags += format_[at_++];
    c.width = number();
    if (c.width && *c.width < 0) {
      c.flags += '-';
      c.width = -*c.width;
    }
    if (c.width) c.width = std::min(*c.width, kMostWidth);
    if (peek() == '.') {
      ++at_;
      c.precision = number().value_or(0);
      if (*c.precision < 0) c.precision.reset();
    }
    while (peek() != '\0' && std::strchr("hljztL", peek()) != nullptr) {
      if (peek() == 'h')
        ++c.narrow;
      else
        c.wide = true;
      ++at_;
    }
    if (peek() != '\0') c.kind = format_[at_++];
    return c;
  }

  template <class T>
  void put(const Conversion& c, const char* length, T value) {
    if (source_ == nullptr) return;
    std::string form = "%" + c.flags;
    if (c.width) form += std::to_string(*c.width);
    if (c.precision) form += "." + std::to_string(std::min(*c.precision, kMostWidth));
    form += length;
    form += c.kind;
    std::array<char, 2 * kMostWidth + 512> buffer;
// The format string is built only from the checked parts above.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    const int size = std::snprintf(buffer.data(), buffer.size(), form.c_str(), value);
#pragma GCC diagnostic pop
    if (size > 0) text_.append(buffer.data(), std::min<size_t>(size, buffer.size() - 1));
  }

  void integer(const Conversion& c, bool isSigned) {
    if (c.wide) {
      const auto value = take<int64_t>();
      return isSigned ? put(c, "ll", static_cast<long long>(value))
                      : put(c, "ll", static_cast<unsigned long long>(value));
    }
    auto value = take<int32_t>();
    if (c.narrow == 1)
      value = isSigned ? static_cast<int16_t>(value) : static_cast<uint16_t>(value);
    if (c.narrow > 1) value = isSigned ? static_cast<int8_t>(value) : static_cast<uint8_t>(value);
    return isSigned ? put(c, "", value) : put(c, "", static_cast<uint32_t>(value));
  }

  void string(const Conversion& c, uint64_t address) {
    if (source_ != nullptr) put(c, "", source_->text(address).value_or("(null)").c_str());
  }

  void convert() {
    const size_t start = at_++;
    if (peek() == '%') {
      append("%", 1);
      ++at_;
      return;
    }
    Conversion c = parse();
    switch (c.kind) {
      case 'd':
      case 'i':
        return integer(c, true);
      case 'u':
      case 'o':
      case 'x':
      case 'X':
        return integer(c, false);
      case 'c':
        return put(c, "", static_cast<int>(static_cast<unsigned char>(take<int32_t>())));
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
      case 'a':
      case 'A':
        return put(c, "", take<double>());
      case 'p':
        c.kind = 'x';
        c.flags += '#';
        return put(c, "ll", static_cast<unsigned long long>(take<uint64_t>()));
      case 's':
        return string(c, take<uint64_t>());
      default:
        append(format_.data() + start, at_ - start);
    }
  }

  const std::string& format_;
  uint64_t next_;
  const PrintSource* source_;
  size_t at_ = 0;
  uint32_t count_ = 0;
  std::string text_;
};

}  // namespace

std::string formatPrint(const std::string& format, uint64_t arguments, const PrintSource& source) {
  return Printer(format, arguments, &source).run();
}

uint32_t countArguments(const std::string& format) {
  Printer printer(format, 0, nullptr);
  printer.run();
  return printer.count();
}

}  // namespace tilestep::simt
