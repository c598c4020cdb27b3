// SPDX-License-Identifier: Apache-2.0
#include "runner/test_process.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "support/service.h"

namespace tilestep::runner {
namespace {

/// Longer output is cut in the middle.
constexpr size_t kMostOutput = size_t{64} << 10;

std::string contentOf(const std::string& path, size_t from) {
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(from));
  std::stringstream content;
  if (file) content << file.rdbuf();
  return content.str();
}

/// The contents of a non-blocking pipe.
std::string contentOf(const Descriptor& pipe) {
  std::string content(kMostOutput, '\0');
  const ssize_t size = ::read(pipe.get(), content.data(), content.size());
  content.resize(size > 0 ? static_cast<size_t>(size) : 0);
  return content;
}

std::vector<std::string> fieldsOf(const std::string& line) {
  std::vector<std::string> fields;
  std::stringstream stream(line + '\t');
  for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
  return fields;
}

std::string shortened(const std::string& text) {
  if (text.size() <= kMostOutput) return text;
  return text.substr(0, kMostOutput / 2) + "\n[…]\n" + text.substr(text.size() - kMostOutput / 2);
}

}  // namespace

TestProcess::TestProcess(const Program& program, const Batch& batch, const std::string& files)
    : batch_(batch), programName_(program.name), files_(files) {
  std::ofstream flags(files_ + ".flags");
  flags << "--gtest_filter=";
  for (const std::string& test : batch_.tests) flags << test << ':';
  flags << '\n' << std::flush;
  if (!flags) throw std::runtime_error("cannot write " + files_ + ".flags");
  auto child = ChildProcess::start({program.path, "--gtest_flagfile=" + files_ + ".flags"},
                                   {.environment = {"TILESTEP_TEST_REPORT=" + files_, mark()}});
  if (!child) throw std::runtime_error(child.error().message);
  child_.emplace(std::move(*child));
}

TestProcess::~TestProcess() {
  child_.reset();
  // Servers that a test started have their own process groups.
  for (const pid_t left : support::processesWith(mark())) ::kill(left, SIGKILL);
}

/// The environment variable that identifies the processes that the tests started.
std::string TestProcess::mark() const {
  return "TILESTEP_TEST_PROCESS=" + files_;
}

std::string TestProcess::titleOf(const std::string& test) const {
  return programName_ + ": " + test;
}

std::string TestProcess::output(size_t from, size_t to) const {
  const std::string text = contentOf(files_ + ".output", from);
  return shortened(to == std::string::npos ? text : text.substr(0, to - std::min(from, to)));
}

/// The program's output before its output went to the file.
std::string TestProcess::outputBeforeTests() const {
  return shortened(contentOf(child_->output) + contentOf(child_->errors));
}

void TestProcess::takeLine(const std::string& line, const std::function<void(Outcome)>& ended) {
  const std::vector<std::string> fields = fieldsOf(line);
  lastReport_ = Clock::now();
  if (fields.size() >= 3 && fields[0] == "start") {
    current_ = Current{fields[1], std::stoul(fields[2])};
    return;
  }
  if (fields.size() < 5 || fields[0] != "end" || !current_) return;
  Outcome outcome;
  outcome.title = titleOf(fields[1]);
  if (fields[2] == "passed") outcome.status = Status::passed;
  if (fields[2] == "skipped") outcome.status = Status::skipped;
  outcome.seconds = std::stod(fields[3]) / 1000;
  if (outcome.status == Status::skipped && fields.size() > 6) {
    outcome.reason = fields[5];
    outcome.detail = fields[6];
  }
  if (!isGood(outcome)) outcome.output = output(current_->outputFrom, std::stoul(fields[4]));
  anyFailed_ |= outcome.status == Status::failed;
  done_.push_back(fields[1]);
  current_.reset();
  ended(std::move(outcome));
}

void TestProcess::readReport(const std::function<void(Outcome)>& ended) {
  std::string lines = contentOf(files_ + ".report", readUpTo_);
  lines.resize(lines.rfind('\n') + 1);  // Ignores an incomplete line; npos + 1 is 0.
  readUpTo_ += lines.size();
  std::stringstream stream(lines);
  for (std::string line; std::getline(stream, line);) takeLine(line, ended);
}

void TestProcess::noteEnd(int waitStatus, Seconds limit,
                          const std::function<void(Outcome)>& ended) {
  const bool endedWell = WIFEXITED(waitStatus) && (WEXITSTATUS(waitStatus) == 0 ||
                                                   (WEXITSTATUS(waitStatus) == 1 && anyFailed_));
  const bool allRan = rest().tests.empty();
  if (!current_ && endedWell && allRan) return;
  Outcome outcome;
  outcome.seconds = silence().count();
  outcome.reason =
      wasKilled_ ? "took longer than " + std::to_string(static_cast<long>(limit.count())) + " s"
                 : "the process ended with " + describeEnd(waitStatus);
  if (current_) {
    outcome.title = titleOf(current_->name);
    outcome.output = output(current_->outputFrom, std::string::npos);
    done_.push_back(current_->name);
  } else if (allRan) {
    outcome.title = titleOf("the end of the process, after " + batch_.tests.back());
    outcome.output = output(0, std::string::npos);
  } else {
    // No test was running, so the next test is reported as the failed one.
    const std::string next = rest().tests.front();
    outcome.title = titleOf(next);
    outcome.reason += " before this test started";
    outcome.output = outputBeforeTests() + output(0, std::string::npos);
    done_.push_back(next);
  }
  ended(std::move(outcome));
}

bool TestProcess::update(Seconds limit, const std::function<void(Outcome)>& ended) {
  const bool hasEnded = child_->endsWithin(std::chrono::milliseconds(0));
  readReport(ended);
  if (!hasEnded) {
    if (!wasKilled_ && silence() > limit) {
      wasKilled_ = true;
      child_->signalGroup(SIGKILL);
    }
    return false;
  }
  noteEnd(child_->reap(), limit, ended);
  return true;
}

Batch TestProcess::rest() const {
  Batch rest{batch_.program, {}};
  for (const std::string& test : batch_.tests)
    if (std::ranges::find(done_, test) == done_.end()) rest.tests.push_back(test);
  return rest;
}

}  // namespace tilestep::runner
