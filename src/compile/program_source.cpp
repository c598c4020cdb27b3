// SPDX-License-Identifier: Apache-2.0
#include "compile/program_source.h"

#include <cctype>
#include <filesystem>

#include "compile/front_matter/front_matter.h"
#include "compile/kernel.h"

namespace tilestep::compile {

bool isProgram(const std::string& path, std::string_view text) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (text.find("/*---") != std::string_view::npos ||
      fs::exists(fs::path(path).replace_extension(".toml"), ignored))
    return false;
  constexpr std::string_view kMain = "main";
  for (size_t at = text.find(kMain); at != std::string_view::npos; at = text.find(kMain, at + 1)) {
    const auto isName = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    };
    const bool begins = at == 0 || !isName(text[at - 1]);
    const size_t next = text.find_first_not_of(" \t\r\n", at + kMain.size());
    if (begins && next != std::string_view::npos && text[next] == '(') return true;
  }
  return false;
}

std::string nameOf(const KernelSource& source) {
  const std::string stem = stemOf(source.path);
  if (source.launch == nullptr) return stem;
  const ProgramLaunch& launch = *source.launch;
  const std::string name = stem + " #" + std::to_string(launch.number);
  return launch.order == 0 ? name : name + ", order " + std::to_string(launch.order);
}

}  // namespace tilestep::compile
