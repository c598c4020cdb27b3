// SPDX-License-Identifier: Apache-2.0
#include "app/command_line.h"
#include "app/commands.h"
#include "app/environment.h"
#include "app/kernel_choice.h"
#include "app/listings_json.h"
#include "base/files.h"
#include "base/text_table.h"
#include "compile/kernel.h"

namespace tilestep::app {
namespace {

std::string rangeOf(const compile::TunableSpec& tunable) {
  if (tunable.values.empty()) {
    std::string text = std::to_string(tunable.minimum) + ".." + std::to_string(tunable.maximum);
    return tunable.step > 1 ? text + " by " + std::to_string(tunable.step) : text;
  }
  std::string text;
  for (const int64_t value : tunable.values) {
    text += (text.empty() ? "" : "|") + std::to_string(value);
  }
  return text;
}

std::string tunablesOf(const compile::KernelSpec& spec) {
  std::string text;
  for (const compile::TunableSpec& tunable : spec.tunables) {
    text += (text.empty() ? "" : ", ") + tunable.name + " " + rangeOf(tunable);
  }
  return text;
}

int listKernels(bool asJson) {
  const Result<std::filesystem::path> home = findHome();
  if (!home) return fail(home.error());
  const std::string folder = (*home / "kernels").string(), own = ownKernelFolder();
  std::vector<compile::CatalogueEntry> entries = compile::readCatalogue(folder, own);
  for (compile::CatalogueEntry& hidden : compile::hiddenKernels(folder, own))
    entries.push_back(std::move(hidden));
  if (asJson) return print(kernelsJson(entries), kDone);
  TextTable table({"kernel", "title", "tunables"});
  std::string broken;
  for (const compile::CatalogueEntry& entry : entries) {
    if (entry.spec) {
      table.add({entry.spec->name, entry.spec->title, tunablesOf(*entry.spec)});
    } else if (entry.error) {
      broken += "\n" + toString(*entry.error) + "\n";
    }
  }
  return print(table.text() + broken, kDone);
}

}  // namespace

void addKernelsCommand(CommandLine& line) {
  auto json = std::make_shared<bool>(false);
  Command command = line.add("kernels", "Lists the kernels that come with Tilestep, and your own",
                             [json] { return listKernels(*json); });
  command.flag("--json", *json, "Print JSON");
  command.footer(
      "Your own kernels are the .cu files in $XDG_DATA_HOME/tilestep/kernels, which is usually\n"
      "~/.local/share/tilestep/kernels.\nExample: tilestep kernels --json");
}

}  // namespace tilestep::app
