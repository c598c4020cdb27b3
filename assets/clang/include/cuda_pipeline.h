// SPDX-License-Identifier: Apache-2.0
// Copies from global to shared memory that a thread does not wait for (CUDA C++ Programming Guide,
// "Pipeline Primitives Interface"). Below compute capability 8.0 they are ordinary copies.
#pragma once

#if __CUDA_ARCH__ >= 800
#define TILESTEP_ASYNC_COPY(op, bytes)                                                          \
  do {                                                                                          \
    if (zfill == 0) {                                                                           \
      asm volatile("cp.async." op ".shared.global [%0], [%1], " #bytes ";" ::"r"(to), "l"(from) \
                   : "memory");                                                                 \
    } else {                                                                                    \
      asm volatile("cp.async." op ".shared.global [%0], [%1], " #bytes ", %2;" ::"r"(to),       \
                   "l"(from), "r"(bytes - (unsigned int)zfill)                                  \
                   : "memory");                                                                 \
    }                                                                                           \
  } while (false)

// `size` is 4, 8 or 16; the last `zfill` of its bytes become zero.
TILESTEP_INLINE void __pipeline_memcpy_async(void* shared, const void* global, size_t size,
                                             size_t zfill = 0) {
  const unsigned int to = (unsigned int)__cvta_generic_to_shared(shared);
  const auto from = (__attribute__((address_space(1))) const char*)global;
  if (size == 4) TILESTEP_ASYNC_COPY("ca", 4);
  if (size == 8) TILESTEP_ASYNC_COPY("ca", 8);
  if (size == 16) TILESTEP_ASYNC_COPY("cg", 16);
}
#undef TILESTEP_ASYNC_COPY

TILESTEP_INLINE void __pipeline_commit() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

// Waits until at most `prior` of the last batches are in flight; more than 8 count as 8.
TILESTEP_INLINE void __pipeline_wait_prior(size_t prior) {
#define TILESTEP_WAIT(n)                                      \
  case n:                                                     \
    asm volatile("cp.async.wait_group " #n ";" ::: "memory"); \
    break;
  switch (prior < 8 ? prior : 8) {
    TILESTEP_WAIT(0)
    TILESTEP_WAIT(1)
    TILESTEP_WAIT(2)
    TILESTEP_WAIT(3)
    TILESTEP_WAIT(4)
    TILESTEP_WAIT(5)
    TILESTEP_WAIT(6)
    TILESTEP_WAIT(7)
    TILESTEP_WAIT(8)
  }
#undef TILESTEP_WAIT
}

#else

// As many bytes at a time as the asynchronous copy moves, so that accesses are counted alike.
TILESTEP_INLINE void __pipeline_memcpy_async(void* shared, const void* global, size_t size,
                                             size_t zfill = 0) {
  if (zfill == 0 && size == 4) {
    *(int*)shared = *(const int*)global;
    return;
  }
  if (zfill == 0 && size == 8) {
    *(int2*)shared = *(const int2*)global;
    return;
  }
  if (zfill == 0 && size == 16) {
    *(int4*)shared = *(const int4*)global;
    return;
  }
  for (size_t i = 0; i < size; ++i) {
    ((char*)shared)[i] = i < size - zfill ? ((const char*)global)[i] : 0;
  }
}
TILESTEP_INLINE void __pipeline_commit() {}
TILESTEP_INLINE void __pipeline_wait_prior(size_t) {}

#endif
