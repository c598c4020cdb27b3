// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/ir.h"
#include "ptx/text/printer.h"

/// Makes each thread of an entry write its *signature*: all values that determine its path and its
/// accesses (ptx/analysis/behaviour.h). Warps with equivalent signatures have equal counts.
///
/// A thread collects the outcomes of unknown branches as bits in a register, and hashes the
/// register when it is full. Roots are stored where they are computed. Lanes exchange nothing, and
/// the program's own instructions keep their order, so results are bit-identical.
namespace tilestep::ptx {

/// The words of a thread's signature, 8 bytes each. The memory layout is [warp][word][lane], with
/// warps numbered across all blocks. The memory must be zeroed before the launch, because a thread
/// may not write all its words.
struct SignatureLayout {
  /// The kind of a word that must be equal in both warps: the last decisions, two hashes of all
  /// earlier decisions, the number of hashed words, or an exact root. For a root in a loop, the
  /// word with its first value is followed by two words of this kind: hashes of the distances
  /// between its later values and the first.
  static constexpr uint8_t kExact = 255;
  /// All other words are roots, and their kind is the alignment (Behaviour::Root): the differences
  /// between lanes must be equal, and the first lane's value must be equal modulo 2^alignment. If
  /// kGrouped is added, the root belongs to the group of the preceding root, and differences are
  /// relative to the first root of the group. A thread adds kPresent to a root that it stores, so
  /// that 0 means absent.
  static constexpr uint8_t kGrouped = 64;
  static constexpr uint64_t kPresent = 0x1c64e6d9b3f2a85;
  std::vector<uint8_t> kinds;
  uint32_t lanes = 32;      ///< Per warp; fewer than 32 if the block has fewer threads.
  bool ofOnePlace = false;  ///< As in Behaviour.

  [[nodiscard]] uint64_t bytesPerWord() const { return uint64_t{8} * lanes; }
  [[nodiscard]] uint64_t bytesPerWarp() const { return kinds.size() * bytesPerWord(); }
};

struct Signing {
  /// The entry has these additional parameters after its own:
  ///   .u64 signatures  memory for the warps of `blocks` + 1 blocks
  ///   .u32 first       the first block that writes its signatures, in grid order
  ///   .u32 blocks      the number of such blocks; all others share the memory after theirs
  Weave weave;
  SignatureLayout layout;
  bool calls = false;  ///< `weave` calls functions of kernels/probes/count.cu.
};

/// Requires that whyNotFollowed() returns nullopt for the entry. Its blocks have at most
/// `threadsPerBlock` threads. `registers`, unless 0, is the maximum per thread.
Signing signEntry(const Function& entry, uint64_t threadsPerBlock, uint32_t registers);

}  // namespace tilestep::ptx
