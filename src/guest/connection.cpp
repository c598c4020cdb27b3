// SPDX-License-Identifier: Apache-2.0
#include "guest/connection.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "guest/driver/driver_server.h"
#include "guest/errors.h"
#include "guest/interpreter_server.h"
#include "guest/link.h"
#include "guest/touches.h"

namespace tilestep::guest {
namespace {

/// The server that Tilestep chose for the program; null if Tilestep did not start it.
Server* chooseServer() {
  const char* text = std::getenv(kSocketVariable);
  if (text == nullptr) return nullptr;
  Link& link = *new Link(std::atoi(text));
  unsetenv(kSocketVariable);
  if (std::getenv(kAtOnceVariable) != nullptr) std::setvbuf(stdout, nullptr, _IONBF, 0);
  unsetenv(kAtOnceVariable);
  const Welcome welcome = link.hello();
  if (welcome.gpu < 0) return new InterpreterServer(link, welcome.device);
  return new DriverServer(link, welcome);
}

/// Never destroyed, because the program's own destructors may still use it.
Server* server() {
  static Server* const only = [] {
    Server* const chosen = chooseServer();
    if (chosen != nullptr) watchTouches();
    return chosen;
  }();
  return only;
}

}  // namespace

int ask(Call call, const void* where, std::span<const iovec> request, Answer* answer) {
  return server() == nullptr ? cudaErrorNoDevice : server()->ask(call, where, request, answer);
}

const DeviceFacts& device() {
  static const DeviceFacts none{};
  return server() == nullptr ? none : server()->device();
}

bool isServed() {
  return server() != nullptr;
}

void fail(const char* what) {
  std::fprintf(stderr, "tilestep: %s\n", what);
  _exit(125);
}

}  // namespace tilestep::guest
