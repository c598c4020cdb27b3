// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "worker/client.h"

namespace tilestep::tests {

/// The requests that reached the worker's client in order, one per line: "3 run matmul_tiled {k 8,
/// …} …". Requests are numbered from 1 in the order of their first appearance.
using RequestLog = std::vector<std::string>;

/// A client that writes each request to `log` and passes it on. `home`: the folder of kernels/, for
/// comparison with the sent sources.
[[nodiscard]] std::unique_ptr<worker::Client> logged(std::unique_ptr<worker::Client> client,
                                                     std::string home,
                                                     std::shared_ptr<RequestLog> log);

/// Everything that determines an experiment's result, in one line; default values are omitted. A
/// scene is a trace with counters and a check.
[[nodiscard]] std::string toText(const lab::Experiment& experiment, const std::string& home);

}  // namespace tilestep::tests
