// Homework 3, tiled product
__global__ void mulTiles(const float* A, const float* B, float* C, int rowsA, int colsB, int inner) {
    __shared__ float a[TILE_WIDTH][TILE_WIDTH];
    __shared__ float b[TILE_WIDTH][TILE_WIDTH];
    const int x = threadIdx.x, y = threadIdx.y;
    const int r = blockIdx.y * TILE_WIDTH + y;
    const int c = blockIdx.x * TILE_WIDTH + x;
    float acc = 0.f;
    for (int start = 0; start < inner; start += TILE_WIDTH) {
        a[y][x] = (r < rowsA && start + x < inner) ? A[r * inner + start + x] : 0.f;
        b[y][x] = (c < colsB && start + y < inner) ? B[(start + y) * colsB + c] : 0.f;
        __syncthreads();
        for (int i = 0; i < TILE_WIDTH; i++) acc += a[y][i] * b[i][x];
        __syncthreads();
    }
    if (r >= rowsA || c >= colsB) return;   // nothing to store here
    C[r * colsB + c] = acc;
}
