// SPDX-License-Identifier: Apache-2.0
// A worker is killed at 200 random moments. No request is lost, and none is answered twice.
#include <dirent.h>
#include <gtest/gtest.h>
#include <sys/types.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <map>
#include <random>

#include "support/results.h"
#include "unit/worker/fakes.h"

namespace tilestep::worker::kill_test {

constexpr int kKills = 200;
constexpr size_t kInFlight = 4;

/// The running worker, if there is one: a child of this process that is no zombie.
std::optional<pid_t> workerProcess() {
  std::optional<pid_t> found;
  DIR* folder = ::opendir("/proc");
  while (const dirent* entry = ::readdir(folder)) {
    std::ifstream file(std::string("/proc/") + entry->d_name + "/stat");
    std::string text;
    if (!std::getline(file, text) || text.find(')') == std::string::npos) continue;
    char state = 0;
    int parent = 0;
    std::sscanf(text.c_str() + text.rfind(')') + 1, " %c %d", &state, &parent);
    if (parent == ::getpid() && state != 'Z') found = std::atoi(entry->d_name);
  }
  ::closedir(folder);
  return found;
}

/// Keeps some requests in flight. Each has a unique source, which its result must name.
class Conversation {
 public:
  void step() {
    while (open_.size() < kInFlight) askNew();
    while (auto reply = client_->poll()) take(std::move(*reply));
  }
  void finish() {
    while (!open_.empty()) take(client_->wait(open_.begin()->first));
    EXPECT_FALSE(client_->poll()) << "an answer without a request";
  }
  [[nodiscard]] size_t right() const { return right_; }
  [[nodiscard]] size_t lost() const { return lost_; }

 private:
  void askNew() {
    const std::string text = "spin " + std::to_string(++asked_);
    const uint64_t id = client_->run(order(text));
    EXPECT_TRUE(open_.emplace(id, text).second);
  }
  void take(Reply reply) {
    const auto asked = open_.find(reply.id);
    ASSERT_NE(asked, open_.end()) << "answered twice, or never asked: " << reply.id;
    if (const auto* result = resultOf(reply)) {
      EXPECT_EQ(result->kernel, asked->second);
      ++right_;
    } else {
      EXPECT_TRUE(reply.lost);
      EXPECT_TRUE(has(errorOf(reply), "signal SIGKILL"));
      ++lost_;
    }
    open_.erase(asked);
  }

  std::unique_ptr<Client> client_ = startFake();
  std::map<uint64_t, std::string> open_;
  size_t asked_ = 0, right_ = 0, lost_ = 0;
};

TEST(Kill, TwoHundredKillsLoseNoRequestAndRepeatNoAnswer) {
  std::mt19937 random(20240607);
  Conversation conversation;
  for (int kills = 0; kills < kKills;) {
    const auto until =
        std::chrono::steady_clock::now() + std::chrono::microseconds(random() % 20000);
    while (std::chrono::steady_clock::now() < until) conversation.step();
    const auto process = workerProcess();
    if (!process) continue;
    ::kill(*process, SIGKILL);
    ++kills;
  }
  conversation.finish();
  EXPECT_GT(conversation.right(), 0U);
  EXPECT_GT(conversation.lost(), 0U) << "no kill hit a running request";
  // At worst, two waiting requests are lost if two workers in a row are killed while they start.
  EXPECT_LE(conversation.lost(), size_t{kKills} * kInFlight / 2);
  RecordProperty("answered", static_cast<int>(conversation.right()));
  RecordProperty("lost", static_cast<int>(conversation.lost()));
}

}  // namespace tilestep::worker::kill_test
