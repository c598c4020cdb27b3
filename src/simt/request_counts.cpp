// SPDX-License-Identifier: Apache-2.0
#include "simt/request_counts.h"

// The engine's sources are compiled once per vector instruction set; this file has its own copy.
#define TILESTEP_ENGINE core_counts
#include "simt/engine/requests.h"

namespace tilestep::simt {

GlobalRequest globalRequest(const int64_t* addresses, uint32_t mask, uint32_t bytes) {
  return {core_counts::sectorsOf(addresses, mask),
          core_counts::distinctBytesOf(addresses, mask, bytes)};
}

SharedRequest sharedRequest(const int64_t* addresses, uint32_t mask, uint32_t bytes) {
  const core_counts::BankUse use = core_counts::banksOf(addresses, mask, bytes);
  return {use.wavefronts, use.wavefronts - (use.words + kLanes - 1) / kLanes};
}

}  // namespace tilestep::simt
