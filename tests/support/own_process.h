// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>

namespace tilestep::support {

/// Declares that every test of some suites runs in a process of its own, because it forks,
/// changes the folder, the signals, the limits or the environment of its process, or may cost it
/// the GPU:
///
///     const support::OwnProcess ownProcess{"Toolkit"};
///
/// All other tests of a program share a few processes (tests/runner).
class OwnProcess {
 public:
  OwnProcess(std::initializer_list<const char*> suites);
};

/// Declares that nothing else runs beside the tests of some suites, because they need the GPU to
/// themselves: its hardware counters go to one process at a time. They run last, a suite in one
/// process.
class Alone {
 public:
  Alone(std::initializer_list<const char*> suites);
};

}  // namespace tilestep::support
