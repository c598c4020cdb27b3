// SPDX-License-Identifier: Apache-2.0
#include "features/program/running.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <utility>
#include <vector>

#include "base/files.h"
#include "worker/program_report.h"

namespace tilestep::features {
namespace {

constexpr const char* kReport = "kernel.report";

std::vector<std::string> commandFor(const std::string& runner,
                                    const compile::ProgramSource& program,
                                    const std::string& report) {
  std::vector<std::string> words{runner,
                                 "run",
                                 program.path,
                                 "--program",
                                 "--check",
                                 "--device",
                                 "simt",
                                 "--report",
                                 report,
                                 "--timeout",
                                 std::to_string(program.timeoutSeconds),
                                 "--std",
                                 program.standard};
  for (const std::string& folder : program.includes) words.insert(words.end(), {"-I", folder});
  for (const std::string& define : program.defines) words.insert(words.end(), {"-D", define});
  words.emplace_back("--");
  words.insert(words.end(), program.arguments.begin(), program.arguments.end());
  return words;
}

}  // namespace

Result<std::unique_ptr<Running>> Running::start(const std::string& runner,
                                                const compile::ProgramSource& program,
                                                bool onlyCompiles) {
  if (runner.empty()) return requestError("programs cannot be run here");
  auto folder = std::make_unique<PrivateFolder>();
  if (folder->path().empty()) return workError(folder->trouble());
  ChildOptions options;
  options.folder = program.folder;
  options.takesInput = true;
  options.joinsOutputs = true;
  options.givesWay = true;  // Lower priority, so that the window stays responsive.
  // Puts temporary files into our folder, so that they are deleted even if the program is stopped.
  options.environment = {"TMPDIR=" + folder->path().string()};
  std::vector<std::string> command =
      commandFor(runner, program, (folder->path() / kReport).string());
  if (onlyCompiles) command.insert(command.begin() + 2, "--compile");
  Result<ChildProcess> child = ChildProcess::start(command, options);
  if (!child) return child.error();
  std::unique_ptr<Running> running(new Running(std::move(*child)));
  running->folder_ = std::move(folder);
  running->onlyCompiles_ = onlyCompiles;
  return running;
}

bool Running::poll() {
  if (ended_) return false;
  write();
  const bool wasRead = read();
  if (!child_.endsWithin(std::chrono::milliseconds(0))) return wasRead;
  read();  // Reads the last output.
  status_ = child_.kill();
  ended_ = true;
  return true;
}

bool Running::read() {
  constexpr size_t kMostAtOnce = size_t{1} << 20;  // Lets the window draw in between.
  char piece[16384];
  size_t all = 0;
  while (all < kMostAtOnce) {
    const ssize_t got = ::read(child_.output.get(), piece, sizeof piece);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    output_.append(piece, static_cast<size_t>(got));
    all += static_cast<size_t>(got);
  }
  if (output_.size() > kMostOutput) output_.erase(0, output_.size() - kMostOutput);
  return all > 0;
}

void Running::write() {
  while (!toWrite_.empty() && child_.input.isOpen()) {
    const ssize_t done = ::write(child_.input.get(), toWrite_.data(), toWrite_.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0 && errno == EAGAIN) return;
    if (done <= 0) break;  // The process no longer reads from the pipe.
    toWrite_.erase(0, static_cast<size_t>(done));
  }
  toWrite_.clear();
  if (endsInput_) child_.input.close();
}

void Running::send(std::string_view line) {
  if (ended_ || endsInput_) return;
  toWrite_ += line;
  toWrite_ += '\n';
  output_ += line;  // Echoes input, like a terminal.
  output_ += '\n';
  write();
}

void Running::give(std::string_view text) {
  if (ended_ || endsInput_) return;
  toWrite_ += text;
  write();
}

void Running::endInput() {
  endsInput_ = true;
  write();
}

Result<lab::ProgramSummary> Running::result() const {
  const Result<std::string> text = readTextFile(folder_->path() / kReport, size_t{64} << 20);
  if (text) return worker::readReport(*text);
  return workError("the run ended without a report (" + describeEnd(status_) + ")" +
                   (output_.empty() ? "" : ": " + output_));
}

std::vector<std::string> wordsOf(std::string_view line) {
  std::vector<std::string> words;
  bool inside = false;
  char quote = 0;
  for (const char c : line) {
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      inside = false;
      continue;
    }
    if (!std::exchange(inside, true)) words.emplace_back();
    if (quote == 0 && (c == '"' || c == '\''))
      quote = c;
    else if (c == quote)
      quote = 0;
    else
      words.back() += c;
  }
  return words;
}

}  // namespace tilestep::features
