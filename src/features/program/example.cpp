// SPDX-License-Identifier: Apache-2.0
#include "features/program/example.h"

#include "base/files.h"
#include "features/program/open_text.h"
#include "model/model.h"

namespace tilestep::features {
namespace {

/// The name of the shipped text among the copy's versions.
constexpr const char* kShippedVersion = "as in the lesson";

}  // namespace

Result<Example> exampleOf(const model::SessionOptions& options, const std::string& name) {
  const auto shipped = std::filesystem::path(options.home) / "assets" / "programs" / (name + ".cu");
  Result<std::string> text = readTextFile(shipped, OpenText::kMostBytes);
  if (!text) return text.error();
  if (options.ownKernels.empty() || options.programFolder.empty()) return Example{shipped, *text};
  const auto copy =
      std::filesystem::path(options.ownKernels).parent_path() / "programs" / shipped.filename();
  std::error_code failed;
  if (std::filesystem::exists(copy, failed)) return Example{copy, *text};
  std::filesystem::create_directories(copy.parent_path(), failed);
  if (const Status written = writeFileAtomically(copy, *text); !written) return written.error();
  return Example{copy, *text};
}

bool openExample(model::Model& model, OpenText& text, const std::string& name,
                 const std::function<bool(const std::string& path)>& open) {
  const auto say = [&](model::Notice::Kind kind, const std::string& what) {
    model.say({kind, "program", what, {}, {}});
  };
  const Result<Example> example = exampleOf(model.options, name);
  if (!example) {
    say(model::Notice::Kind::error, example.error().message);
    return false;
  }
  if (!open(example->file.string())) return false;
  text.keepVersion(kShippedVersion, example->text);
  if (*text.text() != example->text)
    say(model::Notice::Kind::info, text.name() +
                                       " has your changes. The lesson's text is among "
                                       "its Versions: \"" +
                                       kShippedVersion + "\".");
  return true;
}

}  // namespace tilestep::features
