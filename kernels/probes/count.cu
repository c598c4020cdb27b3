// SPDX-License-Identifier: Apache-2.0
// Code for counting on a GPU. The rewritten kernel calls tilestep_append_way and tilestep_append_root
// to record its signatures (src/ptx/rewrite/instrument_signature.h). tilestep_classify then gives
// warps with equal signatures equal keys. Any compiler of CUDA C++ may compile this file.

typedef unsigned long long tilestep_u64;

// All sums and products are taken modulo this prime.
#define TILESTEP_PRIME 0x1fffffffffffffffULL

// The kinds of words in a signature, and the number added to a computed root: see SignatureLayout.
#define TILESTEP_EXACT 255
#define TILESTEP_GROUPED 64
#define TILESTEP_PRESENT 0x1c64e6d9b3f2a85ULL

extern "C" {

// Random numbers below the prime, drawn for each run: two for what threads append, two for combining
// the results. Two different sequences of n numbers have the same polynomial hash for at most n
// multipliers. Every hash is computed with two multipliers.
__device__ tilestep_u64 tilestep_multipliers[4];

static __device__ tilestep_u64 tilestep_reduced(tilestep_u64 value) {
  value = (value & TILESTEP_PRIME) + (value >> 61);
  return value >= TILESTEP_PRIME ? value - TILESTEP_PRIME : value;
}

// Returns a * b + c for numbers below the prime.
static __device__ tilestep_u64 tilestep_multiply_add(tilestep_u64 a, tilestep_u64 b,
                                                     tilestep_u64 c) {
  const tilestep_u64 low = a * b, high = __umul64hi(a, b);
  const tilestep_u64 product = (low & TILESTEP_PRIME) + ((high << 3) | (low >> 61));
  return tilestep_reduced(tilestep_reduced(product) + c);
}

// Appends a number below the prime to the thread's two hashes at `hashes`, `apart` words apart.
static __device__ void tilestep_append(tilestep_u64* hashes, unsigned apart, tilestep_u64 number) {
  for (unsigned i = 0; i < 2; ++i) {
    hashes[apart * i] = tilestep_multiply_add(hashes[apart * i], tilestep_multipliers[i], number);
  }
}

// Appends up to 31 decisions of a thread, preceded by a 1 bit. The word after the two hashes counts
// these calls.
__device__ __noinline__ void tilestep_append_way(tilestep_u64* hashes, unsigned apart,
                                                 unsigned way) {
  tilestep_append(hashes, apart, way);
  ++hashes[2 * apart];
}

// Records the value of a root in a loop. The word at `words` holds the first value, and the two
// hashes after it the distances of all later values from the first value.
__device__ __noinline__ void tilestep_append_root(tilestep_u64* words, unsigned apart,
                                                  long long value) {
  const tilestep_u64 bits = static_cast<tilestep_u64>(value) + TILESTEP_PRESENT;
  if (words[0] == 0) {
    words[0] = bits;
    return;
  }
  const tilestep_u64 distance = bits - words[0];
  tilestep_append(words + apart, apart, distance & 0xffffffff);
  tilestep_append(words + apart, apart, distance >> 32);
}

// Computes keys[2 * warp] and keys[2 * warp + 1], which are equal for warps with equal signatures. A
// warp's signature has `words` * `lanes` numbers. Horner's scheme reduces a lane's numbers to one, and
// the lanes' results are added with factors (`factors[64]`). A root is first replaced by its distance
// from the first root that a lane has in its group. The launch has one warp for each recorded warp.
__global__ void tilestep_classify(const tilestep_u64* signatures, unsigned warps, unsigned words,
                                  unsigned lanes, const unsigned char* kinds,
                                  const tilestep_u64* factors, tilestep_u64* keys) {
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (warp >= warps) return;
  tilestep_u64 hash[2] = {0, 0};
  tilestep_u64 base = 0;  // 0 until the group has a root
  for (unsigned word = 0; word < words; ++word) {
    const unsigned kind = kinds[word];
    const tilestep_u64 at = (static_cast<tilestep_u64>(warp) * words + word) * lanes + lane;
    tilestep_u64 value = lane < lanes ? signatures[at] : 0;
    unsigned rest = 0;
    if (kind != TILESTEP_EXACT) {
      if ((kind & TILESTEP_GROUPED) == 0) base = 0;
      const unsigned having = __ballot_sync(0xffffffffu, value != 0);
      const int first = having == 0 ? 0 : __ffs(having) - 1;
      const tilestep_u64 here = __shfl_sync(0xffffffffu, value, first);
      if (base == 0) base = here;
      // The rest is at most 127, so 255 stands for a lane without a value.
      const unsigned mask = (1u << (kind & ~TILESTEP_GROUPED)) - 1;
      rest = value == 0 ? 255 : static_cast<unsigned>(base - TILESTEP_PRESENT) & mask;
      if (value != 0) value -= base;
    }
    const unsigned numbers[3] = {rest, static_cast<unsigned>(value),
                                 static_cast<unsigned>(value >> 32)};
    for (int i = 0; i < 2; ++i) {
      for (int k = 0; k < 3; ++k) {
        hash[i] = tilestep_multiply_add(hash[i], tilestep_multipliers[2 + i], numbers[k]);
      }
    }
  }
  for (int i = 0; i < 2; ++i) {
    tilestep_u64 sum = tilestep_multiply_add(hash[i], factors[32 * i + lane], 0);
    for (int step = 16; step > 0; step /= 2) {
      sum = tilestep_reduced(sum + __shfl_xor_sync(0xffffffffu, sum, step));
    }
    if (lane == 0) keys[2 * static_cast<tilestep_u64>(warp) + i] = sum;
  }
}

}  // extern "C"
