// SPDX-License-Identifier: Apache-2.0
#include "device/named_value.h"

#include <algorithm>

namespace tilestep::device {
const NamedValue* find(const std::vector<NamedValue>& values, const std::string& id) {
  const auto at = std::ranges::find(values, id, &NamedValue::id);
  return at == values.end() ? nullptr : &*at;
}

}  // namespace tilestep::device
