// SPDX-License-Identifier: Apache-2.0
#include "app/sweep_support.h"

#include <algorithm>
#include <csignal>
#include <map>
#include <thread>

#include "app/environment.h"
#include "base/text_table.h"

namespace tilestep::app {
namespace {

// Set by the signal handler, which may access nothing else.
volatile std::sig_atomic_t interruptSeen = 0;

}  // namespace

void catchInterrupts() {
  struct sigaction action = {};
  action.sa_handler = [](int) { interruptSeen = 1; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() {
  return interruptSeen != 0;
}

Result<SweepWorkers> startWorkers(const SweepOptions& options) {
  std::vector<std::string> commands = options.commands;
  if (commands.empty()) commands.emplace_back();
  unsigned threads = options.threads;
  if (threads == 0 && options.workers > 1) {
    threads = std::max(1U, std::thread::hardware_concurrency() / options.workers);
  }
  SweepWorkers workers;
  std::map<std::string, unsigned> started;
  for (const std::string& command : commands) {
    for (unsigned i = 0; i < options.workers; ++i) {
      auto client = startWorker({command, threads});
      if (!client) return client.error();
      workers.clients.push_back(std::move(*client));
      workers.shares.push_back(started[command]++);
    }
  }
  return workers;
}

std::string tableOf(const std::vector<std::string>& columns,
                    const std::vector<lab::SweepLine>& lines, const std::set<std::string>& hidden) {
  std::vector<size_t> shown;
  lab::SweepLine names;
  for (size_t i = 0; i < columns.size(); ++i) {
    bool filled = false;
    for (const lab::SweepLine& line : lines) filled |= !line[i].empty();
    if (!filled || hidden.contains(columns[i])) continue;
    shown.push_back(i);
    names.push_back(columns[i]);
  }
  TextTable table(names);
  for (const lab::SweepLine& line : lines) {
    lab::SweepLine cells;
    for (const size_t i : shown) cells.push_back(line[i]);
    table.add(cells);
  }
  return table.text();
}

namespace {

std::string joined(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " and ") + name;
  return text;
}

}  // namespace

std::string mixedSentence(const std::set<std::string>& devices) {
  return "the points were timed on " + joined(devices) +
         ", so their times are not comparable: use workers whose GPUs are of one kind";
}

int failIncomplete(const CsvFile& csv) {
  return fail(workError(csv.written().error().message +
                        "; once this is solved, continue with the same command and --resume"));
}

std::string mixedCompilersSentence(const std::set<std::string>& compilers) {
  return "the points were compiled by " + joined(compilers) +
         ", which turn the same source into different accesses, so their counts and times are not "
         "comparable: use one compiler";
}

}  // namespace tilestep::app
