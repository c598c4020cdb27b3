// SPDX-License-Identifier: Apache-2.0
#include "app/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <optional>
#include <sstream>

#include "app/environment.h"
#include "base/nearest_name.h"
#include "base/process/memory_size.h"

namespace tilestep::app {
namespace {

/// A suggestion for the first unknown word; empty if nothing is similar.
std::string suggestion(const CLI::App& root) {
  const std::vector<std::string> left = root.remaining(true);
  if (left.empty()) return {};
  const std::string word = left[0].substr(0, left[0].find('='));
  const std::vector<CLI::App*> chosen = root.get_subcommands();
  if (chosen.empty() && word.ends_with(".cu"))
    return "; tilestep " + word + " shows it in the window, tilestep run " + word + " runs it";
  std::vector<std::string> known;
  if (word.starts_with("-")) {
    for (const CLI::Option* option : (chosen.empty() ? root : *chosen[0]).get_options())
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  } else if (chosen.empty()) {
    for (const CLI::App* command : root.get_subcommands({})) known.push_back(command->get_name());
  }
  const std::string nearest = nearestName(word, known);
  const bool near = !nearest.empty() && editDistance(word, nearest) <= word.size() / 2;
  return near ? ". Nearest: " + nearest : "";
}

/// Replaces a memory size such as 512M with its number of bytes. Returns an error message; empty on
/// success.
std::string toBytes(std::string& text) {
  const std::optional<uint64_t> bytes = memorySizeOf(text);
  if (!bytes) return "a number of bytes must be written as 800000000, 512M or 2G, not " + text;
  text = std::to_string(*bytes);
  return {};
}

/// Prints the parser's error as one line. Returns the exit status.
int refuse(const CLI::App& root, const CLI::ParseError& failure) {
  std::string message = failure.what();
  std::replace(message.begin(), message.end(), '\n', ' ');
  return fail(
      requestError(message + suggestion(root) + "; tilestep --help lists commands and options"));
}

}  // namespace

void Command::option(const std::string& names, OptionValue value, const std::string& help,
                     const OptionRules& rules) {
  CLI::Option& option =
      *std::visit([&](auto* place) { return parser_.add_option(names, *place, help); }, value);
  option.type_name(rules.type)->required(rules.required);
  if (rules.isMemorySize) option.transform(CLI::Validator(toBytes, ""));
  if (rules.oneWordEach) option.expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  if (!rules.needs.empty()) option.needs(parser_.get_option(rules.needs));
  std::visit(
      [&](const auto& range) {
        if constexpr (requires { range.least; }) option.check(CLI::Range(range.least, range.most));
      },
      rules.range);
}

void Command::flag(const std::string& name, bool& given, const std::string& help,
                   const std::string& excludes) {
  CLI::Option* flag = parser_.add_flag(name, given, help);
  if (!excludes.empty()) flag->excludes(parser_.get_option(excludes));
}

void Command::footer(const std::string& text) {
  parser_.footer(text);
}

struct CommandLine::Parts {
  CLI::App root;
  Action withoutCommand;
  std::map<std::string, Action> commands;
};

CommandLine::CommandLine(const std::string& help, const std::string& version)
    : parts_(new Parts{CLI::App(help, "tilestep"), {}, {}}) {
  parts_->root.set_version_flag("--version", version);
  parts_->root.require_subcommand(0, 1);
}

CommandLine::~CommandLine() = default;

Command CommandLine::program(Action action) {
  parts_->withoutCommand = std::move(action);
  return Command(parts_->root);
}

Command CommandLine::add(const std::string& name, const std::string& help, Action action) {
  parts_->commands[name] = std::move(action);
  return Command(*parts_->root.add_subcommand(name, help));
}

int CommandLine::run(int argc, char** argv) {
  CLI::App& root = parts_->root;
  try {
    root.parse(argc, argv);
  } catch (const CLI::Success& done) {
    std::ostringstream text;  // --help and --version are ordinary results.
    const int status = root.exit(done, text, text);
    return print(text.str(), status);
  } catch (const CLI::ParseError& failure) {
    return refuse(root, failure);
  }
  for (const auto& [name, action] : parts_->commands) {
    if (root.got_subcommand(name)) return action();
  }
  return parts_->withoutCommand();
}

}  // namespace tilestep::app
