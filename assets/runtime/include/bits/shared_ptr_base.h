// SPDX-License-Identifier: Apache-2.0
// The standard library's own header uses the name of an attribute that CUDA defines.
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("__noinline__")
