__global__ void direct(const int* a, int* b, int rows, int cols) {
	const int col = blockIdx.x * blockDim.x + threadIdx.x;
	const int row = blockIdx.y * blockDim.y + threadIdx.y;
	if (row >= rows || col >= cols) return;
	const int i = row * cols + col;
	int s = a[i];
	if (col != 0) s += a[i - 1];
	if (col + 1 != cols) s += a[i + 1];
	if (row != 0) s += a[i - cols];
	if (row + 1 != rows) s += a[i + cols];
	b[i] = s;
}
