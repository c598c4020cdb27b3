// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "guest/connection.h"

namespace tilestep::guest {

/// The origin of a library's work: its handle's stream, and the call in the program.
struct Caller {
  uint64_t stream = 0;
  const void* where = nullptr;
};

/// Copies `columns` columns of `bytes` bytes each between the host and the device, in the caller's
/// stream. Columns begin `toPitch` and `fromPitch` bytes apart. Returns a cudaError.
int copyColumns(const Caller& caller, void* to, uint64_t toPitch, const void* from,
                uint64_t fromPitch, uint64_t bytes, uint64_t columns);

/// A host copy of a device matrix, stored by columns, for a library on the host.
template <class T>
class DeviceArray {
 public:
  /// `columnStep` is the number of elements from one column to the next on the device.
  DeviceArray(const Caller& caller, const T* device, int rows, int columns, int columnStep)
      : caller_(caller),
        device_(device),
        rows_(rows),
        columns_(columns),
        step_(columnStep),
        values_(static_cast<size_t>(rows) * columns) {}

  int fetch() {
    return copyColumns(caller_, values_.data(), bytes(rows_), device_, bytes(step_), bytes(rows_),
                       columns_);
  }
  int store() const {
    return copyColumns(caller_, const_cast<T*>(device_), bytes(step_), values_.data(), bytes(rows_),
                       bytes(rows_), columns_);
  }
  T* data() { return values_.data(); }
  /// The number of elements from one column to the next in the host's memory.
  [[nodiscard]] const int& step() const { return rows_; }

 private:
  static uint64_t bytes(int elements) { return static_cast<uint64_t>(elements) * sizeof(T); }

  Caller caller_;
  const T* device_;
  int rows_, columns_, step_;
  std::vector<T> values_;
};

}  // namespace tilestep::guest
