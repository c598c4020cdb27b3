// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "features/registry.h"
#include "model/session.h"
#include "support/source_root.h"
#include "unit/model/fake_client.h"

/// A session with the toy worker, and a clock that the test controls.
namespace tilestep::model {

class SessionFixture : public ::testing::Test {
 protected:
  void open(SessionOptions options = {}) {
    if (options.home.empty()) options.home = support::sourceRoot();
    session = std::make_unique<Session>(options, features::makeFeatures());
    session->connect(std::make_unique<FakeClient>(log));
  }
  /// Lets the worker answer until there are no more requests. Waits for the other thread that
  /// divides long traces into steps.
  void settle() {
    for (int i = 0; i < 10; ++i) {
      session->poll(now += 0.1);
      for (const FakeClient::Asked& asked : log->runs) all.push_back(asked.experiment);
      log->answerRuns();
      waitForScene();
    }
    session->poll(now += 0.1);
    kept = session->snapshot();
  }
  /// Waits until the scene has arrived or needs another answer of the worker.
  void waitForScene() {
    for (int i = 0; i < 5000 && log->runs.empty() && log->answers.empty(); ++i) {
      if (!session->snapshot()->busy.scene) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      session->poll(now += 0.01);
    }
  }
  /// Polls until `isSo` is true, for at most ten seconds, because another thread may have to
  /// answer.
  bool pollUntil(const std::function<bool()>& isSo) {
    for (int i = 0; i < 10000 && !isSo(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      session->poll(now += 0.001);
    }
    return isSo();
  }
  const Snapshot& snapshot() {
    kept = session->snapshot();
    return *kept;
  }
  /// The same, a moment later.
  const Snapshot& next() {
    session->poll(now += 0.1);
    return snapshot();
  }
  const Notice* notice(const std::string& about) {
    for (const Notice& one : snapshot().notices)
      if (one.about == about) return &one;
    return nullptr;
  }

  std::shared_ptr<FakeClient::Log> log = std::make_shared<FakeClient::Log>();
  std::unique_ptr<Session> session;
  std::shared_ptr<const Snapshot> kept;
  std::vector<lab::Experiment> all;  ///< The requests that settle() has seen.
  double now = 0;
};

}  // namespace tilestep::model
