// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "worker/client.h"

namespace tilestep::tests {

/// The requests that reached the worker's client, one per line, in order: "3 run matmul_tiled {k 8,
/// …} …". Requests are numbered from 1 in the order of first appearance.
using RequestLog = std::vector<std::string>;

/// A client that writes each request into `log` and passes it on. Sent sources are compared with
/// the files in the folder `home`.
[[nodiscard]] std::unique_ptr<worker::Client> logged(std::unique_ptr<worker::Client> client,
                                                     std::string home,
                                                     std::shared_ptr<RequestLog> log);

/// Everything that determines an experiment's result, in one line, without default values. A scene
/// is a trace with counters and a check.
[[nodiscard]] std::string toText(const lab::Experiment& experiment, const std::string& home);

}  // namespace tilestep::tests
