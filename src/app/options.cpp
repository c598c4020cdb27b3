// SPDX-License-Identifier: Apache-2.0
#include "app/options.h"

#include <CLI/CLI.hpp>

namespace tilestep::app {

void addEntryOption(CLI::App& command, std::string& entry) {
  command
      .add_option(
          "--entry", entry,
          "Which __global__ function of the file, where it has several; a template with its "
          "arguments: \"reduce<256>\"")
      ->type_name("NAME");
}

void addChoiceOptions(CLI::App& command, Choice& choice, bool lists) {
  addEntryOption(command, choice.entry);
  const std::string values = lists ? "; lists A,B,C and ranges FIRST:LAST[:STEP] are swept" : "";
  // One value a mention, so that KERNEL may follow: NAME=VALUE never swallows the next word.
  command.add_option("--size", choice.sizes, "S for m, n and k (or all sizes), or NAME=V" + values)
      ->type_name("S|NAME=V")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.add_option("--m", choice.m, "Rows of M and P")->type_name("M");
  command.add_option("--n", choice.n, "Columns of N and P")->type_name("N");
  command.add_option("--k", choice.k, "Columns of M, rows of N")->type_name("K");
  command.add_option("--set", choice.tunables, "A tunable's value" + values)
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void addWorkerOptions(CLI::App& command, WorkerOptions& options) {
  command
      .add_option("--worker", options.command,
                  "Run the work with this command, such as \"ssh host tilestep worker\"")
      ->type_name("\"COMMAND ARGS\"");
  command
      .add_option("--threads", options.threads, "Threads of the local interpreter (0: all cores)")
      ->type_name("N")
      ->check(CLI::Range(0, 1024));
}

}  // namespace tilestep::app
