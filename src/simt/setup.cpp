// SPDX-License-Identifier: Apache-2.0
#include "simt/setup.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "simt/check/row_watch.h"
#include "simt/engines.h"
#include "simt/run/launch_limits.h"

namespace tilestep::simt {
namespace {

/// The address of a region for which the caller gave none. It follows the buffers, or, if the
/// caller gave those addresses, is at the end of the address range.
uint64_t nextAddress(const Setup& setup) {
  const auto& buffers = setup.request->buffers;
  const uint64_t own = (setup.regions.size() - buffers.size()) << (kCellBits + 1);
  if (buffers.empty() || buffers.front().address == 0) return addressOf(buffers.size()) + own;
  return kGlobalStart + (kCells << kCellBits) - own - (uint64_t{1} << (kCellBits + 1));
}

/// Checks that all regions fit into the address range. A module may have thousands of variables.
Status checkRegions(const Setup& setup) {
  constexpr uint64_t kEnd = kGlobalStart + (kCells << kCellBits);
  const auto fits = [](const Region& region) {
    return region.start >= kGlobalStart && region.start < kEnd &&
           region.bytes <= kEnd - region.start;
  };
  if (std::ranges::all_of(setup.regions, fits)) return {};
  return requestError("The module of " + setup.request->launch.entry +
                      " has more variables in global memory than the interpreter has addresses "
                      "for: " +
                      std::to_string(setup.variables.size()));
}

/// Gives each module variable without a buffer a region. Memory is allocated when the launch runs.
void addVariables(const ptx::Module& module, Setup& setup, std::vector<std::string>& symbols) {
  for (const ptx::Variable& variable : module.variables) {
    const bool constant = variable.space == ptx::Space::constant;
    if (variable.space != ptx::Space::global && !constant) continue;
    const auto known = std::find(symbols.begin(), symbols.end(), variable.name);
    if (known != symbols.end()) {
      Region& region = setup.regions[static_cast<size_t>(known - symbols.begin())];
      region.counted = !constant;
      continue;
    }
    setup.variables.push_back({&variable, setup.regions.size(), {}});
    setup.regions.push_back(
        {nextAddress(setup), variable.bytes(), nullptr, nullptr, !constant, !constant});
    setup.regionNames.push_back(variable.name);
    symbols.push_back(variable.name);
  }
}

/// Lists the pointers in initial values. All addresses must be known.
Status linkVariables(const ptx::Module& module, const Symbols& places, Setup& setup) {
  for (const ptx::Variable& variable : module.variables) {
    const Symbols::Place* own = places.find(variable.name);
    if (variable.references.empty() || own == nullptr || own->address < kGlobalStart) continue;
    const size_t number = setup.map.regionAt(own->address);
    const auto& buffers = setup.request->buffers;
    if (number < buffers.size() && buffers[number].isLinked) continue;
    const Region& region = setup.regions[number];
    for (const ptx::SymbolReference& reference : variable.references) {
      const Symbols::Place* place = places.find(reference.name);
      const uint32_t function = places.calls.find(reference.name);
      uint64_t address = 0;
      if (place != nullptr) {
        const bool shared = place->space == ptx::Space::shared && reference.generic;
        address = place->address + (shared ? kSharedWindow : 0);
      } else if (function != CallGraph::kNone) {
        address = codeAddress(places.calls.nodes[function].number);
      } else if (module.find(reference.name) == nullptr) {
        return requestError("The initial value of " + variable.name + " names " + reference.name +
                            ", which the module does not define.");
      }
      address = (address + static_cast<uint64_t>(reference.addend)) & reference.mask;
      address >>= reference.mask == 0 ? 0 : __builtin_ctzll(reference.mask);
      if (reference.at + reference.bytes > region.bytes || reference.bytes > 8) continue;
      setup.pointers.push_back({number, reference.at, reference.bytes, address});
    }
  }
  return {};
}

/// Opens the heap if the program calls malloc.
void openHeap(const Symbols& places, bool watched, Setup& setup) {
  for (const CallGraph::Node& node : places.calls.nodes) {
    for (const ptx::Instruction& i : node.function->body) {
      if (i.opcode != ptx::Opcode::call || calleeOf(i).name != "malloc") continue;
      const uint64_t address = nextAddress(setup);
      setup.heap.open(address, watched);
      setup.regions.push_back({address, DeviceHeap::kBytes, setup.heap.memory(),
                               setup.heap.written(), true, true, setup.heap.given()});
      setup.regionNames.push_back("the device heap");
      return;
    }
  }
}

/// Creates the driver's workspace of a cooperative launch, which holds its size and the word of the
/// grid's barrier. Source: cooperative_groups/details/driver_abi.h of CUDA 13, grid_workspace.
void openWorkspace(const Launch& launch, Setup& setup) {
  if (!launch.cooperative) return;
  setup.workspace.resize(8);
  setup.workspace[0] = 8;
  setup.workspaceAddress = nextAddress(setup);
  setup.regions.push_back({setup.workspaceAddress, setup.workspace.size(), setup.workspace.data(),
                           nullptr, true, true});
  setup.regionNames.push_back("the grid's workspace");
}

Status fillParameters(const GridRequest& request, const ptx::Function& entry, Setup& setup) {
  if (request.parameters.size() != entry.parameters.size()) {
    return requestError("The kernel " + entry.name + " takes " +
                        std::to_string(entry.parameters.size()) + " parameters, but " +
                        std::to_string(request.parameters.size()) + " operands are described.");
  }
  for (size_t i = 0; i < entry.parameters.size(); ++i) {
    const ptx::Parameter& parameter = entry.parameters[i];
    const size_t end = parameter.offset + parameter.bytes();
    setup.parameterBlock.resize(std::max(setup.parameterBlock.size(), end));
    uint8_t* to = setup.parameterBlock.data() + parameter.offset;
    const auto structure = request.structures.find(i);
    const size_t given =
        structure == request.structures.end() ? sizeof(uint64_t) : structure->second.size();
    if (parameter.bytes() > given || (given > 8 && parameter.bytes() != given)) {
      return requestError("Parameter " + parameter.name + " of " + entry.name +
                          " is a structure of " + std::to_string(parameter.bytes()) +
                          " bytes, but its operand has " + std::to_string(given) +
                          "; describe it as a scalar with its fields.");
    }
    const void* from = structure == request.structures.end()
                           ? static_cast<const void*>(&request.parameters[i])
                           : structure->second.data();
    std::memcpy(to, from, parameter.bytes());
  }
  return {};
}

/// The assembler's data on the function, or zeros if there are none.
ptx::AssembledFunction assembledOf(const GridRequest& request, const ptx::Function& function) {
  if (request.assembled == nullptr) return {};
  const auto found = request.assembled->find(function.name);
  return found == request.assembled->end() ? ptx::AssembledFunction{} : found->second;
}

Status checkLaunch(const Launch& launch, const ptx::Function& entry) {
  const uint64_t threads = launch.block.count();
  if (threads == 0 || launch.grid.count() == 0) {
    return requestError("The launch of " + entry.name + " has no threads.");
  }
  if (threads > 1024) {
    return requestError("The launch of " + entry.name + " asks for " + std::to_string(threads) +
                        " threads per block; at most 1024 are possible.");
  }
  return {};
}

/// Limits that no GPU exceeds. Sources: CUDA C++ Programming Guide, specifications by compute
/// capability, for shared memory per block and local memory per thread. kMostGlobal is our own
/// limit on a module's variables.
constexpr uint64_t kMostShared = 232448, kMostLocal = 512 << 10, kMostGlobal = uint64_t{4} << 30;

Status tooLarge(const std::string& whose, uint64_t bytes, const char* what, uint64_t most) {
  return requestError(whose + " asks for " + std::to_string(bytes) + " bytes of " + what +
                      "; at most " + std::to_string(most) +
                      " are possible. Make its arrays smaller.");
}

/// Called before any addresses are assigned, so that no sum can overflow.
Status checkVariables(const ptx::Module& module, const ptx::Function& entry) {
  uint64_t global = 0;
  for (const auto* variables : {&module.variables, &entry.variables}) {
    for (const ptx::Variable& each : *variables) {
      const uint64_t bytes = each.bytes();
      if (each.space == ptx::Space::local && bytes > kMostLocal)
        return tooLarge(each.name, bytes, "local memory a thread", kMostLocal);
      if (each.space == ptx::Space::global || each.space == ptx::Space::constant) global += bytes;
      if (global > kMostGlobal)
        return tooLarge(each.name, bytes, "global memory with the variables before it",
                        kMostGlobal);
    }
  }
  return {};
}

uint64_t largestShared(const ptx::Module& module, const ptx::Function& entry) {
  uint64_t largest = 0;
  for (const auto* variables : {&module.variables, &entry.variables}) {
    for (const ptx::Variable& each : *variables) {
      if (each.space == ptx::Space::shared) largest = std::max(largest, each.bytes());
    }
  }
  return largest;
}

/// The fault of a valid kernel that no GPU can run.
Fault refusal(const ptx::Function& entry, const std::string& why) {
  Fault fault;
  fault.kind = "launch-refused";
  const auto first = std::ranges::find_if(
      entry.body, [](const ptx::Instruction& i) { return i.outerLine.line != 0; });
  if (first != entry.body.end()) fault.line = first->outerLine.line;
  fault.message = why + ".";
  return fault;
}

Status checkTotals(const ptx::Function& entry, const Symbols& places, uint64_t dynamicShared) {
  const uint64_t shared = places.sharedBytes + dynamicShared;
  if (shared > kMostShared)
    return tooLarge(entry.name, shared, "shared memory a block", kMostShared);
  if (places.localBytes > kMostLocal)
    return tooLarge(entry.name, places.localBytes, "local memory a thread", kMostLocal);
  return {};
}

void nameSharedArrays(const GridRequest& request, Setup& setup) {
  setup.sharedArrays = recordedArrays(setup.program.shared, setup.sharedBytes);
  if (!request.sharedArrays.empty()) setup.sharedArrays = request.sharedArrays;
  if (request.trace && !request.trace->sharedArrays.empty()) {
    setup.sharedArrays = request.trace->sharedArrays;
  }
}

void planTheChecks(const GridRequest& request, const ptx::Function& entry,
                   const std::vector<std::string>& symbols, Setup& setup) {
  const auto regionOf = [&](const std::string& name) {
    for (size_t i = 0; i < symbols.size(); ++i) {
      if (symbols[i] == name) return static_cast<int>(i);
    }
    for (size_t i = 0; i < entry.parameters.size(); ++i) {
      if (entry.parameters[i].name != name) continue;
      if (request.structures.count(i) != 0) return kAnyRegion;
      const uint16_t region = setup.map.regionAt(request.parameters[i]);
      if (region != kNoRegion) return int{region};
    }
    return -1;
  };
  setup.checks = planChecks(setup.program, setup.sharedBytes, setup.regions.size(), regionOf);
}

std::vector<KnownParameter> knownParameters(const GridRequest& request, const ptx::Function& entry,
                                            const AddressMap& map) {
  std::vector<KnownParameter> known;
  for (size_t i = 0; i < entry.parameters.size(); ++i) {
    if (ptx::isFloat(entry.parameters[i].type)) continue;
    KnownParameter parameter;
    parameter.name = entry.parameters[i].name;
    parameter.value = request.parameters[i];
    const uint16_t index = map.regionAt(parameter.value);
    if (index < request.buffers.size()) {
      const Buffer& buffer = request.buffers[index];
      const uint64_t rowBytes = buffer.columns * buffer.elementBytes;
      parameter.region = static_cast<int>(index);
      parameter.columns = rowBytes != 0 && buffer.bytes > rowBytes ? buffer.columns : 0;
      parameter.elementBytes = buffer.elementBytes;
    }
    known.push_back(std::move(parameter));
  }
  return known;
}

}  // namespace

uint64_t addressOf(size_t buffer) {
  return kGlobalStart + (uint64_t{buffer} << kGlobalStride);
}

Status prepare(const GridRequest& request, Setup& setup) {
  setup.request = &request;
  setup.engine = request.engine != nullptr ? request.engine : engines().front();
  const ptx::Function* entry = request.module->find(request.launch.entry);
  if (entry == nullptr || !entry->isEntry) {
    return requestError("The module has no kernel " + request.launch.entry + ".");
  }
  if (Status launch = checkLaunch(request.launch, *entry); !launch) return launch;
  if (Status fits = checkVariables(*request.module, *entry); !fits) return fits;
  // Before anything is placed, so that no sum can overflow.
  const ptx::AssembledFunction assembled = assembledOf(request, *entry);
  const auto isRefused = [&](uint64_t sharedBytes) {
    const auto why =
        whyNotLaunched(request.launch, *entry,
                       {sharedBytes, constantBytesOf(*request.module), assembled.registers});
    if (why) setup.program.refused.push_back(refusal(*entry, *why));
    return why.has_value();
  };
  const uint64_t largest = largestShared(*request.module, *entry);
  if (largest > kMostShared && isRefused(largest)) return {};
  std::vector<std::string> symbols;
  for (size_t i = 0; i < request.buffers.size(); ++i) {
    const Buffer& buffer = request.buffers[i];
    setup.regions.push_back({buffer.address == 0 ? addressOf(i) : buffer.address, buffer.bytes,
                             buffer.host, buffer.shadow, buffer.writable, true, nullptr,
                             request.check ? buffer.use : ByteUse{}});
    setup.regionNames.push_back(buffer.name);
    symbols.push_back(buffer.symbol);
  }
  addVariables(*request.module, setup, symbols);
  if (Status parameters = fillParameters(request, *entry, setup); !parameters) return parameters;
  std::vector<SymbolAddress> named;
  for (size_t i = 0; i < symbols.size(); ++i) named.push_back({symbols[i], setup.regions[i].start});
  const Symbols places(*request.module, *entry, named);
  if (isRefused(places.sharedBytes)) return {};
  if (Status fits = checkTotals(*entry, places, request.launch.dynamicSharedBytes); !fits)
    return fits;
  openHeap(places, request.check, setup);
  openWorkspace(request.launch, setup);
  if (Status fits = checkRegions(setup); !fits) return fits;
  setup.map = AddressMap(setup.regions);
  const auto known =
      request.check ? knownParameters(request, *entry, setup.map) : std::vector<KnownParameter>{};
  setup.program = decode(
      *entry, places, *setup.engine,
      {request.check, request.check ? &known : nullptr, request.order != 0, request.assembled});
  if (Status linked = linkVariables(*request.module, places, setup); !linked) return linked;
  setup.sharedBytes = setup.program.sharedBytes + request.launch.dynamicSharedBytes;
  const auto& blocks = setup.program.blocks;
  setup.mayWait = std::any_of(blocks.begin(), blocks.end(), [](const DecodedBlock& block) {
    return block.terminator == Terminator::spin;
  });
  // A traced block is never suspended.
  setup.interleaves =
      setup.program.interleaves && !request.trace && request.launch.grid.count() > 1;
  nameSharedArrays(request, setup);
  if (request.check) planTheChecks(request, *entry, symbols, setup);
  return {};
}

void allocateVariables(Setup& setup, std::vector<std::vector<uint8_t>>* kept) {
  std::vector<bool> isKept(setup.regions.size(), false);
  for (size_t i = 0; i < setup.variables.size(); ++i) {
    auto& [variable, number, bytes] = setup.variables[i];
    Region& region = setup.regions[number];
    isKept[number] = kept != nullptr && i < kept->size() && (*kept)[i].size() == region.bytes;
    if (isKept[number]) {
      bytes = std::move((*kept)[i]);
    } else {
      bytes.resize(region.bytes);
      std::copy_n(variable->initial.begin(), std::min(variable->initial.size(), bytes.size()),
                  bytes.begin());
    }
    region.host = bytes.data();
  }
  for (const InitialPointer& each : setup.pointers) {
    uint8_t* host = setup.regions[each.region].host;
    if (host != nullptr && !isKept[each.region])
      std::memcpy(host + each.at, &each.address, each.bytes);
  }
}

void requestStop(Setup& setup) {
  __atomic_store_n(&setup.stop, 1u, __ATOMIC_RELAXED);
}

bool stopRequested(const Setup& setup) {
  return __atomic_load_n(&setup.stop, __ATOMIC_RELAXED) != 0;
}

}  // namespace tilestep::simt
