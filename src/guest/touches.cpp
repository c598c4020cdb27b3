// SPDX-License-Identifier: Apache-2.0
#include "guest/touches.h"

#include <execinfo.h>
#include <link.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdint>
#include <iterator>

#include "cuda_runtime.h"
#include "guest/connection.h"

namespace tilestep::guest {
namespace {

/// The address range of the program itself.
struct Text {
  uint64_t begin = 0, end = 0;
};

Text textOfTheProgram() {
  Text text;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* to) {
        auto& found = *static_cast<Text*>(to);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& part = info->dlpi_phdr[i];
          if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
          found.begin = info->dlpi_addr + part.p_vaddr;
          found.end = found.begin + part.p_memsz;
        }
        return 1;
      },
      &text);
  return text;
}

Text text;
struct sigaction before;

/// The innermost address in the program's own code. The fault may be in a library's memcpy.
[[gnu::noinline]] const void* placeInTheProgram(uint64_t at) {
  if (at >= text.begin && at < text.end) return reinterpret_cast<const void*>(at + 1);
  void* frames[64];
  const int count = backtrace(frames, std::size(frames));
  // The first frames are this function, the handler, the signal's frame and the faulting function.
  for (int i = 4; i < count; ++i) {
    const auto frame = reinterpret_cast<uint64_t>(frames[i]);
    if (frame >= text.begin && frame < text.end) return frames[i];
  }
  return nullptr;
}

void onFault(int signal, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<uint64_t>(info->si_addr);
  const auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  // Bit 1 of a page fault's error code means a write (Intel SDM, volume 3, "Page-Fault Exception").
  Touched touched{address, 0, static_cast<uint32_t>((registers[REG_ERR] >> 1) & 1)};
  const void* const where = placeInTheProgram(static_cast<uint64_t>(registers[REG_RIP]));
  if (ask(Call::touched, where, touched) == cudaErrorNotReady) return;
  // Repeats the instruction, which now ends the program as it would without this handler.
  sigaction(signal, &before, nullptr);
}

}  // namespace

void watchTouches() {
  text = textOfTheProgram();
  // The first call of backtrace loads a library, which a signal handler must not do.
  void* frame;
  backtrace(&frame, 1);
  static char stack[1 << 16];
  stack_t other{};
  other.ss_sp = stack;
  other.ss_size = sizeof stack;
  sigaltstack(&other, nullptr);
  struct sigaction action {};
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &action, &before);
}

}  // namespace tilestep::guest
