// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>

namespace tilestep::support {

/// Declares that every test of some suites runs in its own process, because it forks, changes the
/// folder, signals, limits or environment of its process, or may make the GPU unusable for the
/// process:
///
///     const support::OwnProcess ownProcess{"Toolkit"};
///
/// All other tests of a program share a few processes (tests/runner).
class OwnProcess {
 public:
  OwnProcess(std::initializer_list<const char*> suites);
};

/// Declares that some suites run alone, because they need the GPU to themselves: its hardware
/// counters serve one process at a time. These suites run last, each in one process.
class Alone {
 public:
  Alone(std::initializer_list<const char*> suites);
};

}  // namespace tilestep::support
