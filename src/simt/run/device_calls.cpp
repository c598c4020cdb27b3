// SPDX-License-Identifier: Apache-2.0
#include "simt/run/device_calls.h"

#include <algorithm>
#include <cstring>

#include "simt/run/device_print.h"
#include "simt/run/worker.h"

namespace tilestep::simt {
namespace {

template <class Visit>
void forEachLane(const Context& context, Visit visit) {
  for (uint32_t mask = context.mask; mask != 0; mask &= mask - 1) {
    visit(static_cast<uint32_t>(__builtin_ctz(mask)));
  }
}

uint64_t wideAt(const Context& context, uint32_t row, uint32_t lane) {
  uint64_t value = 0;
  std::memcpy(&value, context.registers + row + lane * 8, 8);
  return value;
}
void setWide(Context& context, uint32_t row, uint32_t lane, uint64_t value) {
  if (row != kNoRow) std::memcpy(context.registers + row + lane * 8, &value, 8);
}

constexpr size_t kMostText = 4096;

void print(Context& context, const Instr& instr) {
  Worker& worker = workerOf(context);
  std::string format;
  uint64_t formatAt = 0;
  uint32_t count = 0;
  forEachLane(context, [&](uint32_t lane) {
    const uint64_t at = wideAt(context, instr.a, lane);
    // Lanes with equal addresses in global memory share the format.
    if (at != formatAt || at < kGlobalStart) {
      format = worker.textAt(lane, at, kMostText).value_or("(null)");
      count = countArguments(format);
      formatAt = at;
    }
    setWide(context, instr.d, lane, count);
    if (!worker.prints()) return;
    const PrintSource source{
        [&](uint64_t address, void* to, size_t bytes) {
          return worker.read(lane, address, to, bytes);
        },
        [&](uint64_t address) { return worker.textAt(lane, address, kMostText); }};
    worker.print(instr.source, lane, formatPrint(format, wideAt(context, instr.b, lane), source));
  });
}

/// __assertfail(message, file, line, function, size of a character)
void failAssertion(Context& context, const Instr& instr) {
  Worker& worker = workerOf(context);
  forEachLane(context, [&](uint32_t lane) {
    const auto text = [&](uint32_t row) {
      return worker.textAt(lane, wideAt(context, row, lane), kMostText).value_or("?");
    };
    const auto line = static_cast<uint32_t>(wideAt(context, instr.c, lane));
    worker.fail("assert", instr.source, lane,
                "Assertion `" + text(instr.a) + "` failed in " + text(instr.address) + ", " +
                    text(instr.b) + ":" + std::to_string(line));
  });
}

void allocate(Context& context, const Instr& instr) {
  Worker& worker = workerOf(context);
  forEachLane(context, [&](uint32_t lane) {
    setWide(context, instr.d, lane, worker.allocateInHeap(wideAt(context, instr.a, lane)));
  });
}

void release(Context& context, const Instr& instr) {
  Worker& worker = workerOf(context);
  forEachLane(context, [&](uint32_t lane) {
    const uint64_t address = wideAt(context, instr.a, lane);
    const DeviceHeap::Release released = worker.heap().release(address);
    if (released == DeviceHeap::Release::done) return;
    const bool again = released == DeviceHeap::Release::freedBefore;
    worker.fail("out-of-bounds", instr.source, lane,
                again ? "free is given a pointer that was already freed"
                      : "free is given a pointer that malloc did not return");
  });
}

/// CUDA's default of cudaLimitStackSize.
constexpr uint64_t kStackBytesOfGpu = 1024;
/// Measured on an H100 (docs/measurements/recursion.md): nested calls that used 1040 bytes of stack
/// ran, and calls that used 1056 bytes ended with an illegal memory access.
constexpr uint64_t kBytesBeyond = 16;

uint64_t height(const Context& context, const Program& program, uint32_t lane) {
  return wideAt(context, program.stackRow, lane);
}

/// If the stack is full, reports it and returns false.
bool grow(Context& context, const Instr& instr, uint32_t lane, uint64_t bytes) {
  Worker& worker = workerOf(context);
  const uint64_t top = height(context, worker.program(), lane) + bytes;
  if (top > context.localBytes) {
    worker.fail("stack-overflow", instr.source, lane,
                "The recursion needs more than the " +
                    std::to_string(worker.program().stackBytes >> 10) +
                    " KiB of stack that a thread has in the interpreter; end it earlier");
    return false;
  }
  setWide(context, worker.program().stackRow, lane, top);
  return true;
}

uint32_t bytesOfRow(uint32_t saved) {
  return saved % 2 == 0 ? 4 : 8;
}

uint32_t bytesOfRows(const Program& program, const Instr& instr) {
  uint32_t bytes = 0;
  for (uint32_t i = instr.a; i < instr.b; ++i) bytes += bytesOfRow(program.savedRows[i]);
  return (bytes + 15) / 16 * 16;
}

template <class Move>
void moveRows(const Context& context, const Program& program, const Instr& instr, uint32_t lane,
              Move move) {
  uint8_t* at = context.local + lane * context.localBytes + height(context, program, lane) -
                bytesOfRows(program, instr);
  for (uint32_t i = instr.a; i < instr.b; ++i) {
    const uint32_t saved = program.savedRows[i], bytes = bytesOfRow(saved);
    move(at, context.registers + saved / 2 + lane * bytes, bytes);
    at += bytes;
  }
}

}  // namespace

void saveRows(Context& context, const Instr& instr) {
  const Program& program = workerOf(context).program();
  forEachLane(context, [&](uint32_t lane) {
    if (!grow(context, instr, lane, bytesOfRows(program, instr))) return;
    moveRows(context, program, instr, lane,
             [](uint8_t* stack, uint8_t* row, uint32_t bytes) { std::memcpy(stack, row, bytes); });
  });
}

void restoreRows(Context& context, const Instr& instr) {
  const Program& program = workerOf(context).program();
  forEachLane(context, [&](uint32_t lane) {
    moveRows(context, program, instr, lane,
             [](uint8_t* stack, uint8_t* row, uint32_t bytes) { std::memcpy(row, stack, bytes); });
    setWide(context, program.stackRow, lane,
            height(context, program, lane) - bytesOfRows(program, instr));
  });
}

void openFrame(Context& context, const Instr& instr) {
  Worker& worker = workerOf(context);
  const Program& program = worker.program();
  forEachLane(context, [&](uint32_t lane) {
    const uint64_t frames = wideAt(context, program.framesRow, lane) + instr.a;
    setWide(context, program.framesRow, lane, frames);
    if (frames > kStackBytesOfGpu + kBytesBeyond)
      return worker.fail("stack-overflow", instr.source, lane,
                         "The recursion needs more than the " + std::to_string(kStackBytesOfGpu) +
                             " bytes of stack that a thread has on a GPU, with " +
                             std::to_string(instr.a) + " for this call; end it earlier");
    if (instr.d != kNoRow) setWide(context, instr.d, lane, height(context, program, lane));
    grow(context, instr, lane, static_cast<uint64_t>(instr.offset));
  });
}

void closeFrame(Context& context, const Instr& instr) {
  const Program& program = workerOf(context).program();
  forEachLane(context, [&](uint32_t lane) {
    setWide(context, program.stackRow, lane,
            height(context, program, lane) - static_cast<uint64_t>(instr.offset));
    setWide(context, program.framesRow, lane, wideAt(context, program.framesRow, lane) - instr.a);
  });
}

void stopAtTrap(Context& context, const Instr& instr) {
  const Worker& worker = workerOf(context);
  // grid.sync() reads its workspace's address from these registers, and traps if it is 0.
  const bool asksForGrid = std::ranges::any_of(worker.program().specials, [](const auto& row) {
    return row.name == ptx::SpecialRegister::envreg1 || row.name == ptx::SpecialRegister::envreg2;
  });
  workerOf(context).fail(
      "trap", instr.source, static_cast<uint32_t>(__builtin_ctz(context.mask)),
      asksForGrid && !worker.isCooperative()
          ? "grid.sync() stops a kernel that is not launched cooperatively; write "
            "cooperative = true under [launch]"
          : "The kernel stops itself with a trap instruction");
}

Handler hostHandler(std::string_view name) {
  if (name == "vprintf") return print;
  if (name == "__assertfail") return failAssertion;
  if (name == "malloc") return allocate;
  if (name == "free") return release;
  return nullptr;
}

}  // namespace tilestep::simt
