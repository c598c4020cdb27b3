// SPDX-License-Identifier: Apache-2.0
#include "support/source_root.h"

namespace tilestep::support {

const std::string& sourceRoot() {
  static const std::string root = TILESTEP_SOURCE_DIR;
  return root;
}

}  // namespace tilestep::support
