// SPDX-License-Identifier: Apache-2.0
#include "grade/trouble.h"

#include <algorithm>
#include <array>

namespace tilestep::grade {
namespace {

/// If a kind is also the name of a device::Fault, the kind means exactly that fault.
constexpr std::array<TroubleWords, 31> kWords{{
    {"guard", "has no guard", "have no guard",
     "An access is outside its array or its row only at launches with a size that is not a "
     "multiple of the block, never at a launch of whole blocks."},
    {"bounds", "accesses memory outside an array or its row",
     "access memory outside an array or its row", "An access is outside its array or its row."},
    {"read-only", "writes to an input", "write to an input", "The kernel changes its input."},
    {"misaligned", "has a misaligned access", "have misaligned accesses",
     "The address of an access is not a multiple of its width."},
    {"stack-overflow", "overflows the stack", "overflow the stack",
     "Calls of functions, or local arrays, need more than a thread's stack."},
    {"race-store-load", "races: no barrier between the store and the load",
     "race: no barrier between the store and the load",
     "A thread loads from shared memory what another thread stores, and no barrier orders the two. "
     "One may also be missing between the load and the next store."},
    {"race-load-store", "races: no barrier between the load and the next store",
     "race: no barrier between the load and the next store",
     "A thread stores to shared memory that another thread loads, and no barrier delays the store "
     "until after the load."},
    {"race-store-store", "races: several threads store to the same address",
     "race: several threads store to the same address",
     "Two threads store different values to the same address in shared memory, and nothing orders "
     "them."},
    {"race-one-line", "races within one line", "race within one line",
     "In one line of the code, a thread changes a value in shared memory that another thread "
     "accesses, and nothing orders the two. If both update it, an atomic operation is missing. If "
     "one uses the other's value, a barrier is missing."},
    {"race-global", "races in global memory", "race in global memory",
     "Two threads access the same address in global memory, at least one of them stores, and "
     "nothing orders the two."},
    {"deadlock", "waits for threads that never arrive", "wait for threads that never arrive",
     "Threads wait at a barrier, or in a warp function, for others that never arrive."},
    {"divergent-barrier", "separates the threads of a warp at a barrier",
     "separate the threads of a warp at a barrier",
     "Threads of one warp wait at different barriers."},
    {"wrong-barrier", "has a barrier for a wrong number of threads",
     "have a barrier for a wrong number of threads",
     "A barrier names a number of threads that the block does not have for it."},
    {"wrong-mask", "calls a warp function with a wrong mask",
     "call a warp function with a wrong mask",
     "The mask names lanes that do not take part, or leaves out lanes that do."},
    {"endless", "does not end", "do not end",
     "A launch executes far more instructions than the task needs. It is stopped there, and later "
     "launches are not run."},
    {"launch-refused", "cannot be launched", "cannot be launched",
     "At some launch the block has more threads than the kernel's registers or __launch_bounds__ "
     "allow, or the kernel has more than 48 KiB of static shared memory."},
    {"uninitialised-read", "reads memory that nothing has written",
     "read memory that nothing has written",
     "The kernel uses a value that no thread stored. No race was found at that launch."},
    {"assert", "fails an assertion", "fail an assertion", "The kernel stops at an assert()."},
    {"trap", "stops at a trap", "stop at a trap", "The kernel stops itself."},
    {"wrong-sizes", "is wrong only if a size is not a multiple of the block",
     "are wrong only if a size is not a multiple of the block",
     "Nothing but the wrong result was found at those launches."},
    {"wrong-blocks", "is right only with a single block", "are right only with a single block",
     "The result is right at each launch of one block and wrong at each launch of several, and "
     "nothing else was found."},
    {"unwritten", "leaves elements of the output unwritten",
     "leave elements of the output unwritten",
     "No thread stores to some elements of the output, and nothing else was found at that launch."},
    {"wrong-each", "is wrong at each launch", "are wrong at each launch",
     "Nothing but the wrong result was found."},
    {"wrong", "is wrong at some launches", "are wrong at some launches",
     "Nothing but the wrong result was found at those launches."},
    {"count", "is right, but does more than the model", "are right, but do more than the model",
     ""},
    {"row", "is right, but a row of its marks is not judged",
     "are right, but a row of their marks is not judged", ""},
    {"not-compiled", "does not compile", "do not compile", ""},
    {"refused", "is refused", "are refused", "The kernel was not run."},
    {"unjudged", "could not be judged", "could not be judged",
     "Neither a fault nor the kernel's correctness was proven."},
    {"failed", "was not graded", "were not graded",
     "The grader failed, through no fault of the kernel; --resume tries again."},
    {"other", "has something else wrong", "have something else wrong", ""},
}};

}  // namespace

const TroubleWords* troubleWords(std::string_view kind) {
  const auto at = std::ranges::find(kWords, kind, &TroubleWords::kind);
  return at == kWords.end() ? nullptr : &*at;
}

size_t troubleOrder(std::string_view kind) {
  return static_cast<size_t>(std::ranges::find(kWords, kind, &TroubleWords::kind) - kWords.begin());
}

}  // namespace tilestep::grade
