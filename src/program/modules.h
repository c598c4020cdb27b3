// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "ptx/assembled.h"
#include "ptx/ir.h"

namespace tilestep::program {

struct Kernel {
  std::shared_ptr<const ptx::Module> module;
  std::shared_ptr<const std::string> text;  ///< The module's PTX.
  uint32_t moduleNumber = 0;
  const ptx::Function* entry = nullptr;
  std::string name;  ///< As its author wrote it: "tile<16>".
  uint64_t sharedBytes = 0, localBytes = 0, constantBytes = 0;
  uint32_t mostThreads = 1024;
  uint32_t registers = 0;         ///< Per thread; 0 if unknown.
  uint64_t mostDynamicBytes = 0;  ///< 0 for the amount that is allowed without opting in.
};

/// The program's device code. Kernels stay at their addresses.
class Modules {
 public:
  /// Returns the module's number.
  Result<uint32_t> add(std::string_view text);
  /// Null if the module has no such kernel.
  Kernel* addKernel(uint32_t module, const std::string& name, uint32_t& number);
  [[nodiscard]] Kernel* kernel(uint32_t number);
  [[nodiscard]] const ptx::Module* module(uint32_t number) const;

 private:
  struct Loaded {
    std::shared_ptr<const ptx::Module> module;
    std::shared_ptr<const std::string> text;
  };
  std::deque<Loaded> modules_;
  std::deque<ptx::Assembled> assembled_;  ///< By module.
  std::deque<Kernel> kernels_;
};

}  // namespace tilestep::program
