// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/text/text_constants.h"
#include "features/names.h"
#include "features/program/drafts.h"

namespace tilestep::features {

/// The text of the open program: the edited text, the file's text, the undo history, and the
/// versions that the user kept. Each change is kept as a draft immediately. For one thread.
class OpenText {
 public:
  using Text = std::shared_ptr<const std::string>;
  static constexpr size_t kMostBytes = size_t{1} << 20;

  /// `drafts` must outlive this object. Initially, no file is open.
  explicit OpenText(Drafts& drafts) : drafts_(drafts) {}

  enum class Draft : uint8_t {
    none,
    taken,  ///< The unsaved text was restored.
    kept,   ///< The file has changed since; the unsaved text was kept as a version.
  };
  /// Opens a file with the given content. Restores its unsaved text if there is one.
  Draft open(const std::filesystem::path& path, const std::string& text);
  void close();

  [[nodiscard]] bool isOpen() const { return !path_.empty(); }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::string name() const { return path_.filename().string(); }
  [[nodiscard]] const Text& text() const { return text_; }
  [[nodiscard]] const std::string& saved() const { return saved_; }
  [[nodiscard]] bool isSaved() const { return text_ && *text_ == saved_ && !isGone_; }
  /// Incremented when the text is replaced other than by typing.
  [[nodiscard]] uint64_t number() const { return number_; }
  [[nodiscard]] const std::vector<compile::TextConstant>& constants() const { return constants_; }
  /// Null if the text has no such constant.
  [[nodiscard]] const compile::TextConstant* constant(const std::string& name) const;

  /// These functions return whether the text has changed. Changes with the same `gesture` form one
  /// undo step, until endGesture().
  bool type(const std::string& text);
  bool replace(std::string text, const std::string& gesture);
  void endGesture() { gesture_.clear(); }
  bool undo() { return goBack(undo_, redo_); }
  bool redo() { return goBack(redo_, undo_); }

  /// Keeps the text as a version with this name.
  bool mark(const std::string& name);
  /// Keeps another text as a version with this name.
  void keepVersion(const std::string& name, const std::string& text);
  bool returnTo(const std::string& name);
  [[nodiscard]] std::vector<std::string> marks() const;

  /// Writes the text to `path`, which may be a new file.
  Status save(const std::filesystem::path& path);
  /// Restores the file's text.
  bool revert();
  enum class Outside : uint8_t { same, taken, conflict };
  /// Adopts a file changed by another program, unless the user has changed the text, too.
  Outside watch();
  /// The reason why the last change could not be kept as a draft; empty if it was kept.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }

 private:
  using Texts = std::vector<Text>;
  void take(std::string text);
  void remember(const std::string& gesture);
  bool goBack(Texts& from, Texts& to);
  void keepDraft();
  void addMark(const std::string& name, const Text& text);

  Drafts& drafts_;
  std::filesystem::path path_;  ///< Empty if no program is open.
  Text text_;
  std::string saved_;    ///< The content of the file.
  bool isGone_ = false;  ///< The file was removed.
  std::filesystem::file_time_type savedAt_;
  uint64_t number_ = 0;
  std::vector<compile::TextConstant> constants_;        ///< The text's constants.
  std::map<std::string, std::vector<int64_t>> ranges_;  ///< The first values to try, by name.
  Texts undo_, redo_;
  std::string gesture_;  ///< The gesture of the last change.
  Drafts::Marks marks_;
  std::string trouble_;
};

}  // namespace tilestep::features
