__global__ void rows_loop(const int* X, const int* b, int* Y, int a, int m, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < m * n; i += blockDim.x * gridDim.x) {
        Y[i] = a * X[i] + Y[i] + b[i % n];
    }
}
