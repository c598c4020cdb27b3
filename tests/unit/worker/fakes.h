// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "worker/client.h"

/// A client of fake_worker.cpp, whose laboratory does what the kernel's text says.
namespace tilestep::worker {

inline std::unique_ptr<Client> startFake(const std::string& manner = "",
                                         const Patience& patience = {}) {
  auto client = Client::start({std::string("'") + FAKE_WORKER + "' " + manner, 0, patience});
  EXPECT_TRUE(client);
  return client ? std::move(*client) : nullptr;
}

inline lab::Experiment order(const std::string& text, double timeoutSeconds = 60) {
  lab::Experiment experiment;
  experiment.source.text = text;
  experiment.timeoutSeconds = timeoutSeconds;
  return experiment;
}

inline std::string errorOf(const Reply& reply) {
  const auto* error = std::get_if<Error>(&reply.body);
  return error ? error->message : "";
}

/// Until the worker has said that it is doing `stage`.
inline void awaitProgress(Client& client, const std::string& stage) {
  while (true) {
    const auto progress = client.progress();
    if (progress && progress->stage == stage) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace tilestep::worker
