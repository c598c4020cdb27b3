// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/ir.h"
#include "ptx/text/printer.h"

/// Makes each thread of an entry write its *signature*: all values that decide its path and its
/// accesses (ptx/analysis/behaviour.h). Warps with equivalent signatures have equal counts.
///
/// A thread collects the outcomes of unknown branches as bits in one register, and hashes the
/// register when it is full. Roots are stored where they are computed. Lanes exchange nothing, and
/// the program's own instructions keep their order, so results are bit-identical.
namespace tilestep::ptx {

/// The words of a thread's signature, 8 bytes each. The memory layout is [warp][word][lane], with
/// warps numbered across blocks. Words that a thread does not write must be 0 before.
struct SignatureLayout {
  /// A word that must be equal: the last decisions, two hashes of all earlier ones, the number of
  /// hashed words, or an exact root. For a root in a loop, the word with its first value is
  /// followed by two such words: hashes of the distances of its later values from the first.
  static constexpr uint8_t kExact = 255;
  /// Otherwise a word is a root, and this is its alignment (Behaviour::Root): the differences
  /// between lanes and the first lane's remainder must be equal. With kGrouped, the root belongs to
  /// the group of the preceding root, and the differences are relative to the first root of the
  /// whole group. kPresent is added to a root that was computed, so that 0 means absent.
  static constexpr uint8_t kGrouped = 64;
  static constexpr uint64_t kPresent = 0x1c64e6d9b3f2a85;
  std::vector<uint8_t> kinds;
  uint32_t lanes = 32;      ///< Per warp: fewer if the block has fewer threads.
  bool ofOnePlace = false;  ///< Only warps at the same place in their blocks may be compared.

  [[nodiscard]] uint64_t bytesPerWord() const { return uint64_t{8} * lanes; }
  [[nodiscard]] uint64_t bytesPerWarp() const { return kinds.size() * bytesPerWord(); }
};

struct Signing {
  /// The entry has these additional parameters after its own:
  ///   .u64 signatures  memory for the warps of `blocks` + 1 blocks
  ///   .u32 first       the first block that writes into it, in grid order
  ///   .u32 blocks      the number of such blocks; all others share the last place
  Weave weave;
  SignatureLayout layout;
  bool calls = false;  ///< It calls the functions of kernels/probes/count.cu.
};

/// For an entry without ptx::whyNotFollowed, launched in blocks of at most `threadsPerBlock`
/// threads. `registers`, unless 0, is the maximum per thread.
Signing signEntry(const Function& entry, uint64_t threadsPerBlock, uint32_t registers);

}  // namespace tilestep::ptx
