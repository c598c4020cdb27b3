// SPDX-License-Identifier: Apache-2.0
#include "lab/recording/packed.h"

#include <zlib.h>

#include <algorithm>

namespace tilestep::lab {

std::string deflated(std::string_view plain, int level) {
  uLongf size = compressBound(static_cast<uLong>(plain.size()));
  std::string bytes(size, '\0');
  // Cannot fail unless memory runs out, because the buffer has the maximum size.
  compress2(reinterpret_cast<Bytef*>(bytes.data()), &size,
            reinterpret_cast<const Bytef*>(plain.data()), static_cast<uLong>(plain.size()), level);
  bytes.resize(size);
  return bytes;
}

Result<std::string> inflated(std::string_view packed, size_t most) {
  constexpr size_t kPiece = size_t{1} << 16;
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return workError("there is not enough memory to unpack it");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string plain;
  int state = Z_OK;
  while (state == Z_OK && plain.size() <= most) {
    const size_t before = plain.size();
    plain.resize(before + std::min(kPiece, most + 1 - before));
    stream.next_out = reinterpret_cast<Bytef*>(plain.data() + before);
    stream.avail_out = static_cast<uInt>(plain.size() - before);
    state = inflate(&stream, Z_NO_FLUSH);
    plain.resize(plain.size() - stream.avail_out);
  }
  const bool isWhole = state == Z_STREAM_END && stream.avail_in == 0;
  inflateEnd(&stream);
  if (plain.size() > most) return workError("its unpacked size exceeds the limit");
  if (!isWhole) return workError("its packed bytes are damaged");
  return plain;
}

uint32_t checksumOf(std::string_view bytes) {
  return static_cast<uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace tilestep::lab
