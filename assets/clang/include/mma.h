// SPDX-License-Identifier: Apache-2.0
#error mma.h needs the CUDA Toolkit (NVRTC)
