// SPDX-License-Identifier: Apache-2.0
#include "guard/request_log.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <utility>

#include "compile/front_matter/front_matter.h"

namespace tilestep::tests {
namespace {

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The lines in which the sent source differs from the file's, such as a removed barrier.
std::string changesOf(const compile::KernelSource& source, const std::string& home) {
  const std::filesystem::path path = std::filesystem::path(home) / source.path;
  std::ifstream file(path);
  if (!file) return path.extension() == ".cu" ? " (its file is not there)" : "";
  std::stringstream content;
  content << file.rdbuf();
  const std::vector<std::string> then = linesOf(content.str()), now = linesOf(source.text);
  std::string changes;
  if (then.size() != now.size()) changes = " (of other length than its file)";
  for (size_t i = 0; i < std::min(then.size(), now.size()); ++i)
    if (then[i] != now[i]) changes += " (line " + std::to_string(i + 1) + ":" + now[i] + ")";
  return changes;
}

/// "{k m n 8, TILE_WIDTH 4}": consecutive names have the same value.
std::string textOf(const compile::Bindings& values) {
  std::string text;
  for (auto one = values.begin(); one != values.end(); ++one) {
    const auto next = std::next(one);
    const bool more = next != values.end(), same = more && next->second == one->second;
    text += one->first + (same ? " " : " " + std::to_string(one->second) + (more ? ", " : ""));
  }
  return "{" + text + "}";
}

std::string textOf(const Dim3& at) {
  return std::to_string(at.x) + "," + std::to_string(at.y) + "," + std::to_string(at.z);
}

class LoggedClient : public worker::Client {
 public:
  LoggedClient(std::unique_ptr<worker::Client> client, std::string home,
               std::shared_ptr<RequestLog> log)
      : client_(std::move(client)), home_(std::move(home)), log_(std::move(log)) {}

  uint64_t run(const lab::Experiment& experiment) override {
    return add(client_->run(experiment), "run " + toText(experiment, home_));
  }
  uint64_t devices() override { return add(client_->devices(), "devices"); }
  uint64_t ceilings(const std::string& device) override {
    return add(client_->ceilings(device), "ceilings of " + device);
  }
  uint64_t ptx(const lab::Experiment& experiment, bool instrumented) override {
    return add(client_->ptx(experiment, instrumented),
               (instrumented ? "counted ptx " : "ptx ") + toText(experiment, home_));
  }
  uint64_t live(const lab::Experiment& experiment) override {
    return add(client_->live(experiment), "live " + toText(experiment, home_));
  }
  std::optional<device::LiveBatch> samples(uint64_t id) override { return client_->samples(id); }
  [[nodiscard]] bool ready() override { return client_->ready(); }
  void cancel(uint64_t id) override {
    log_->push_back(std::to_string(numberOf(id)) + " cancel");
    client_->cancel(id);
  }
  std::optional<worker::Reply> poll() override { return client_->poll(); }
  std::optional<worker::Progress> progress() override { return client_->progress(); }
  worker::Reply wait(uint64_t id) override { return client_->wait(id); }

 private:
  size_t numberOf(uint64_t id) {
    return numbers_.try_emplace(id, numbers_.size() + 1).first->second;
  }
  uint64_t add(uint64_t id, const std::string& what) {
    log_->push_back(std::to_string(numberOf(id)) + " " + what);
    return id;
  }

  std::unique_ptr<worker::Client> client_;
  std::string home_;
  std::shared_ptr<RequestLog> log_;
  std::map<uint64_t, size_t> numbers_;
};

}  // namespace

std::string toText(const lab::Experiment& experiment, const std::string& home) {
  const lab::Experiment usual;
  std::string text = compile::stemOf(experiment.source.path);
  if (!experiment.source.entry.empty()) text += ":" + experiment.source.entry;
  text += changesOf(experiment.source, home);
  text += " " + textOf(experiment.sizes) + " " + textOf(experiment.tunables) + " on " +
          experiment.device + ":";
  const auto add = [&](bool asked, const std::string& what) {
    if (asked) text += " " + what + ",";
  };
  const bool scene = experiment.traceBlock && experiment.counters && experiment.check;
  add(experiment.traceBlock.has_value(), (scene ? "scene of block " : "trace of block ") +
                                             textOf(experiment.traceBlock.value_or(Dim3{})));
  add(experiment.traceBytes != usual.traceBytes,
      "at most " + std::to_string(experiment.traceBytes) + " bytes of it");
  add(experiment.blockAlone, "that block alone");
  add(experiment.counters && !scene, "counters");
  add(experiment.measure, "measure");
  add(experiment.thorough, "thoroughly");
  add(experiment.check && !scene, "check");
  add(experiment.hardware, "hardware");
  add(experiment.timeline, "timeline");
  add(experiment.timings, "timings");
  add(experiment.onlyRecorded, "only what is recorded");
  add(experiment.blocksInTurn, "blocks in turn");
  add(experiment.loadOnly, "load only");
  add(experiment.pictureSide != usual.pictureSide,
      "pictures of " + std::to_string(experiment.pictureSide));
  add(experiment.seed != usual.seed, "seed " + std::to_string(experiment.seed));
  add(experiment.order != usual.order, "order " + std::to_string(experiment.order));
  std::ostringstream seconds;
  seconds << experiment.timeoutSeconds;
  add(experiment.timeoutSeconds != usual.timeoutSeconds, "within " + seconds.str() + " s");
  text.pop_back();
  return text;
}

std::unique_ptr<worker::Client> logged(std::unique_ptr<worker::Client> client, std::string home,
                                       std::shared_ptr<RequestLog> log) {
  return std::make_unique<LoggedClient>(std::move(client), std::move(home), std::move(log));
}

}  // namespace tilestep::tests
