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

/// Unsaved texts of programs in files, and the list of opened programs. For one thread.
class Drafts {
 public:
  /// `folder` is a private folder; if empty, nothing outlives the window.
  explicit Drafts(const std::filesystem::path& folder);

  /// The file for this program's draft. It has the program's name, in a separate folder.
  [[nodiscard]] std::filesystem::path fileOf(const std::filesystem::path& program) const;
  struct Kept {
    std::string text;
    std::string base;  ///< baseOf() the program's file when the draft was kept.
  };
  /// The draft; absent if there is none.
  [[nodiscard]] std::optional<Kept> find(const std::filesystem::path& program) const;
  /// Keeps a draft. `saved` is the content of the program's file.
  Status keep(const std::filesystem::path& program, const std::string& text,
              const std::string& saved) const;
  [[nodiscard]] static std::string baseOf(const std::string& saved);
  /// A file with this text of the program, for the compiler. The same text has the same file while
  /// it is among the most recent texts.
  Result<std::filesystem::path> variantOf(const std::filesystem::path& program,
                                          const std::string& text) const;
  /// Removes the draft. Call once the program's file contains it.
  void remove(const std::filesystem::path& program) const;

  /// Named texts of a program that the user can restore, oldest first.
  using Marks = std::vector<std::pair<std::string, std::shared_ptr<const std::string>>>;
  [[nodiscard]] Marks marks(const std::filesystem::path& program) const;
  /// Keeps them. Texts that cannot be written are lost with the window.
  void keepMarks(const std::filesystem::path& program, const Marks& marks) const;

  /// Whether a teacher has chosen hints instead of offered changes.
  [[nodiscard]] bool onlyHints() const;
  void setOnlyHints(bool hints) const;

  /// The opened programs, newest first.
  [[nodiscard]] std::vector<std::string> recent() const;
  void addRecent(const std::filesystem::path& program) const;

 private:
  std::unique_ptr<PrivateFolder> own_;  ///< Created if no folder was given; otherwise null.
  std::filesystem::path folder_;
};

}  // namespace tilestep::features
