// SPDX-License-Identifier: Apache-2.0
#include "unit/worker/fakes.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace tilestep::worker {

std::string fakeWorker() {
  return FAKE_WORKER;
}

std::unique_ptr<Client> startFake(const std::string& manner, const Patience& patience) {
  auto client = Client::start({"'" + fakeWorker() + "' " + manner, 0, patience});
  EXPECT_TRUE(client);
  return client ? std::move(*client) : nullptr;
}

lab::Experiment order(const std::string& text, double timeoutSeconds) {
  lab::Experiment experiment;
  experiment.source.text = text;
  experiment.timeoutSeconds = timeoutSeconds;
  return experiment;
}

std::string errorOf(const Reply& reply) {
  const auto* error = std::get_if<Error>(&reply.body);
  return error ? error->message : "";
}

lab::RunResult resultFor(Client& client, const std::string& text) {
  const Reply reply = client.wait(client.run(order(text)));
  const auto* result = resultOf(reply);
  EXPECT_NE(result, nullptr) << errorOf(reply);
  return result ? *result : lab::RunResult{};
}

std::string errorFor(Client& client, const std::string& text, double timeoutSeconds) {
  return errorOf(client.wait(client.run(order(text, timeoutSeconds))));
}

void awaitProgress(Client& client, const std::string& stage) {
  while (true) {
    const auto progress = client.progress();
    if (progress && progress->stage == stage) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace tilestep::worker
