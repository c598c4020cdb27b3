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

/// The texts of programs that were changed and not saved, in files that outlive the window, and the
/// list of programs that were opened. One thread.
class Drafts {
 public:
  /// `folder`: of ours; empty: nothing outlives the window.
  explicit Drafts(const std::filesystem::path& folder);

  /// The file that holds the draft of this program. It has the program's name, in a folder of its
  /// own.
  [[nodiscard]] std::filesystem::path fileOf(const std::filesystem::path& program) const;
  struct Kept {
    std::string text;
    std::string base;  ///< baseOf what the program's file held then.
  };
  /// The kept text; nothing where there is none.
  [[nodiscard]] std::optional<Kept> find(const std::filesystem::path& program) const;
  /// `saved`: what the program's file holds.
  Status keep(const std::filesystem::path& program, const std::string& text,
              const std::string& saved) const;
  [[nodiscard]] static std::string baseOf(const std::string& saved);
  /// A file with this text of the program, to be compiled: the same text has the same file as long
  /// as it is among the last.
  Result<std::filesystem::path> variantOf(const std::filesystem::path& program,
                                          const std::string& text) const;
  /// Once the program's file holds the text.
  void remove(const std::filesystem::path& program) const;

  /// Texts of a program to come back to, by name, in the order in which they were kept.
  using Marks = std::vector<std::pair<std::string, std::shared_ptr<const std::string>>>;
  [[nodiscard]] Marks marks(const std::filesystem::path& program) const;
  /// Drafts that cannot be kept are lost with the window.
  void keepMarks(const std::filesystem::path& program, const Marks& marks) const;

  /// Whether a teacher wants hints in place of changes.
  [[nodiscard]] bool onlyHints() const;
  void setOnlyHints(bool hints) const;

  /// The programs that were opened, the newest first.
  [[nodiscard]] std::vector<std::string> recent() const;
  void addRecent(const std::filesystem::path& program) const;

 private:
  std::unique_ptr<PrivateFolder> own_;  ///< Made if there is no other folder; else null.
  std::filesystem::path folder_;
};

}  // namespace tilestep::features
