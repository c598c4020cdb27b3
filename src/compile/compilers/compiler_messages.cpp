// SPDX-License-Identifier: Apache-2.0
#include "compile/compilers/compiler_messages.h"

#include <charconv>
#include <cstdint>
#include <span>

#include "base/bytes.h"

namespace tilestep::compile {
namespace {

constexpr size_t kMostTexts = 1 << 16, kMostBytes = size_t{256} << 20;

/// Reads the strings of a message in order.
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
  /// Whether all strings were read, and no more.
  [[nodiscard]] bool isWhole() const { return isWhole_ && at_ == texts_.size(); }
  [[nodiscard]] bool failed() const { return !isWhole_; }

 private:
  const Texts& texts_;
  size_t at_ = 0;
  bool isWhole_ = true;
};

}  // namespace

std::string packed(const Texts& texts) {
  ByteWriter inside, all;
  inside.put(static_cast<uint32_t>(texts.size()));
  for (const std::string& text : texts) inside.putText(text);
  const std::vector<std::byte> list = inside.take();
  all.put(static_cast<uint64_t>(list.size()));
  all.putBytes(list);
  const std::vector<std::byte> bytes = all.take();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::optional<Texts> unpacked(std::string& bytes, bool& isDamaged) {
  ByteReader reader(std::as_bytes(std::span(bytes)));
  const auto length = reader.get<uint64_t>();
  isDamaged = length && *length > kMostBytes;
  if (!length || isDamaged || reader.left() < *length) return std::nullopt;
  ByteReader list(*reader.getBytes(*length));
  const auto count = list.get<uint32_t>();
  Texts texts;
  isDamaged = !count || *count > kMostTexts;
  for (uint32_t i = 0; !isDamaged && i < *count; ++i) {
    const auto text = list.getText();
    isDamaged = !text;
    if (text) texts.emplace_back(*text);
  }
  isDamaged = isDamaged || list.left() > 0;
  if (isDamaged) return std::nullopt;
  bytes.erase(0, sizeof(uint64_t) + *length);
  return texts;
}

Texts textsOf(const CompileRequest& request) {
  const KernelSource& source = request.source;
  Texts texts{source.path,
              source.text,
              request.arch,
              std::to_string(request.relocatable ? 1 : 0),
              std::to_string(request.blockThreads),
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
  const int64_t blockThreads = taking.number();
  if (blockThreads < 0 || blockThreads > UINT32_MAX) return std::nullopt;
  request.blockThreads = static_cast<uint32_t>(blockThreads);
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
