// without shared memory first, to have something that works
__global__ void naive(const float* M, float* P, int m, int n) {
	int col = blockIdx.x * 32 + threadIdx.x;
	if (col >= n) return;
	int row = blockIdx.y * 32 + threadIdx.y;
	int last = min(m, (int)(blockIdx.y + 1) * 32);
	for (; row < last; row += 8) {
		P[col * m + row] = M[row * n + col];
	}
}
