/* A thread makes one element of the product. */
kernel void matmul_f32(constant metal_matmul_args &args [[buffer(0)]],
                       device const float *lhs [[buffer(1)]],
                       device const float *rhs [[buffer(2)]],
                       device float *out [[buffer(3)]],
                       uint i [[thread_position_in_grid]])
{
    if (i >= args.batches * args.m * args.n)
        return;
    const uint batch = i / (args.m * args.n), row = i / args.n % args.m, col = i % args.n;
    uint at_lhs = batch * args.lhs_batch + row * args.lhs_row;
    uint at_rhs = batch * args.rhs_batch + col * args.rhs_col;
    float sum = 0.0f;
    for (uint p = 0; p < args.k; p++) {
        sum = fma(lhs[at_lhs], rhs[at_rhs], sum);
        at_lhs += args.lhs_col;
        at_rhs += args.rhs_row;
    }
    out[i] = sum;
}
