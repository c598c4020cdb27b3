// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "app/commands.h"
#include "app/options.h"
#include "app/program_command.h"
#include "lab/launch/draft.h"
#include "program/take_launch.h"

namespace tilestep::app {
namespace {

int printDraft(const ProgramOptions& options) {
  const Result<program::RunRequest> request = requestFor(options);
  if (!request) return fail(request.error());
  const Result<device::CapturedLaunch> launch = program::takeLaunch(*request, options.launch, {});
  if (!launch) return fail(launch.error());
  const Result<std::string> draft = lab::draftOf(*launch, lab::inferLaunch(*launch));
  return draft ? print(*draft, kDone) : fail(draft.error());
}

}  // namespace

void addDraftCommand(CommandLine& line, const std::vector<std::string>& rest) {
  auto options = std::make_shared<ProgramOptions>();
  options->arguments = rest;
  options->launch = 1;
  Command command =
      line.add("draft", "Runs a program and writes front matter for one of its kernels",
               [options] { return printDraft(*options); });
  command.option("file", &options->files, "The files of a program with a main function",
                 {.type = "FILE.cu...", .required = true});
  command.option("--launch", &options->launch, "The launch to describe (1, the first)",
                 {.type = "N", .range = Between<int>{1, 1000000000}});
  addSourceOptions(command, *options);
  command.footer(
      "Example: tilestep draft my.cu > my.toml, then read my.toml and\n"
      "         tilestep run my.cu --check --device simt");
}

}  // namespace tilestep::app
