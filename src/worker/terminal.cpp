// SPDX-License-Identifier: Apache-2.0
#include "worker/terminal.h"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>

namespace tilestep::worker {

TerminalLoan::TerminalLoan(pid_t group) {
  Descriptor terminal(::open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!terminal.isOpen() || ::tcgetpgrp(terminal.get()) != ::getpgrp()) return;
  if (::tcsetpgrp(terminal.get(), group) != 0) return;
  terminal_ = std::move(terminal);
  // The command may already have been stopped because it asked for a password.
  ::kill(-group, SIGCONT);
}

TerminalLoan& TerminalLoan::operator=(TerminalLoan&& other) noexcept {
  end();
  terminal_ = std::move(other.terminal_);
  return *this;
}

void TerminalLoan::end() {
  if (!terminal_.isOpen()) return;
  // A background process that takes the terminal back is stopped, unless SIGTTOU is blocked.
  sigset_t take, before;
  sigemptyset(&take);
  sigaddset(&take, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &take, &before);
  ::tcsetpgrp(terminal_.get(), ::getpgrp());
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  terminal_.close();
}

}  // namespace tilestep::worker
