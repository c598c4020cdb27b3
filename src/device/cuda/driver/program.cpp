// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/driver/program.h"

#include <algorithm>

#include "device/cuda/driver/faults.h"
#include "device/cuda/driver/ptx_version.h"

namespace tilestep::cuda {
namespace {

Result<uint32_t> attribute(Context& context, FunctionHandle function, FunctionAttribute which) {
  int value = 0;
  if (Status s = context.check(context.api().funcGetAttribute(&value, which, function),
                               "cuFuncGetAttribute");
      !s) {
    return s.error();
  }
  return static_cast<uint32_t>(value);
}

/// The error for a block with more threads than the registers of the machine code allow.
Error tooManyThreads(const Launch& launch, uint32_t allowed, uint32_t registers) {
  return requestError(launch.entry + " is launched with " + std::to_string(launch.block.count()) +
                      " threads per block, but with " + std::to_string(registers) +
                      " registers per thread this GPU allows only " + std::to_string(allowed) +
                      "; choose a smaller block, or run it in the interpreter (--device simt).");
}

Error tooMuchShared(const Launch& launch, uint64_t bytes, const Limits& limits) {
  return requestError(launch.entry + " needs " + std::to_string(bytes) +
                      " bytes of shared memory per block, but " + limits.device + " has only " +
                      std::to_string(limits.sharedBytesPerBlockOptIn) + "; choose a smaller tile.");
}

/// The error for a launch that the driver rejects although the launch exceeds no single limit.
Error tooManyResources(const Context& context, const Launch& launch, uint32_t registers) {
  return requestError(launch.entry + " needs more than a multiprocessor has: " +
                      std::to_string(launch.block.count()) + " threads per block with " +
                      std::to_string(registers) + " registers each (the driver says: " +
                      driversWord(context.driver(), kLaunchOutOfResources) +
                      "). Choose a smaller block, or run it in the interpreter (--device simt).");
}

}  // namespace

Result<Program> Program::load(const ContextPtr& context, const std::string& ptx,
                              const std::vector<Launch>& launches, const device::DeviceInfo& info) {
  Program program;
  program.context_ = context;
  std::string log;
  Result<LoadedModule> module = loadModule(context, ptx, &log);
  if (!module) return module.error();
  program.module_ = std::move(*module);
  for (const Launch& launch : launches) {
    if (Status s = program.add(launch, info); !s) return s.error();
  }
  if (launches.empty()) return program;
  if (const auto spills = spillsOf(log, launches.front().entry)) {
    program.machine_.spillStoreBytes = spills->storeBytes;
    program.machine_.spillLoadBytes = spills->loadBytes;
  }
  if (Status s = program.tellOccupancy(info); !s) return s.error();
  return program;
}

Status Program::add(const Launch& launch, const device::DeviceInfo& info) {
  Result<FunctionHandle> function = findFunction(*context_, module_, launch.entry);
  if (!function) return function.error();
  const Result<uint32_t> threads =
      attribute(*context_, *function, FunctionAttribute::maxThreadsPerBlock);
  const Result<uint32_t> registers = attribute(*context_, *function, FunctionAttribute::registers);
  const Result<uint32_t> local = attribute(*context_, *function, FunctionAttribute::localBytes);
  const Result<uint32_t> shared = attribute(*context_, *function, FunctionAttribute::sharedBytes);
  for (const Result<uint32_t>* read : {&threads, &registers, &local, &shared}) {
    if (!*read) return read->error();
  }
  if (launch.block.count() > *threads) return tooManyThreads(launch, *threads, *registers);
  const uint64_t total = uint64_t{*shared} + launch.dynamicSharedBytes;
  if (total > info.limits.sharedBytesPerBlockOptIn) {
    return tooMuchShared(launch, total, info.limits);
  }
  if (total > info.limits.sharedBytesPerBlock) {
    if (Status s = context_->check(
            context_->api().funcSetAttribute(*function, FunctionAttribute::maxDynamicSharedBytes,
                                             static_cast<int>(launch.dynamicSharedBytes)),
            "Asking for " + std::to_string(total) + " bytes of shared memory per block");
        !s) {
      return s;
    }
  }
  if (functions_.empty()) {
    registers_ = *registers;
    localBytes_ = *local;
    sharedBytes_ = static_cast<uint32_t>(total);
  }
  if (launch.cooperative) {
    if (Status s = checkCooperative(launch, *function, info); !s) return s;
  }
  launches_.push_back(launch);
  functions_.push_back(*function);
  return {};
}

/// All blocks of a cooperative launch must be resident at once.
Status Program::checkCooperative(const Launch& launch, FunctionHandle function,
                                 const device::DeviceInfo& info) const {
  int blocks = 0;
  const auto threads = static_cast<int>(launch.block.count());
  if (Status s = context_->check(
          context_->api().occupancyBlocks(&blocks, function, threads, launch.dynamicSharedBytes),
          "Asking for the occupancy of " + launch.entry);
      !s) {
    return s;
  }
  const uint64_t most = static_cast<uint64_t>(std::max(blocks, 0)) * info.multiprocessors;
  if (launch.grid.count() <= most) return {};
  return requestError("The grid has " + std::to_string(launch.grid.count()) + " blocks, but only " +
                      std::to_string(most) + " of this shape can be resident at once on " +
                      info.name +
                      ". A cooperative launch needs all of them; make the grid smaller.");
}

// The driver reports how many blocks fit. A second query without shared memory shows whether shared
// memory is the limit. The limits of threads and blocks are checked here; otherwise, registers are
// the limit.
Status Program::tellOccupancy(const device::DeviceInfo& info) {
  const Launch& launch = launches_.front();
  const auto threads = static_cast<int>(launch.block.count());
  int blocks = 0, without = 0;
  const auto ask = [&](int& answer, size_t dynamicSharedBytes) {
    return context_->check(
        context_->api().occupancyBlocks(&answer, functions_.front(), threads, dynamicSharedBytes),
        "Asking for the occupancy of " + launch.entry);
  };
  if (Status s = ask(blocks, launch.dynamicSharedBytes); !s) return s;
  if (Status s = ask(without, 0); !s) return s;
  machine_.activeBlocks = static_cast<uint32_t>(std::max(blocks, 0));
  const uint32_t warps = (launch.block.count() + 31) / 32;
  const auto next = machine_.activeBlocks + 1;
  // Static shared memory cannot be excluded from a query, so its limit is computed.
  const uint64_t sharedOfNext = uint64_t{next} * (sharedBytes_ + info.sharedBytesReservedPerBlock);
  if (machine_.activeBlocks == info.blocksPerMultiprocessor) {
    machine_.limiter = "blocks";
  } else if (uint64_t{next} * warps * 32 > info.threadsPerMultiprocessor) {
    machine_.limiter = "threads";
  } else if (without > blocks || sharedOfNext > info.sharedBytesPerMultiprocessor) {
    machine_.limiter = "shared memory";
  } else {
    machine_.limiter = "registers";
  }
  return {};
}

Status Program::launchOne(size_t index, StreamHandle stream, std::vector<void*>& parameters) const {
  const Launch& launch = launches_[index];
  const cuda::Api& api = context_->api();
  const Dim3 &grid = launch.grid, &block = launch.block;
  const ApiResult result =
      launch.cooperative
          ? api.launchCooperativeKernel(functions_[index], grid.x, grid.y, grid.z, block.x, block.y,
                                        block.z, launch.dynamicSharedBytes, stream,
                                        parameters.data())
          : api.launchKernel(functions_[index], grid.x, grid.y, grid.z, block.x, block.y, block.z,
                             launch.dynamicSharedBytes, stream, parameters.data(), nullptr);
  if (result == kLaunchOutOfResources) return tooManyResources(*context_, launch, registers_);
  return context_->check(result, "Launching " + launch.entry);
}

Program Program::ofLibrary(std::shared_ptr<cublas::Handle> handle, cublas::Product product) {
  Program program;
  program.library_ = std::move(handle);
  program.product_ = std::move(product);
  return program;
}

Status Program::launch(StreamHandle stream, std::vector<void*>& parameters) const {
  if (library_) return library_->multiply(product_, stream, parameters.data());
  for (size_t i = 0; i < launches_.size(); ++i) {
    if (Status s = launchOne(i, stream, parameters); !s) return s;
  }
  return {};
}

Status Program::launchFirst(StreamHandle stream, std::vector<void*>& parameters) const {
  if (library_) return launch(stream, parameters);
  return launches_.empty() ? Status() : launchOne(0, stream, parameters);
}

}  // namespace tilestep::cuda
