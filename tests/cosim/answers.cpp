// SPDX-License-Identifier: Apache-2.0
// The file begins with a line that names it. For each form it contains the key (8 bytes), the hash
// (8), the number of stored bytes per result (1; 0 for an exact form), and then either four bits
// per group of cases, two groups per byte, or the results. Forms are sorted by their stored bytes,
// which gzip compresses better. The whole file is compressed by gzip.
#include "cosim/answers.h"

#include <zlib.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/hash.h"

namespace tilestep::cosim {
namespace {

constexpr std::string_view kTitle = "Tilestep co-simulation answers 3\n";

uint64_t keyOf(const Form& form) {
  std::string text = form.text;
  for (const auto* kinds : {&form.results, &form.sources}) {
    text += '|';
    for (const Kind kind : *kinds) text += static_cast<char>('a' + static_cast<int>(kind));
  }
  return fnv1a64(text);
}

void put(std::string& out, uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}
  [[nodiscard]] bool atEnd() const { return left_.empty(); }
  [[nodiscard]] bool failed() const { return failed_; }
  uint64_t take(unsigned bytes) {
    failed_ = failed_ || left_.size() < bytes;
    if (failed_) return 0;
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i) {
      value |= uint64_t{static_cast<uint8_t>(left_[i])} << (8 * i);
    }
    left_.remove_prefix(bytes);
    return value;
  }

 private:
  std::string_view left_;
  bool failed_ = false;
};

struct Closer {
  void operator()(gzFile file) const { gzclose(file); }
};
using ZipFile = std::unique_ptr<std::remove_pointer_t<gzFile>, Closer>;

Result<std::string> unpacked(const std::string& path) {
  const ZipFile file(gzopen(path.c_str(), "rb"));
  if (!file) return requestError(path + " cannot be read.");
  std::string bytes;
  char part[1 << 16];
  int count = 0;
  while ((count = gzread(file.get(), part, sizeof part)) > 0)
    bytes.append(part, static_cast<size_t>(count));
  if (count < 0) return requestError(path + " is damaged.");
  return bytes;
}

Answer read(Reader& reader, unsigned& width) {
  Answer answer;
  answer.hash = reader.take(8);
  width = static_cast<unsigned>(reader.take(1));
  for (uint32_t i = 0; i < kKeptCases && width != 0 && !reader.failed(); ++i)
    answer.results.push_back(reader.take(width));
  for (uint32_t i = 0; i < kKeptCases && width == 0 && !reader.failed(); i += 2 * kGroup) {
    const uint64_t both = reader.take(1);
    answer.groups.push_back(static_cast<uint8_t>(both & 15));
    answer.groups.push_back(static_cast<uint8_t>(both >> 4));
  }
  return answer;
}

unsigned widthOf(const Answer& answer) {
  uint64_t all = 0;
  for (const uint64_t result : answer.results) all |= result;
  return answer.results.empty() ? 0 : all >> 32 != 0 ? 8 : all >> 16 != 0 ? 4 : 2;
}

}  // namespace

Answer answerOf(const Form& form, const std::vector<uint64_t>& results) {
  const size_t stride = results.size() / form.results.size();
  Answer answer;
  answer.hash = kFnvStart;
  if (form.check == Check::exact) answer.groups.resize(kKeptCases / kGroup);
  for (uint32_t i = 0; i < kKeptCases; ++i) {
    uint64_t mixed = i;
    for (size_t slot = 0; slot < form.results.size(); ++slot) {
      mixed = splitmix64(mixed ^ results[slot * stride + i]);
    }
    answer.hash = splitmix64(answer.hash ^ mixed);
    if (form.check == Check::exact)
      answer.groups[i / kGroup] ^= static_cast<uint8_t>(mixed >> 60);
    else
      answer.results.push_back(results[i]);
  }
  return answer;
}

Result<Answers> Answers::load(const std::string& path) {
  const Result<std::string> bytes = unpacked(path);
  if (!bytes) return bytes.error();
  if (!bytes->starts_with(kTitle)) {
    return requestError(path + " holds no answers of the co-simulation.");
  }
  Reader reader(std::string_view(*bytes).substr(kTitle.size()));
  Answers answers;
  while (!reader.atEnd() && !reader.failed()) {
    const uint64_t key = reader.take(8);
    unsigned width = 0;
    answers.answers_[key] = read(reader, width);
  }
  if (reader.failed()) return requestError(path + " is cut off.");
  return answers;
}

Status Answers::save(const std::string& path) const {
  std::vector<std::pair<std::string, std::string>> kept;  // The stored bytes and their form.
  for (const auto& [key, answer] : answers_) {
    auto& [what, whose] = kept.emplace_back();
    put(whose, key, 8);
    put(whose, answer.hash, 8);
    const unsigned width = widthOf(answer);
    put(what, width, 1);
    for (size_t i = 0; i + 1 < answer.groups.size(); i += 2)
      put(what, answer.groups[i] | answer.groups[i + 1] << 4, 1);
    for (const uint64_t result : answer.results) put(what, result, width);
  }
  std::ranges::sort(kept);
  std::string out(kTitle);
  for (const auto& [what, whose] : kept) out += whose + what;
  const ZipFile file(gzopen(path.c_str(), "wb9"));
  const auto size = static_cast<unsigned>(out.size());
  if (!file || gzwrite(file.get(), out.data(), size) != static_cast<int>(size))
    return requestError(path + " cannot be written.");
  return {};
}

void Answers::set(const Form& form, Answer answer) {
  answers_[keyOf(form)] = std::move(answer);
}

const Answer* Answers::find(const Form& form) const {
  const auto found = answers_.find(keyOf(form));
  return found == answers_.end() ? nullptr : &found->second;
}

}  // namespace tilestep::cosim
