// SPDX-License-Identifier: Apache-2.0
#include "trace/event.h"

namespace tilestep::trace {

std::string_view toText(Operation operation) {
  switch (operation) {
    case Operation::load:
      return "load";
    case Operation::store:
      return "store";
    case Operation::atomic:
      return "atomic";
    case Operation::barrier:
      return "barrier";
    case Operation::accumulate:
      return "accumulate";
    case Operation::copy:
      return "copy";
    case Operation::arrive:
      return "arrive";
  }
  return "unknown";
}

std::string_view toText(Space space) {
  switch (space) {
    case Space::none:
      return "none";
    case Space::global:
      return "global";
    case Space::shared:
      return "shared";
    case Space::local:
      return "local";
    case Space::constant:
      return "constant";
  }
  return "unknown";
}

}  // namespace tilestep::trace
