// übrigens: out darf nicht als Zwischenspeicher dienen — tut es hier auch nicht
__global__ void pointers(const int *in, int *out, int m, int n)
{
    unsigned r = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned c = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < (unsigned)m && c < (unsigned)n) {
        const int *p = in + r * n + c;
        int s = *p;
        s += c ? p[-1] : 0;
        s += c + 1 < (unsigned)n ? p[+1] : 0;
        s += r ? *(p - n) : 0;
        s += r + 1 < (unsigned)m ? *(p + n) : 0;
        out[r * n + c] = s;
    }
}
