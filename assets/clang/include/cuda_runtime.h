// SPDX-License-Identifier: Apache-2.0
// What kernels need of it is there before the first line: cuda_subset.h.
#pragma once
