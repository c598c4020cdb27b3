// SPDX-License-Identifier: Apache-2.0
#include "compile/compilers/compiler_messages.h"

#include <charconv>
#include <cstdint>
#include <cstring>

namespace tilestep::compile {
namespace {

constexpr size_t kMostTexts = 1 << 16, kMostBytes = size_t{256} << 20;

void addNumber(std::string& bytes, uint64_t number) {
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xff);
}

/// Nothing where eight bytes are not there.
std::optional<uint64_t> numberAt(const std::string& bytes, size_t& at) {
  if (bytes.size() < at + 8) return std::nullopt;
  uint64_t number = 0;
  for (int i = 0; i < 8; ++i)
    number |= static_cast<uint64_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  at += 8;
  return number;
}

/// Takes one text after the other.
class Taking {
 public:
  explicit Taking(const Texts& texts) : texts_(texts) {}
  std::string text() {
    if (at_ < texts_.size()) return texts_[at_++];
    isWhole_ = false;
    return {};
  }
  int64_t number() {
    const std::string digits = text();
    int64_t value = 0;
    const char* end = digits.data() + digits.size();
    const auto parsed = std::from_chars(digits.data(), end, value);
    isWhole_ = isWhole_ && parsed.ec == std::errc{} && parsed.ptr == end;
    return value;
  }
  /// All were taken, and each was there.
  [[nodiscard]] bool isWhole() const { return isWhole_ && at_ == texts_.size(); }
  [[nodiscard]] bool failed() const { return !isWhole_; }

 private:
  const Texts& texts_;
  size_t at_ = 0;
  bool isWhole_ = true;
};

}  // namespace

std::string packed(const Texts& texts) {
  std::string inside;
  addNumber(inside, texts.size());
  for (const std::string& text : texts) {
    addNumber(inside, text.size());
    inside += text;
  }
  std::string bytes;
  addNumber(bytes, inside.size());
  return bytes + inside;
}

std::optional<Texts> unpacked(std::string& bytes, bool& isDamaged) {
  size_t at = 0;
  const auto length = numberAt(bytes, at);
  if (!length) return std::nullopt;
  isDamaged = *length > kMostBytes;
  if (isDamaged || bytes.size() - at < *length) return std::nullopt;
  const size_t end = at + *length;
  const auto count = numberAt(bytes, at);
  isDamaged = !count || *count > kMostTexts || at > end;
  Texts texts;
  for (uint64_t i = 0; !isDamaged && i < *count; ++i) {
    const auto size = numberAt(bytes, at);
    isDamaged = !size || at > end || *size > end - at;
    if (isDamaged) break;
    texts.push_back(bytes.substr(at, *size));
    at += *size;
  }
  isDamaged = isDamaged || at != end;
  if (isDamaged) return std::nullopt;
  bytes.erase(0, end);
  return texts;
}

Texts textsOf(const CompileRequest& request) {
  const KernelSource& source = request.source;
  Texts texts{source.path, source.text, request.arch, std::to_string(request.relocatable ? 1 : 0),
              std::to_string(request.instances.size())};
  texts.insert(texts.end(), request.instances.begin(), request.instances.end());
  texts.push_back(std::to_string(request.tunables.size()));
  for (const auto& [name, value] : request.tunables) {
    texts.push_back(name);
    texts.push_back(std::to_string(value));
  }
  return texts;
}

std::optional<CompileRequest> requestOf(const Texts& texts) {
  Taking taking(texts);
  CompileRequest request;
  request.source.path = taking.text();
  request.source.text = taking.text();
  request.arch = taking.text();
  request.relocatable = taking.number() != 0;
  for (int64_t left = taking.number(); left > 0 && !taking.failed(); --left)
    request.instances.push_back(taking.text());
  for (int64_t left = taking.number(); left > 0 && !taking.failed(); --left) {
    const std::string name = taking.text();
    request.tunables[name] = taking.number();
  }
  if (!taking.isWhole()) return std::nullopt;
  return request;
}

Texts textsOf(const CompileAnswer& answer) {
  if (answer.ptx) return {"ptx", *answer.ptx, answer.log};
  const Error& error = answer.ptx.error();
  Texts texts{error.kind == ErrorKind::request ? "request" : "work", error.message, answer.log,
              error.sourceLine};
  if (error.where)
    texts.insert(texts.end(), {error.where->file, std::to_string(error.where->line),
                               std::to_string(error.where->column)});
  return texts;
}

std::optional<CompileAnswer> answerOf(const Texts& texts) {
  Taking taking(texts);
  const std::string kind = taking.text();
  const std::string text = taking.text();
  CompileAnswer answer;
  answer.log = taking.text();
  if (kind == "ptx") {
    answer.ptx = text;
  } else {
    Error error = kind == "request" ? requestError(text) : workError(text);
    error.sourceLine = taking.text();
    constexpr size_t kWithPlace = 7;
    if (texts.size() == kWithPlace) {
      TextLocation where;
      where.file = taking.text();
      where.line = static_cast<int>(taking.number());
      where.column = static_cast<int>(taking.number());
      error.where = where;
    }
    answer.ptx = std::move(error);
  }
  if (!taking.isWhole()) return std::nullopt;
  return answer;
}

}  // namespace tilestep::compile
