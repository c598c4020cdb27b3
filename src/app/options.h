// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "app/environment.h"
#include "app/kernel_choice.h"

namespace CLI {
class App;
}

/// Options that several commands share.
namespace tilestep::app {

/// --entry, --size, --m, --n, --k and --set.
void addChoiceOptions(CLI::App& command, Choice& choice, bool lists);
/// --entry, for one file.
void addEntryOption(CLI::App& command, std::string& entry);
/// --worker and --threads.
void addWorkerOptions(CLI::App& command, WorkerOptions& options);

}  // namespace tilestep::app
