// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "worker/client.h"

namespace tilestep::tests {

/// The requests that reached the worker's client, a line each, in order: "3 run matmul_tiled {k 8,
/// …} …". The numbers are the requests' own, from 1 in order of first appearance.
using RequestLog = std::vector<std::string>;

/// A client that writes each request into `log` and passes it on. `home`: the folder of kernels/,
/// with which the sources that are sent are compared.
[[nodiscard]] std::unique_ptr<worker::Client> logged(std::unique_ptr<worker::Client> client,
                                                     std::string home,
                                                     std::shared_ptr<RequestLog> log);

/// All that decides an experiment's result, in one line; what has its default is left out. A scene
/// is a trace with counters and a check.
[[nodiscard]] std::string toText(const lab::Experiment& experiment, const std::string& home);

}  // namespace tilestep::tests
