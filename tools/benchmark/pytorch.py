"""One engine of tools/bench: PyTorch. Reads lines `OPERATION BYTES TIMES` and answers each with the
nanoseconds that one of TIMES operations took on f32 tensors of BYTES."""
import sys
import time

import torch

torch.set_num_threads(1)
torch.set_grad_enabled(False)
ONE = torch.tensor(1.0)

# The fastest spelling of each. PyTorch has no affine; alpha makes x * 2 + 1 one kernel.
OPERATIONS = {
    'copy': lambda x, y, buffer, rows: x.clone(),
    'affine': lambda x, y, buffer, rows: torch.add(ONE, x, alpha=2.0),
    'add': lambda x, y, buffer, rows: x + y,
    'slice_set': lambda x, y, buffer, rows: buffer[rows // 2:rows // 2 + rows].copy_(x),
}


def measure(name, size, times):
    rows = size // 4 // 4
    operands = (torch.ones(rows, 4), torch.ones(rows, 4), torch.zeros(2 * rows, 4), rows)
    run = OPERATIONS[name]
    run(*operands)  # warm
    start = time.perf_counter_ns()
    for _ in range(times):
        run(*operands)
    return (time.perf_counter_ns() - start) / times


for line in sys.stdin:
    name, size, times = line.split()
    print('%.1f' % measure(name, int(size), int(times)), flush=True)
