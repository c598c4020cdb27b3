// SPDX-License-Identifier: Apache-2.0
#error cooperative_groups.h needs the CUDA Toolkit (NVRTC)
