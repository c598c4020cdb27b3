// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "worker/client.h"

/// A client of fake_worker.cpp, whose laboratory does what the kernel's text says.
namespace tilestep::worker {

/// The path of the built fake_worker.
std::string fakeWorker();
std::unique_ptr<Client> startFake(const std::string& manner = "", const Patience& patience = {});
lab::Experiment order(const std::string& text, double timeoutSeconds = 60);
std::string errorOf(const Reply& reply);
/// Until the worker has said that it is doing `stage`.
void awaitProgress(Client& client, const std::string& stage);

}  // namespace tilestep::worker
