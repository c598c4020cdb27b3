// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "worker/client.h"

/// A client of fake_worker.cpp, whose fake lab does what the kernel's source orders.
namespace tilestep::worker {

/// The path of the built fake_worker.
std::string fakeWorker();
std::unique_ptr<Client> startFake(const std::string& manner = "", const Patience& patience = {});
lab::Experiment order(const std::string& text, double timeoutSeconds = 60);
std::string errorOf(const Reply& reply);
/// The result of an order; fails the test if it is an error.
lab::RunResult resultFor(Client& client, const std::string& text);
/// The error of an order; empty if it succeeds.
std::string errorFor(Client& client, const std::string& text, double timeoutSeconds = 60);
/// Waits until the worker has reported `stage`.
void awaitProgress(Client& client, const std::string& stage);

}  // namespace tilestep::worker
