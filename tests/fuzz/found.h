// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "base/files.h"
#include "support/source_root.h"

namespace tilestep::fuzz {

/// Small inputs that libFuzzer kept because each reached new code. corpus/found_NAME.hex has one
/// per line, in hexadecimal. Empty if the file is missing.
inline std::vector<std::vector<std::byte>> foundInputs(const std::string& name) {
  std::vector<std::vector<std::byte>> inputs;
  const auto text =
      readTextFile(support::sourceRoot() + "/tests/fuzz/corpus/found_" + name + ".hex");
  if (!text) return inputs;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::byte> bytes;
    for (size_t at = 0; at + 1 < line.size(); at += 2) {
      bytes.push_back(
          static_cast<std::byte>(std::strtoul(line.substr(at, 2).c_str(), nullptr, 16)));
    }
    inputs.push_back(std::move(bytes));
  }
  return inputs;
}

/// The inputs as texts.
inline std::vector<std::string> foundTexts(const std::string& name) {
  std::vector<std::string> texts;
  for (const auto& bytes : foundInputs(name))
    texts.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return texts;
}

}  // namespace tilestep::fuzz
