// I did not manage the tiles, so this is the simple one. It is slow.
__global__ void simple(const float *M, const float *N, float *P, int m, int n, int k)
{
	int row = blockIdx.y * blockDim.y + threadIdx.y;
	int col = blockIdx.x * blockDim.x + threadIdx.x;
	if (row >= m) return;
	if (col >= n) return;
	double s = 0;
	for (int i = k; i-- > 0;) {
		s += (double)M[row * k + i] * N[i * n + col];
	}
	P[row * n + col] = (float)s;
}
