// SPDX-License-Identifier: Apache-2.0
#include "features/program/open_text.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/files.h"

namespace tilestep::features {
namespace {

/// The name of the version that contains the file as it was opened.
constexpr const char* kOpened = "as opened";

std::filesystem::file_time_type timeOf(const std::filesystem::path& path) {
  std::error_code failed;
  const auto time = std::filesystem::last_write_time(path, failed);
  return failed ? std::filesystem::file_time_type() : time;
}

}  // namespace

OpenText::Draft OpenText::open(const std::filesystem::path& path, const std::string& text) {
  close();
  path_ = path;
  saved_ = text;
  savedAt_ = timeOf(path_);
  take(text);
  marks_ = drafts_.marks(path_);
  marks_.emplace(marks_.begin(), kOpened, text_);
  const std::optional<Drafts::Kept> draft = drafts_.find(path_);
  if (!draft || draft->text == saved_) return Draft::none;
  if (draft->base == Drafts::baseOf(saved_)) {
    take(draft->text);
    return Draft::taken;
  }
  marks_.emplace_back("unsaved changes", std::make_shared<const std::string>(draft->text));
  drafts_.keepMarks(path_, {marks_.begin() + 1, marks_.end()});
  drafts_.remove(path_);
  return Draft::kept;
}

void OpenText::close() {
  path_.clear();
  text_.reset();
  constants_.clear();
  ranges_.clear();
  undo_.clear();
  redo_.clear();
  gesture_.clear();
  marks_.clear();
  trouble_.clear();
  isGone_ = false;
}

const compile::TextConstant* OpenText::constant(const std::string& name) const {
  const auto found = std::ranges::find(constants_, name, &compile::TextConstant::name);
  return found == constants_.end() ? nullptr : &*found;
}

void OpenText::take(std::string text) {
  text_ = std::make_shared<const std::string>(std::move(text));
  constants_ = compile::textConstants(*text_);
  // Keeps the first range, so that a slider's range does not change while it moves.
  for (compile::TextConstant& each : constants_) {
    std::vector<int64_t>& range = ranges_.try_emplace(each.name, each.values).first->second;
    each.values = range;
    const auto at = std::ranges::lower_bound(each.values, each.value);
    if (at == each.values.end() || *at != each.value) each.values.insert(at, each.value);
  }
  ++number_;
}

void OpenText::remember(const std::string& gesture) {
  constexpr size_t kMost = 200;
  if (std::exchange(gesture_, gesture) == gesture) return;
  undo_.push_back(text_);
  if (undo_.size() > kMost) undo_.erase(undo_.begin());
  redo_.clear();
}

void OpenText::keepDraft() {
  trouble_.clear();
  if (isSaved()) return drafts_.remove(path_);
  const Status kept = drafts_.keep(path_, *text_, saved_);
  if (!kept) trouble_ = kept.error().message;
}

bool OpenText::type(const std::string& text) {
  if (!isOpen() || text == *text_ || text.size() > kMostBytes) return false;
  remember("typing");
  const uint64_t number = number_;
  take(text);
  number_ = number;  // The editor already has this text.
  keepDraft();
  return true;
}

bool OpenText::replace(std::string text, const std::string& gesture) {
  if (!isOpen() || text == *text_) return false;
  remember(gesture);
  take(std::move(text));
  keepDraft();
  return true;
}

bool OpenText::goBack(Texts& from, Texts& to) {
  if (!isOpen() || from.empty()) return false;
  to.push_back(text_);
  take(*from.back());
  from.pop_back();
  gesture_.clear();
  keepDraft();
  return true;
}

bool OpenText::mark(const std::string& name) {
  if (!isOpen() || name.empty() || name == kOpened) return false;
  addMark(name, text_);
  return true;
}

void OpenText::keepVersion(const std::string& name, const std::string& text) {
  const auto isKept = [&](const auto& each) { return each.first == name && *each.second == text; };
  if (isOpen() && std::ranges::none_of(marks_, isKept))
    addMark(name, std::make_shared<const std::string>(text));
}

void OpenText::addMark(const std::string& name, const Text& text) {
  std::erase_if(marks_, [&](const auto& each) { return each.first == name; });
  marks_.emplace_back(name, text);
  // The first version is the file as it was opened.
  drafts_.keepMarks(path_, {marks_.begin() + 1, marks_.end()});
}

bool OpenText::returnTo(const std::string& name) {
  const auto found =
      name.empty() && !marks_.empty()
          ? marks_.end() - 1
          : std::ranges::find(marks_, name, [](const auto& each) { return each.first; });
  if (found == marks_.end() || !replace(*found->second, "version " + found->first)) return false;
  gesture_.clear();
  return true;
}

std::vector<std::string> OpenText::marks() const {
  std::vector<std::string> names;
  for (const auto& [name, text] : marks_) names.push_back(name);
  return names;
}

Status OpenText::save(const std::filesystem::path& path) {
  Status written = writeFileAtomically(path, *text_);
  if (!written || path != path_) return written;
  saved_ = *text_;
  savedAt_ = timeOf(path_);
  isGone_ = false;
  drafts_.remove(path_);
  return {};
}

bool OpenText::revert() {
  return replace(saved_, "revert");
}

OpenText::Outside OpenText::watch() {
  const auto time = timeOf(path_);
  if (!isOpen() || time == savedAt_) return Outside::same;
  std::error_code failed;
  isGone_ = !std::filesystem::exists(path_, failed) && !failed;
  if (isGone_) keepDraft();
  const Result<std::string> text = readTextFile(path_, kMostBytes);
  if (!text) return Outside::same;  // Another program may be replacing the file.
  savedAt_ = time;
  if (*text == saved_) return Outside::same;
  const bool wasSaved = isSaved();
  saved_ = *text;
  if (!wasSaved) return Outside::conflict;
  replace(saved_, "outside");
  gesture_.clear();
  return Outside::taken;
}

}  // namespace tilestep::features
