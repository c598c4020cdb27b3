// SPDX-License-Identifier: Apache-2.0
#include "worker/crew.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "support/results.h"
#include "unit/worker/fakes.h"

namespace tilestep::worker::crew_test {

std::vector<std::unique_ptr<Client>> fakes(size_t count) {
  std::vector<std::unique_ptr<Client>> clients;
  for (size_t i = 0; i < count; ++i) clients.push_back(startFake());
  return clients;
}

/// The reports of a crew's run, in order: "result TEXT" or "error MESSAGE".
struct Told {
  std::vector<std::string> outcomes;
  size_t most = 0;
  std::vector<std::string> left;
  Crew::Events events;
  bool interrupt = false;

  Told() {
    events.done = [this](size_t index, const Crew::Outcome& outcome) {
      EXPECT_EQ(index, outcomes.size()) << "in the order of the experiments";
      outcomes.push_back(outcome ? "result " + outcome->kernel
                                 : "error " + outcome.error().message);
    };
    events.interrupted = [this] { return interrupt; };
    events.tick = [this](size_t finished, const auto&) { most = std::max(most, finished); };
    events.left = [this](const Error& why) { left.push_back(why.message); };
  }
};

std::vector<lab::Experiment> orders(const std::vector<std::string>& texts) {
  std::vector<lab::Experiment> experiments;
  for (const std::string& text : texts) experiments.push_back(order(text));
  return experiments;
}

TEST(Crew, SharesTheWorkAndReportsItInOrder) {
  std::vector<std::string> texts;
  for (int i = 0; i < 60; ++i) texts.push_back("spin " + std::to_string(i));
  Crew crew(fakes(3));
  Told told;
  ASSERT_TRUE(crew.run(orders(texts), 0, told.events));
  ASSERT_EQ(told.outcomes.size(), texts.size());
  for (size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(told.outcomes[i], "result " + texts[i]);
  EXPECT_EQ(told.most, texts.size());
}

TEST(Crew, MembersOnOneMachineTakeDifferentDevices) {
  for (const std::string device : {"auto", "cuda:0"}) {
    std::vector<lab::Experiment> experiments = orders({"spin a", "spin b", "spin c", "spin d"});
    for (lab::Experiment& experiment : experiments) experiment.device = device;
    const std::set<std::string> shared{"auto", "auto:1"}, named{device};
    const std::set<std::string>& expected = device == "auto" ? shared : named;
    std::set<std::string> devices;
    // On a busy machine one member may do all the work of a run.
    for (int run = 0; run < 100 && devices.size() < expected.size(); ++run) {
      Crew crew(fakes(2), {0, 1});
      Told told;
      const auto done = told.events.done;
      told.events.done = [&](size_t index, const Crew::Outcome& outcome) {
        done(index, outcome);
        if (outcome) devices.insert(outcome->device.id);
      };
      ASSERT_TRUE(crew.run(experiments, 0, told.events));
    }
    EXPECT_EQ(devices, expected);
  }
}

TEST(Crew, APointThatEndsAWorkerIsRetriedOnceAndLosesNoOtherPoint) {
  for (const size_t members : {size_t{1}, size_t{2}}) {
    Crew crew(fakes(members));
    Told told;
    ASSERT_TRUE(crew.run(orders({"a", "exit", "b", "fail", "c"}), 0, told.events));
    EXPECT_EQ(told.outcomes,
              (std::vector<std::string>{
                  "result a", "error the worker ended with exit status 3: out of luck", "result b",
                  "error TILE_WIDTH is 64; at most 32", "result c"}));
  }
}

TEST(Crew, AFailedWorkerLeavesAndTheOthersContinue) {
  auto clients = fakes(1);
  clients.push_back(Client::start({"echo hello", 0, {}}).value());
  // Waits until the command has ended, so that it gets a point at once.
  while (!clients.back()->ready()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  Crew crew(std::move(clients));
  Told told;
  ASSERT_TRUE(crew.run(orders({"wait for it", "a", "b"}), 0, told.events));
  EXPECT_EQ(told.outcomes,
            (std::vector<std::string>{"result wait for it", "result a", "result b"}));
  ASSERT_EQ(told.left.size(), 1U);
  EXPECT_TRUE(has(told.left[0], "echo hello"));
}

TEST(Crew, WithoutWorkersItEndsWithTheReason) {
  std::vector<std::unique_ptr<Client>> clients;
  clients.push_back(Client::start({"echo hello", 0, {}}).value());
  clients.push_back(Client::start({"echo hello", 0, {}}).value());
  Crew crew(std::move(clients));
  Told told;
  EXPECT_TRUE(fails(crew.run(orders({"a", "b", "c"}), 0, told.events), ErrorKind::request,
                    "it printed \"hello\""));
  EXPECT_TRUE(told.outcomes.empty());
}

TEST(Crew, AnInterruptKeepsFinishedPoints) {
  Crew crew(fakes(2));
  Told told;
  const auto done = told.events.done;
  told.events.done = [&](size_t index, const Crew::Outcome& outcome) {
    done(index, outcome);
    told.interrupt = true;
  };
  ASSERT_TRUE(crew.run(orders({"a", "wait", "wait", "b"}), 0, told.events));
  EXPECT_EQ(told.outcomes, std::vector<std::string>{"result a"});
}

}  // namespace tilestep::worker::crew_test
