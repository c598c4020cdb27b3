// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "base/files.h"
#include "features/names.h"
#include "support/source_root.h"

/// A Tilestep home with one lab and its lesson, in a temporary folder.
namespace tilestep::features {

inline constexpr const char* kSampleLab =
    "number = 1\n"
    "title = \"Branches\"\n"
    "question = \"What does an `if` cost?\"\n"
    "minutes = 10\n"
    "lesson = \"1-branches\"\n"
    "stage = \"scene\"\n"
    "\n"
    "[prediction]\n"
    "question = \"How many times as long?\"\n"
    "choices = [\"as long\", \"twice as long\"]\n"
    "answer = 2\n"
    "because = \"The warp runs both paths.\"\n"
    "\n"
    "[[kernel]]\n"
    "name = \"branch_thread_parity\"\n"
    "tunables = { BLOCK = 32, ROUNDS = 3 }\n"
    "sizes = { n = 64 }\n"
    "\n"
    "[[kernel]]\n"
    "name = \"branch_warp_parity\"\n"
    "sizes = { n = 128 }\n";

inline constexpr const char* kSampleLesson =
    "# Branches\n"
    "## one\n"
    "```toml\n"
    "kernel = \"branch_thread_parity\"\n"
    "tunables = { BLOCK = 32, ROUNDS = 3 }\n"
    "sizes = { n = 64 }\n"
    "```\n"
    "Look.\n"
    "## two\n"
    "Look again.\n"
    "## three\n"
    "Done.\n";

/// Each process has a separate folder, because tests run in parallel.
inline std::string makeLabHome(const std::string& name, const std::string& lab = kSampleLab) {
  namespace fs = std::filesystem;
  const fs::path home = fs::path(testing::TempDir()) / (name + "_" + std::to_string(getpid())),
                 root = support::sourceRoot();
  fs::remove_all(home);
  for (const char* folder : {"assets/labs", "assets/lessons"})
    fs::create_directories(home / folder);
  for (const char* folder : {"kernels", "shaders", "assets/devices"})
    fs::create_directory_symlink(root / folder, home / folder);
  EXPECT_TRUE(writeFileAtomically(home / "assets/labs/branches.toml", lab));
  EXPECT_TRUE(writeFileAtomically(home / "assets/lessons/1-branches.md", kSampleLesson));
  EXPECT_TRUE(writeFileAtomically(home / "assets/lessons/2-other.md", kSampleLesson));
  return home.string();
}

}  // namespace tilestep::features
