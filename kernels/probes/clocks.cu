// SPDX-License-Identifier: Apache-2.0
// Measures the resolution of the GPU's nanosecond clock. One thread reads it repeatedly and stores
// the first `count` values that differ from the previous value.
extern "C" __global__ void tilestep_tick(unsigned long long* values, int count) {
  unsigned long long last = 0;
  for (int i = 0; i < count;) {
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    if (now == last) continue;
    values[i++] = now;
    last = now;
  }
}
