// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/ir.h"
#include "ptx/text/printer.h"

/// Has each thread of an entry write down its *signature*: all that decides which way it goes and
/// what it accesses (ptx/analysis/behaviour.h). Warps whose signatures are alike count equally.
///
/// A thread keeps the outcomes of branches that are not known as bits of one register, and hashes
/// them when the register is full. Roots are stored where they are computed. Lanes exchange
/// nothing, and the program's own instructions keep their order, so results are bit-identical.
namespace tilestep::ptx {

/// The words of a thread's signature, 8 bytes each. In memory they lie as [warp][word][lane], where
/// warps count on from block to block. Words that a thread does not write must be 0 before.
struct SignatureLayout {
  /// A word that must be equal: the last decisions, two hashes of all that came before them, how
  /// many words went into these, or an exact root. After the first value of a root in a loop come
  /// two such words, hashes of the distances of its later values from the first.
  static constexpr uint8_t kExact = 255;
  /// Otherwise a word is a root, and this is its alignment (Behaviour::Root): its differences
  /// between lanes and the first one's remainder must be equal.
  /// With kGrouped, the root belongs to the group of the root before it, and the differences are
  /// taken from the first root of the whole group. To a root that is there kPresent is added, so
  /// that 0 stands for none.
  static constexpr uint8_t kGrouped = 64;
  static constexpr uint64_t kPresent = 0x1c64e6d9b3f2a85;
  std::vector<uint8_t> kinds;
  uint32_t lanes = 32;      ///< Of a warp: fewer where a block has fewer threads.
  bool ofOnePlace = false;  ///< Only warps at one place in their blocks may be compared.

  [[nodiscard]] uint64_t bytesPerWord() const { return uint64_t{8} * lanes; }
  [[nodiscard]] uint64_t bytesPerWarp() const { return kinds.size() * bytesPerWord(); }
};

struct Signing {
  /// The entry takes these parameters after its own:
  ///   .u64 signatures  memory for the warps of `blocks` + 1 blocks
  ///   .u32 first       the first block that writes into it, in the order of their numbers
  ///   .u32 blocks      how many blocks do so; all others share the last place
  Weave weave;
  SignatureLayout layout;
  bool calls = false;  ///< It calls the functions of kernels/probes/count.cu.
};

/// Of an entry that ptx::whyNotFollowed has nothing against, launched in blocks of at most so many
/// threads. `registers`, unless 0, is the most that a thread may take.
Signing signEntry(const Function& entry, uint64_t threadsPerBlock, uint32_t registers);

}  // namespace tilestep::ptx
