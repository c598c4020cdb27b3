// SPDX-License-Identifier: Apache-2.0
#include "app/command_line.h"
#include "app/commands.h"
#include "app/environment.h"
#include "app/kernel_choice.h"
#include "app/listings_json.h"
#include "base/files.h"
#include "base/text_table.h"
#include "compile/kernel.h"
#include "model/files/lab_file.h"

namespace tilestep::app {
namespace {

std::string labTable(const std::vector<model::Lab>& labs) {
  TextTable table({"lab", "title", "minutes", "lesson", "question"});
  for (const model::Lab& lab : labs)
    table.add({lab.id, lab.title, std::to_string(lab.minutes), lab.lesson, lab.question});
  return table.text();
}

int listLabs(bool asJson) {
  const Result<std::filesystem::path> home = findHome();
  if (!home) return fail(home.error());
  std::vector<Error> errors;
  const std::vector<model::Lab> labs = model::readLabs(
      home->string(), compile::readCatalogue((*home / "kernels").string(), ownKernelFolder()),
      &errors);
  for (const Error& error : errors) say(toString(error));
  return print(asJson ? labsJson(labs) : labTable(labs), errors.empty() ? kDone : kWrong);
}

}  // namespace

void addLabsCommand(CommandLine& line) {
  auto json = std::make_shared<bool>(false);
  Command command =
      line.add("labs", "Lists the labs: a question, the kernels that answer it, and a lesson",
               [json] { return listLabs(*json); });
  command.flag("--json", *json, "Print JSON");
  command.footer(
      "The window opens a lab (Ctrl+K, then labs), and 'tilestep play' plays its lesson.\n"
      "Example: tilestep labs --json");
}

}  // namespace tilestep::app
