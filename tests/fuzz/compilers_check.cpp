// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <memory>
#include <vector>

#include "base/files.h"
#include "compile/compiler.h"
#include "compile/text/directives.h"
#include "fuzz/checks.h"
#include "fuzz/small_home.h"
#include "fuzz/text_mutator.h"
#include "support/source_root.h"

namespace tilestep::fuzz {
namespace {

constexpr std::string_view kSeen = "tilestep_has_read_this_file";
/// This order selects the line that includes the file.
constexpr uint8_t kInclude = 0xff;

const std::string& secret() {
  static const std::string kPath = [] {
    std::string path = smallHome() + "/secret.h";
    (void)writeFileAtomically(path, "#error " + std::string(kSeen) + "\n");
    return path;
  }();
  return kPath;
}

const std::vector<std::unique_ptr<compile::Compiler>>& compilers() {
  static const auto kAll = [] {
    std::vector<std::unique_ptr<compile::Compiler>> all;
    auto nvrtc = compile::openNvrtc();
    if (nvrtc && *nvrtc) all.push_back(std::move(*nvrtc));
    auto clang = compile::openClang(support::sourceRoot() + "/assets/clang");
    if (clang && *clang) all.push_back(std::move(*clang));
    return all;
  }();
  return kAll;
}

std::string textOf(std::string_view orders) {
  static const std::vector<std::string> pieces = dictionary("cuda");
  const std::string include = "\n#include \"" + secret() + "\"\n";
  std::string text;
  for (const char order : orders) {
    const auto number = static_cast<uint8_t>(order);
    text += number == kInclude ? include : pieces[number % pieces.size()];
  }
  return text.find(include) == std::string::npos ? text + include : text;
}

}  // namespace

std::string checkCompilers(std::string_view orders) {
  const std::string text = textOf(orders.substr(0, 24));
  if (!compile::checkDirectives(text, "k.cu")) return {};
  for (const auto& compiler : compilers()) {
    compile::CompileRequest request;
    request.source = {"k.cu", text, ""};
    std::string log;
    const auto compiled = compiler->compile(request, log);
    if (!compiled) log += toString(compiled.error());
    if (log.find(kSeen) != std::string::npos) return compiler->name() + " read it:\n" + text;
  }
  return {};
}

}  // namespace tilestep::fuzz
