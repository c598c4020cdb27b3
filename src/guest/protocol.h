// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

/// The protocol between a program that Tilestep runs (the guest) and Tilestep (the service), over
/// a stream socket whose descriptor is in the guest's environment. The guest sends one request
/// at a time and waits for the answer. Both run on one machine, so numbers are in native form.
///
/// A request is a RequestHead, the call's own structure, and the call's data. An
/// answer is an AnswerHead and its data. The service checks every length and handle.
///
/// If a GPU's driver serves the guest, the guest asks the service for the contents of modules, and
/// reports all that the driver did.
namespace tilestep::guest {

constexpr char kSocketVariable[] = "TILESTEP_PROGRAM";
/// The environment variable that makes a guest print at once, without a buffer.
constexpr char kAtOnceVariable[] = "TILESTEP_AT_ONCE";
constexpr uint32_t kProtocol = 2;

/// The range of device addresses and of memory shared by host and device. The guest maps nothing
/// else in it. Equal to the interpreter's range (simt/machine.h).
constexpr uint64_t kSpanStart = uint64_t{1} << 44;
constexpr uint64_t kSpanBytes = uint64_t{1} << 46;

enum class Call : uint64_t {
  hello,       ///< Hello; the answer is a Welcome.
  module,      ///< The module's PTX; the answer is its number, a uint32_t.
  function,    ///< Named; the answer is a FunctionFacts and a Parameter for each parameter.
  variable,    ///< Named; the answer is its address, a uint64_t.
  allocate,    ///< Allocate; the answer is Allocated, and for shared memory a descriptor.
  release,     ///< Release.
  copy,        ///< Copy, then its rows from the host; the answer has rows for the host.
  fill,        ///< Fill.
  launch,      ///< Launch and the parameters' bytes.
  wait,        ///< Handles of a stream or event: waits for its work.
  query,       ///< As `wait`, but without waiting.
  stream,      ///< A new stream; the answer is its number.
  event,       ///< A new event; the answer is its number.
  endStream,   ///< Handles.
  endEvent,    ///< Handles.
  record,      ///< Handles: an event in a stream.
  await,       ///< Handles: a stream waits for an event.
  elapsed,     ///< Handles: two events; the answer is a float, milliseconds.
  attribute,   ///< FunctionAttribute.
  occupancy,   ///< Occupancy; the answer is a uint64_t.
  memory,      ///< The answer is two uint64_t: free bytes, and all bytes.
  pointer,     ///< Pointed; the answer is a PointerFacts.
  setLimit,    ///< FunctionAttribute, of the device.
  limit,       ///< FunctionAttribute; the answer is the limit's value, a uint64_t.
  note,        ///< Noted: a fact. The answer has no data.
  touched,     ///< Touched: the host used a forbidden address, or shared memory in use.
  overflowed,  ///< Overflowed: a product in host code wrapped around.
  refused,     ///< Refused: a copy that the runtime rejects.
  // Messages from a guest on a GPU. They have no answer.
  gpu,       ///< The DeviceFacts of its GPU.
  told,      ///< Told and the request that the driver has executed.
  took,      ///< Took: the GPU's time for work that was reported earlier.
  contents,  ///< An address and its contents, before a launch to be examined.
  forget,    ///< The address of an unused allocation.
};

struct RequestHead {
  Call call;
  uint64_t bytes;  ///< The number of bytes that follow.
  /// Return addresses relative to the program's load address: of the call, and of the first and the
  /// last clock read since the previous request. 0 for none.
  uint64_t where, firstClock, lastClock;
};

struct AnswerHead {
  int32_t error;     ///< A cudaError.
  uint32_t printed;  ///< The bytes of kernels' output, which precede the data.
  uint64_t bytes;    ///< The bytes of the data.
};

struct Hello {
  uint32_t protocol;
};

/// The facts of cudaDeviceProp, and more. Units are CUDA's.
struct DeviceFacts {
  char name[256];
  uint64_t globalBytes, sharedPerBlock, sharedPerBlockOptin, sharedPerMultiprocessor;
  uint64_t sharedReserved, constantBytes, l2Bytes;
  int32_t major, minor, multiprocessors, clockKhz, memoryClockKhz, busBits;
  int32_t registersPerBlock, registersPerMultiprocessor;
  int32_t threadsPerBlock, threadsPerMultiprocessor, blocksPerMultiprocessor;
  int32_t singleToDouble;
  /// If not 0, host accesses to shared memory are reported while work may use the memory.
  int32_t watchesHost;
};

/// Describes the server that the guest must use.
struct Welcome {
  int32_t gpu;         ///< The GPU whose driver serves the guest; -1 if the service does.
  uint32_t isTimed;    ///< With a GPU, whether work is timed by events.
  uint32_t isLooked;   ///< With a GPU, whether the service examines launches, too.
  DeviceFacts device;  ///< Set only without a GPU.
};

/// Whether a GPU's launches are examined, or why not. This needs equal memory and addresses.
enum class Look : uint32_t {
  yes,
  notAsked,
  tooMuch,         ///< The launches' memory exceeds the limit.
  otherAddresses,  ///< The driver could not allocate memory at the required addresses.
  waitsForHost,    ///< Earlier work waits for the host.
  notCaptured,     ///< The memory could not be read.
};

/// The head of a report about a finished call.
struct Told {
  Call call;
  int32_t error;  ///< The driver's cudaError.
  uint64_t made;  ///< The driver's new address or handle, if any.
  uint64_t work;  ///< If not 0, the work's number in a later Took.
  Look look;
  uint32_t unused;
};

struct Took {
  uint64_t work;
  float milliseconds;
};

/// Followed by the name.
struct Named {
  uint32_t module;
  uint32_t isManaged;  ///< For a variable, whether the answer has a descriptor of its memory.
  uint64_t bytes;      ///< For a variable, its size in host code.
};

struct FunctionFacts {
  uint32_t number;
  uint32_t parameters;
  uint64_t parameterBytes;
  uint64_t sharedBytes, localBytes, constantBytes;
  int32_t registers, mostThreads;
};

struct Parameter {
  uint64_t offset, bytes;
};

enum class MemoryKind : uint32_t { device, pinned, managed };

struct Allocate {
  MemoryKind kind;
  uint32_t isAsync;
  uint64_t bytes;  ///< The bytes of a row, if rows are requested.
  uint64_t rows;   ///< 0 for one piece without rows.
  uint64_t stream;
};

struct Allocated {
  uint64_t address;
  uint64_t pitch;
  uint64_t mapped;  ///< The bytes of shared memory, which has a descriptor; 0 for none.
};

struct Release {
  uint64_t address;
  MemoryKind kind;
  uint32_t isAsync;
  uint64_t stream;
};

/// A box of bytes. Pitches are 0 for a single row.
struct Copy {
  uint64_t to, from;
  uint64_t toPitch, fromPitch, toSlice, fromSlice;
  uint64_t width, height, depth;  ///< Bytes, rows, slices.
  uint64_t stream;
  int32_t kind;  ///< A cudaMemcpyKind.
  uint32_t isAsync;
  uint32_t carries;  ///< Whether the rows follow, because the host is the source.
};

struct Fill {
  uint64_t to, pitch, slice;
  uint64_t width, height, depth;
  uint64_t stream;
  uint32_t byte;
  uint32_t isAsync;
};

struct Launch {
  uint32_t function;
  uint32_t isCooperative;
  uint32_t grid[3], block[3];
  uint64_t sharedBytes, stream;
};

struct Handles {
  uint64_t first, second;
  uint32_t flags;
  uint32_t isEvent;
};

struct FunctionAttribute {
  uint32_t function;
  int32_t attribute;
  int64_t value;
};

/// Asks for the number of blocks that fit a multiprocessor, or for the dynamic bytes that remain
/// for each of `blocks` blocks.
struct Occupancy {
  uint32_t function;
  uint32_t threads;
  uint64_t dynamicBytes;
  uint32_t blocks;  ///< If not 0, asks for the dynamic bytes.
};

struct Pointed {
  uint64_t address;
};

struct PointerFacts {
  uint64_t start, bytes;  ///< Of the allocation that contains the address.
  MemoryKind kind;
};

enum class Note : uint32_t {
  askedForError,  ///< cudaGetLastError or cudaPeekAtLastError was called; `value` is its result.
  namedError,     ///< cudaGetErrorString or cudaGetErrorName was called with the error `value`.
  waitedForDevice,
  resetDevice,
  usedCublas,    ///< The program created a cuBLAS handle.
  usedCurand,    ///< The program created a cuRAND generator.
  pinnedMemory,  ///< The program pinned its own memory.
};

struct Noted {
  Note note;
  int32_t value;
};

/// Describes a copy that needs more bytes than fit into the variable at `address` or, if that is 0,
/// into the pitch of rows.
struct Refused {
  uint64_t address, bytes, room;
  int32_t error;
  uint32_t unused;
};

/// A product of signed integers that does not fit in their number of bits.
struct Overflowed {
  int64_t left, right;
  uint32_t bits, unused;
};

struct Touched {
  uint64_t address, where;
  uint32_t isWrite;
};

}  // namespace tilestep::guest
