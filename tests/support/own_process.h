// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>

namespace tilestep::support {

/// Declares that every test of some suites runs in a process of its own, because it forks,
/// changes the folder, the signals, the limits or the environment of its process, or may cost it the
/// GPU:
///
///     const support::OwnProcess ownProcess{"Toolkit"};
///
/// All other tests of a program share a few processes (tests/runner).
class OwnProcess {
 public:
  OwnProcess(std::initializer_list<const char*> suites);
};

}  // namespace tilestep::support
