// SPDX-License-Identifier: Apache-2.0

#include "app/commands.h"
#include "app/options.h"
#include "base/files.h"
#include "compile/text/draft.h"

namespace tilestep::app {
namespace {

struct DraftOptions {
  std::string file, entry;
};

int printDraft(const DraftOptions& options) {
  const Result<std::string> source = readTextFile(options.file);
  if (!source) return fail(source.error());
  Result<std::string> draft = compile::draftFrontMatter(*source, options.entry);
  if (draft) return print(*draft, kDone);
  Error error = draft.error();
  error.where = TextLocation{options.file, error.where ? error.where->line : 0, 0};
  return fail(error);
}

}  // namespace

void addDraftCommand(CommandLine& line) {
  auto options = std::make_shared<DraftOptions>();
  Command command = line.add("draft", "Drafts the front matter for a CUDA program of your own",
                             [options] { return printDraft(*options); });
  command.option("file", &options->file, "A .cu file", {.type = "FILE.cu", .required = true});
  addEntryOption(command, options->entry);
  command.footer(
      "Example: tilestep draft my.cu > my.toml, then read my.toml and\n"
      "         tilestep run my.cu --check --device simt");
}

}  // namespace tilestep::app
