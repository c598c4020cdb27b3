// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace CLI {
class App;
}

/// Commands and their options. Only command_line.cpp includes the parser library, because that
/// library takes ten seconds to compile.
namespace tilestep::app {

/// The variable that receives an option's value. A vector receives every value that is given.
using OptionValue = std::variant<std::string*, std::vector<std::string>*, unsigned*, uint64_t*,
                                 double*, std::optional<double>*>;

/// The least and the greatest accepted value of an option.
template <class T>
struct Between {
  T least, most;
};
using OptionRange = std::variant<std::monostate, Between<int>, Between<unsigned>, Between<double>>;

struct OptionRules {
  std::string type;          ///< The value's placeholder in the help.
  bool required = false;     ///< The command is rejected without it.
  bool oneWordEach = false;  ///< For a vector: each value needs the option's name before it.
  std::string needs = {};    ///< Another option that must be given as well.
  OptionRange range = {};
  bool isMemorySize = false;  ///< Also accepts "512M" and "2G" (base/process/memory_size.h).
};

/// One command, or the options that apply when no command is given. The variables that the options
/// set must outlive the CommandLine.
class Command {
 public:
  explicit Command(CLI::App& parser) : parser_(parser) {}

  /// A name without dashes denotes a positional argument; "--a,--b" are two names of one option.
  void option(const std::string& names, OptionValue value, const std::string& help,
              const OptionRules& rules);
  /// `excludes`: an option that must not be given together with this flag.
  void flag(const std::string& name, bool& given, const std::string& help,
            const std::string& excludes = {});
  /// The last lines of the command's help.
  void footer(const std::string& text);

 private:
  CLI::App& parser_;
};

class CommandLine {
 public:
  /// Runs a command once its options are read; returns the exit status.
  using Action = std::function<int()>;

  CommandLine(const std::string& help, const std::string& version);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  /// Describes a start without a command; `action` then runs.
  Command program(Action action);
  Command add(const std::string& name, const std::string& help, Action action);

  /// Parses the arguments and runs the given command, or prints help or an error. Returns the exit
  /// status.
  int run(int argc, char** argv);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tilestep::app
