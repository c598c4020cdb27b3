// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/measure/cold_caches.h"

#include <algorithm>

namespace tilestep::cuda {
namespace {

/// More than the L2 size, because an L2 of two halves may keep a line in both, and replacement is
/// not strictly LRU.
constexpr uint64_t kTimesL2 = 4;
constexpr uint64_t kLeastBytes = uint64_t{16} << 20;
constexpr uint32_t kBlockThreads = 256;
constexpr uint32_t kBlocksPerMultiprocessor = 8;

/// flush(words, count) reads all 16-byte words. Its store never happens, because the buffer is
/// zero, but keeps the reads from being optimised away.
constexpr const char* kFlushPtx = R"(.version 6.4
.target sm_75
.address_size 64
.visible .entry flush(.param .u64 words, .param .u64 count)
{
  .reg .pred %p<3>;
  .reg .b32 %r<10>;
  .reg .b64 %d<8>;
  ld.param.u64 %d1, [words];
  ld.param.u64 %d2, [count];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  cvt.u64.u32 %d3, %r4;
  mov.u32 %r5, %nctaid.x;
  mul.wide.u32 %d4, %r5, %r2;
  mov.u32 %r9, 0;
LOOP:
  setp.ge.u64 %p1, %d3, %d2;
  @%p1 bra DONE;
  shl.b64 %d5, %d3, 4;
  add.s64 %d6, %d1, %d5;
  ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%d6];
  or.b32 %r5, %r5, %r6;
  or.b32 %r7, %r7, %r8;
  or.b32 %r5, %r5, %r7;
  or.b32 %r9, %r9, %r5;
  add.s64 %d3, %d3, %d4;
  bra LOOP;
DONE:
  setp.eq.u32 %p2, %r9, 1;
  @%p2 st.global.u32 [%d1], %r9;
  ret;
}
)";

}  // namespace

Result<ColdCaches> ColdCaches::make(const ContextPtr& context, const device::DeviceInfo& info) {
  ColdCaches caches;
  Launch launch;
  launch.entry = "flush";
  launch.grid = {std::max(1U, info.multiprocessors) * kBlocksPerMultiprocessor, 1, 1};
  launch.block = {kBlockThreads, 1, 1};
  Result<Program> program = Program::load(context, kFlushPtx, {launch}, info);
  if (!program) return program.error();
  caches.program_ = std::move(*program);
  const uint64_t bytes = std::max(kLeastBytes, kTimesL2 * info.l2Bytes);
  Result<Memory> scratch = allocate(context, bytes, "emptying its caches");
  if (!scratch) return scratch.error();
  caches.scratch_ = std::move(*scratch);
  caches.words_ = bytes / 16;
  if (Status s = context->check(
          context->api().memsetD8Async(caches.scratch_.get(), 0, bytes, nullptr), "Clearing");
      !s) {
    return s.error();
  }
  if (Status s = context->check(context->api().ctxSynchronize(), "cuCtxSynchronize"); !s) {
    return s.error();
  }
  return caches;
}

Status ColdCaches::flush(StreamHandle stream) {
  DevicePointer words = scratch_.get();
  std::vector<void*> parameters{&words, &words_};
  return program_.launch(stream, parameters);
}

}  // namespace tilestep::cuda
