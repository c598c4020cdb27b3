// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/private_folder.h"
#include "base/result.h"
#include "features/names.h"

namespace tilestep::features {

/// The changed but unsaved texts of programs, in files that outlive the window, and the list of
/// opened programs. One thread.
class Drafts {
 public:
  /// `folder`: a private folder; empty: nothing outlives the window.
  explicit Drafts(const std::filesystem::path& folder);

  /// The file with this program's draft. It has the program's name, in a separate folder.
  [[nodiscard]] std::filesystem::path fileOf(const std::filesystem::path& program) const;
  struct Kept {
    std::string text;
    std::string base;  ///< baseOf the program's file at that time.
  };
  /// The kept text; absent if there is none.
  [[nodiscard]] std::optional<Kept> find(const std::filesystem::path& program) const;
  /// `saved`: the content of the program's file.
  Status keep(const std::filesystem::path& program, const std::string& text,
              const std::string& saved) const;
  [[nodiscard]] static std::string baseOf(const std::string& saved);
  /// A file with this text of the program, to be compiled: the same text has the same file while it
  /// is among the most recent ones.
  Result<std::filesystem::path> variantOf(const std::filesystem::path& program,
                                          const std::string& text) const;
  /// Call once the program's file contains the text.
  void remove(const std::filesystem::path& program) const;

  /// Named texts of a program that the user can return to, in the order in which they were kept.
  using Marks = std::vector<std::pair<std::string, std::shared_ptr<const std::string>>>;
  [[nodiscard]] Marks marks(const std::filesystem::path& program) const;
  /// Drafts that cannot be kept are lost with the window.
  void keepMarks(const std::filesystem::path& program, const Marks& marks) const;

  /// Whether a teacher wants hints instead of changes.
  [[nodiscard]] bool onlyHints() const;
  void setOnlyHints(bool hints) const;

  /// The opened programs, newest first.
  [[nodiscard]] std::vector<std::string> recent() const;
  void addRecent(const std::filesystem::path& program) const;

 private:
  std::unique_ptr<PrivateFolder> own_;  ///< Created if there is no other folder; otherwise null.
  std::filesystem::path folder_;
};

}  // namespace tilestep::features
