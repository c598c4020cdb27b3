// SPDX-License-Identifier: Apache-2.0
#error cuda_bf16.h needs the CUDA Toolkit (NVRTC)
