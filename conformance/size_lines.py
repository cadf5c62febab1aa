"""Lines on symbolic sizes for record_python_calls.py: arithmetic, folding, rounding, relations, shapes made of sizes.

    python3 conformance/size_lines.py | chroot DIR python3 record_python_calls.py - > conformance/size_calls.jsonl

`n` and `m` are the first dimensions of `a` and `b`, with the hints 16 and 24.
"""
ONE = """
n + 1 | 1 + n | n - 1 | 1 - n | n + n | n - n | 2 * n | n * 2 | n * 1 | 1 * n | n * 0 | 0 * n | n + 0 | 0 + n | n - 0
-n | +n | --n | -n + 3 | 3 - n | 3 - 2 * n | 2 * n - n | 3 * n - 2 * n - n | n + 2 + 3 | 2 + n - 2 | -(n - 1) | -(2 * n)
n * n | n * n * n | n * n + n | n + n * n | n * n - n | n * (n + 1) | (n + 1) * n | (n + 1) * (n - 1) | (n + 1) * (n + 1)
2 * (n + 1) | (n + 1) * 2 | -(n + 1) | 3 * (2 * n + 4) | n * (n + 1) + 1 | 2 * n * (n + 1) | (n + 1) * n * n
n ** 0 | n ** 1 | n ** 2 | n ** 3 | n ** 2 * n | n ** 2 + n ** 3 + 1 | (2 * n) ** 2 | (n + 1) ** 2 | (n ** 2) ** 2 | 2 ** n | n ** 2 - 1
-n ** 2 | (-n) ** 2 | (-n) ** 3 | 3 * n ** 2 + 2 * n + 1 | 1 + 2 * n + 3 * n ** 2 | n ** n | 2 ** (n - 1)
n // 1 | n // 2 | n // 3 | n // n | 2 * n // 2 | 4 * n // 2 | 2 * n // 4 | 6 * n // 4 | n // -1 | n // -2 | -n // 2 | 100 // n | 0 // n
(n + 1) // 2 | (n - 1) // 2 | (2 * n + 1) // 2 | (2 * n + 2) // 2 | (4 * n + 8) // 4 | (4 * n + 2) // 4 | (6 * n + 3) // 3 | (6 * n + 4) // 4
(n + 4) // 4 | (n + 7) // 8 | (n + 7) // 8 * 8 | (n + 15) // 16 * 16 - n | (n - 3) // 2 + 1 | (n + 2 - 3) // 2 + 1 | (n - 1) // 2 * 2 + 1
n // 2 // 3 | n // 2 // 2 * 2 | (n // 2 + 1) // 2 | (n // 2 + 2) // 2 | 2 * (n // 2) | n // 2 * 2 | n - n // 2 | n // 2 + n // 2 | n // 2 - 1
n // 2 * n | n * (n // 2) | n // 2 * (n // 2) | (n // 2) ** 2 | 3 * (n // 2) + 1 | 1 - n // 2 | -(n // 2) | (n // 2) * (n // 3) | n // 2 + n // 3
n // 3 + n // 2 | n // 2 + n | n + n // 2 | n * n // n | (n * n + n) // n | n * n // 2 | n * n // (2 * n) | (n * n - n) // 2 | n * (n + 1) // 2
n * (n - 1) // n | (n + 1) // (n + 1) | (2 * n + 2) // (n + 1) | (n * n - 1) // (n + 1) | n // (n + 1) | (n + 1) // n | 2 * n // (n + 1)
(n // 2) // n | n // (n // 2) | n // (2 * n) | (3 * n) // (2 * n) | n ** 3 // n ** 2 | n ** 2 // 4 | (n // 4) * 4 // 2 | (n // 4) * 4 // 4 | (n // 4 * 6) // 4
n % 1 | n % 2 | n % 8 | n % n | 2 * n % 2 | 2 * n % 4 | 4 * n % 8 | 8 * n % 8 | 6 * n % 4 | (n + 1) % 2 | (2 * n + 1) % 2 | (8 * n + 3) % 8 | (n - 4) % 8
-n % 8 | n % -8 | 17 % n | 0 % n | (n + 1) % n | n % (n + 1) | 2 * n % n | n * n % n | n % (2 * n) | (n // 2) % 2 | n % 8 % 8 | n % 8 % 4 | n % 8 // 2
2 * (n % 8) | n % 8 * 2 + 1 | n % 8 + 1 | 1 + n % 8 | n - n % 8 | n % 8 + n | (n % 8) * n | (n % 8) ** 2 | (n % 8) * (n % 4) | n % 8 + n // 8 | n // 8 * 8 + n % 8
(n - 1) % 8 + 1 | (n + 8) % 8 | (n + n % 2) % 2 | (8 - n % 8) % 8 | n % 2 == 0 and 5 or 6
torch.sym_max(n, 4) | torch.sym_max(4, n) | torch.sym_max(n, n) | torch.sym_max(n, 1) | torch.sym_max(n, 0) | torch.sym_max(0, n) | torch.sym_max(n, 2)
torch.sym_max(n, 2 * n) | torch.sym_max(n + 1, n) | torch.sym_max(n - 1, 0) | torch.sym_max(n - 1, 1) | torch.sym_max(n, n // 2) | torch.sym_max(n, 4) + 1
2 * torch.sym_max(n, 4) | torch.sym_max(n, 4) * n | torch.sym_max(n, 4) // 2 | torch.sym_max(n, 4) % 3 | torch.sym_max(torch.sym_max(n, 4), 8) | n - torch.sym_max(n, 4)
torch.sym_max(torch.sym_max(n, 4), n) | torch.sym_max(n // 2, 3) | torch.sym_max(2 * n, 8) | torch.sym_max(3, 5) * n | torch.sym_max(-n, 0) | torch.sym_max(n % 8, 4)
torch.sym_min(n, 4) | torch.sym_min(4, n) | torch.sym_min(n, n) | torch.sym_min(n, 1) | torch.sym_min(n, 0) | torch.sym_min(n, 2 * n) | torch.sym_min(n + 1, n)
torch.sym_min(n, n // 2) | torch.sym_min(n, 4) + 1 | 2 * torch.sym_min(n, 4) | torch.sym_min(torch.sym_max(n, 4), 8) | torch.sym_max(torch.sym_min(n, 8), 4)
torch.sym_min(torch.sym_max(n, 4), n) | torch.sym_max(torch.sym_min(n, 4), n) | torch.sym_min(n, 8) - torch.sym_max(n, 4) | torch.sym_min(n, 8) * torch.sym_max(n, 4)
torch.sym_min(n, 4) ** 2 | torch.sym_max(n, 4) // n | min(n, 4) | max(n, 4) | max(1, n) | min(n, n + 1) | max(n // 2, 1)
n / 2 | n / 1 | n / n | 2 / n | 1 / n | n / 4 / 2 | (n + 1) / 2 | (2 * n) / 2 | n / 2 + 1 | 1 + n / 2 | n / 2 - 1 | 2 * (n / 2) | n / 2 * 3 | n / 2 + n / 2 | n / 2 - n / 2
n / 2 * n | n / 2 / n | (n / 2) ** 2 | -(n / 2) | n / 2 // 1 | n / 2 % 2 | 1 / (n + 1) | 1 / (n * n) | (n - 1) / (n + 1)
n * 0.5 | 0.5 * n | n + 0.5 | 0.5 + n | n - 0.5 | 0.5 - n | n / 2.0 | 2.0 / n | n // 2.0 | n % 2.0 | n * 1.0 | n * 2.0 | n * 0.5 * 0.5 | n * 0.5 + 1 | n * 0.5 * n
n ** 0.5 | n ** -0.5 | n ** -1 | n ** -2 | n ** 2.0 | 2.0 ** n | 1 / n ** 0.5 | 2 * n ** 0.5 | n ** 0.5 * n ** 0.5 | (n + 1) ** 0.5 | (n * n) ** 0.5 | n ** 1.5
torch.sym_float(n) | torch.sym_float(n) * 0.5 | torch.sym_float(n) / 2 | torch.sym_float(n + 1) | torch.sym_float(n) ** 2 | torch.sym_float(2 * n) + n | 1.0 / torch.sym_float(n)
torch.sym_sqrt(n) | 1 / torch.sym_sqrt(n) | torch.sym_sqrt(n + 1) | torch.sym_sqrt(n) * 2 | torch.sym_sqrt(torch.sym_float(n)) | 1.0 / torch.sym_sqrt(n) | torch.sym_sqrt(n * n)
torch.sym_int(n) | torch.sym_int(n / 2) | torch.sym_int(n * 0.5) + 1 | math.floor(n / 2) | math.ceil(n / 2) | math.trunc(n / 2) | round(n / 2) | math.floor(n) | math.ceil(n) | math.ceil(n / 4) * 4
math.sqrt(n) | float(n) | 1 / float(n) | int(n) | float(2 * n) | int(n) + 1 | n.__index__() | bool(n) * 2
abs(n) | abs(-n) | abs(n - 4) | abs(n) + 1 | abs(n // 2) | abs(2 * n) | abs(4 - n) | 2 * abs(n - 4) | abs(n / 2) | abs(-2 * n) | abs(n - 4) + n
n << 1 | n << 0 | n >> 1 | n >> 0 | n << 3 | 4 * n >> 2 | 1 << n | 2 * n >> 1 | (n + 1) >> 1 | n >> 1 >> 1 | n << 1 << 1
n & 7 | n.__or__(1) | n ^ 1 | 7 & n | n & n | (n & 7) + 1
n > 4 and 2 or 3 | n < 4 and 2 or 3 | n == 4 and 2 or 3 | n != 4 and 2 or 3 | n >= 1 and 2 or 3 | n > 0 and 2 or 3 | n <= 0 and 2 or 3 | n == n and 2 or 3
n < n + 1 and 2 or 3 | 2 * n > n and 2 or 3 | n // 2 < n and 2 or 3 | n + 1 == n and 2 or 3 | n * n >= n and 2 or 3 | 4 < n and 2 or 3 | not n and 2 or 3
torch.sym_ite(n < 20, 2, 3) | torch.sym_ite(n < 20, n, 3) | torch.sym_ite(n == 4, n, 2 * n) | torch.sym_ite(torch.sym_not(n < 20), 2, n) | torch.sym_ite(n >= 1, 2, n)
torch.sym_sum([n, n, 1]) | torch.sym_sum([n, 2]) | torch.sym_sum([n, 2 * n, n // 2]) | sum([n, n, 1])
"""
TWO = """
n + m | m + n | n - m | m - n | n * m | m * n | n + m + 1 | 1 + m + n | 2 * n + 3 * m | 3 * m + 2 * n | n * m + n | n + n * m | n * m + m + n + 1 | n * m - n - m
(n + 1) * (m + 1) | (m + 1) * (n + 1) | n * (n + m) | (n + m) * (n - m) | (n + m) * 2 | -(n + m) | 1 - n * m | n * n * m | m * n * n | n * m * m + n * n * m | n ** 2 * m + m ** 2 * n
n ** 2 + m ** 2 | m ** 2 + n | n + m ** 2 | (n * m) ** 2 | n ** m | m * (n ** 2) | 2 * n * 3 * m | n + m - n | n * m - m * n | (n + m) ** 2
n // m | m // n | n * m // m | n * m // n | n * m // 2 | n * m // (2 * m) | 2 * n * m // m | (n * m + m) // m | (n * m + n) // n | (n + m) // 2 | (n + m) // (n + m) | (n + m) // (m + n)
(2 * n + m) // 2 | (4 * n + 2 * m) // 2 | n // 2 + m // 2 | m // 2 + n // 2 | n // 2 * m | m * (n // 2) | n // 2 * (m // 2) | n * m // 2 // m | (n // 2) // m | n // m // 2 | n // m * m | n - n // m * m
n // (2 * m) | n * n * m // (n * m) | (n * m + n + m + 1) // (n + 1) | n // 2 - m | m - n // 2 | n * m // 4 * 4 | 2 * (n // m) | n // m + 1 | (n + m - 1) // m | (n + m - 1) // m * m
n % m | m % n | n * m % m | (n + m) % m | (n + m) % 2 | n * m % 8 | n % m + 1 | n % m * m | n % 8 + m % 8 | m % 8 + n % 8 | n % 2 * (m % 2) | n // m * m + n % m | (n - m) % 8 | 2 * n % (2 * m)
torch.sym_max(n, m) | torch.sym_max(m, n) | torch.sym_min(n, m) | torch.sym_min(m, n) | torch.sym_max(n, m) + 1 | torch.sym_max(n, m) * 2 | torch.sym_max(n, m) - torch.sym_min(n, m) | torch.sym_max(n, m + n)
torch.sym_max(torch.sym_max(n, m), 4) | torch.sym_max(n, torch.sym_min(m, 4)) | torch.sym_min(torch.sym_max(n, m), n) | torch.sym_max(n + m, 2 * n) | torch.sym_max(n * m, n) | torch.sym_max(n // 2, m) | torch.sym_max(2 * n, m)
torch.sym_max(n, m) // 2 | torch.sym_max(n, m) * n | n + torch.sym_max(n, m) | n * m + torch.sym_max(n, m) | torch.sym_max(n, m) ** 2 | n - torch.sym_min(n, m)
n / m | m / n | n / m + 1 | (n + m) / 2 | n * m / 2 | n / 2 + m | n * 0.5 + m * 0.5 | n * 0.5 * m | (n * m) ** 0.5 | n ** 0.5 * m | n ** 0.5 * m ** 0.5 | n / (2 * m) | 2 * n / m | m / (n + m)
abs(n - m) | abs(m - n) | abs(n * m) | torch.sym_ite(n < m, n, m) | torch.sym_ite(n == m, 1, 2) | torch.sym_sum([n, m]) | torch.sym_sum([m, n, 1]) | torch.sym_sum([n, m, n]) | n << 1 | (n + m) >> 1
n == m and 2 or 3 | n != m and 2 or 3 | n < n + m and 2 or 3 | n * m > 0 and 2 or 3 | n * m == m * n and 2 or 3 | n + m == m + n and 2 or 3
"""
SHAPES = """
f32[N,8] | a.numel() * a
f32[N,8] | a * (a.numel() // 2)
f32[N,8] | a * (a.numel() / 2)
f32[N,8] | a * (a.numel() + a.shape[0])
f32[N,8] | a * (a.shape.numel() // 4)
f32[N,8] | a.new_empty(a.shape[0] // 1)
f32[N,8] | a.new_empty(a.shape[0] // 1, 4)
f32[N,8] | a.new_empty(a.numel())
f32[N,8] | a.new_zeros(a.shape[0] * 16)
f32[N,8] | a.new_zeros(16 * a.shape[0])
f32[N,8] | a.reshape(-1)
f32[N,8] | a.view(-1)
f32[N,8] | a.flatten()
f32[N,8] | a.view(-1, 4)
f32[N,8] | a.view(-1, 2, 4)
f32[N,8] | a.view(a.shape[0], 2, 4)
f32[N,8] | a.view(a.shape[0] * 2, 4)
f32[N,8] | a.view(2 * a.shape[0], 4)
f32[N,8] | a.reshape(a.shape[0] * 8)
f32[N,8] | a.reshape(a.numel())
f32[N,8] | a.reshape(a.numel() // 4, 4)
f32[N,4,8] | a.flatten(0, 1)
f32[N,4,8] | a.flatten(1)
f32[N,4,8] | a.flatten(0, 1) * a.shape[0]
f32[N,4,8] | a.reshape(a.shape[0] * a.shape[1], a.shape[2])
f32[N,4,8] | a.reshape(-1, a.shape[-1])
f32[N,4,8] f32[16,8] | F.linear(a, b)
f32[N,4,8] f32[16,8] f32[16] | F.linear(a, b, c)
f32[N,4,8] f32[8,16] | a @ b
f32[N,4,8] f32[8,16] | torch.matmul(a, b) * a.shape[0]
f32[N,4,8] f32[N,8,4] | a @ b
f32[N,4,8] f32[1,8,4] | a @ b
f32[N,4,8] f32[8] | a @ b
f32[N,4,6,8] f32[N,4,8,6] | a @ b
f32[N,4,6,8] f32[N,4,6,8] | a @ b.transpose(-2, -1)
f32[N,4,6,8] f32[N,4,6,8] f32[N,4,6,8] | ((a @ b.transpose(-2, -1)) * 0.5).softmax(-1) @ c
f32[N,4,6,8] f32[4,8,6] | a @ b
f32[N,4,6,8] f32[8,6] | a @ b
f32[N,4,6,8] f32[16,8] | F.linear(a, b)
f32[4,N,6,8] f32[4,N,8,6] | a @ b
f32[2,4,N,8] f32[2,4,8,N] | a @ b
f32[2,4,N,8] f32[2,4,M,8] | a @ b.transpose(-2, -1)
f32[N,4,M,8] f32[N,4,M,8] | a @ b.transpose(-2, -1)
f32[N,M,8] f32[8,4] | a @ b
f32[N,M,8] f32[16,8] | F.linear(a, b)
f32[N,M,8] | a.reshape(-1, 8)
f32[N,M,8] | a.flatten(0, 1)
f32[N,M] | a.numel() * a
f32[M,N] | a.numel() * a
f32[N,M] | a.reshape(-1)
f32[N,M] | a.reshape(a.shape[0] * a.shape[1])
f32[N,M] | a.reshape(a.shape[1] * a.shape[0])
f32[N,M] | a.new_empty(a.shape[1] * a.shape[0])
f32[N,8] f32[M,8] | torch.cat([a, b]) * (a.shape[0] + b.shape[0])
f32[N,8] f32[M,8] | torch.cat([a, b]).reshape(-1)
f32[N,8] f32[M,8] | torch.cat([a, b]).view(-1, 4)
f32[N,8] f32[M,8] | torch.cat([a, b])[: a.shape[0]]
f32[N,8] f32[M,8] | torch.cat([a, b])[a.shape[0] :]
f32[N,8] | a[: a.shape[0] // 2]
f32[N,8] | a[a.shape[0] // 2 :]
f32[N,8] | a[: a.shape[0] - 1]
f32[N,8] | a[: a.shape[0] - 1] * a[1:]
f32[N,8] | a[::2]
f32[N,8] | a[1::2]
f32[N,8] | F.pad(a, (0, 0, 0, 1)) * (a.shape[0] + 1)
f32[N,8] | a.repeat(2, 1)
f32[N,8] | a.repeat_interleave(2, 0)
f32[N,8] | a.expand(3, a.shape[0], 8)
f32[N,1] | a.expand(a.shape[0], a.shape[0])
f32[N,8] | a.unsqueeze(1).expand(a.shape[0], 2, 8).reshape(a.shape[0] * 2, 8)
f32[N,8] | a.unsqueeze(1).expand(-1, 2, -1).reshape(-1, 8)
f32[N,8] | a.unflatten(1, (2, 4)).flatten(0, 1)
f32[N,8] | torch.arange(a.shape[0])
f32[N,8] | torch.arange(a.shape[0] * 2)
f32[N,8] | torch.arange(0, a.shape[0], 2)
f32[N,8] | torch.zeros(a.shape[0] * 2, 4)
f32[N,8] | torch.zeros(a.shape[0] // 2, 4)
f32[N,8] | torch.full((a.shape[0] + 1,), 1.0)
f32[N,8] | torch.ones(a.numel())
f32[N,8] | torch.linspace(0, 1, a.shape[0])
f32[N,8] | torch.cat(a.split(2))
f32[N,8] | a.split(4)[0]
f32[N,8] | a.chunk(2)[0]
f32[N,8] | a.chunk(2)[1] * a.shape[0]
f32[N,8] | a.split([4, a.shape[0] - 4])[1]
f32[N,8] | a / a.shape[0]
f32[N,8] | a.sum(0) / a.shape[0]
f32[N,8] | a * a.shape[0] ** -0.5
f32[N,8] | a / math.sqrt(a.shape[1])
f32[N,8] | a.mean(0)
f32[N,8] | a.var(0)
f32[N,8] | a.t() @ a / a.shape[0]
f32[N,8] | torch.tril(torch.ones(a.shape[0], a.shape[0]))
f32[N,8] | torch.zeros(a.shape[0], a.shape[0] + 1).numel() * a
f32[2*N,8] | a.reshape(a.shape[0] // 2, 16)
f32[2*N,8] | a.view(-1, 2, 8)
f32[2*N,8] | a.chunk(2)[0]
f32[2*N,8] | a[: a.shape[0] // 2] + a[a.shape[0] // 2 :]
f32[1,3,N,N] | F.avg_pool2d(a, 2)
f32[1,3,N,N] | F.max_pool2d(a, 3, 2, 1)
f32[1,3,N,16] | F.interpolate(a, scale_factor=2)
f32[N,3,8,8] f32[4,3,3,3] | F.conv2d(a, b, padding=1)
f32[1,3,N,8] f32[4,3,3,3] | F.conv2d(a, b, stride=2)
"""

# Without the symbol as an argument, a result that folds to it stays a node.
READ = """
n // 1 | n + 0 | 0 + n | n - 0 | n * 1 | 1 * n | n * 0 | n - n | -n | +n | --n | 2 * n - n | n + n | n * 16 | 16 * n | n * n // n | n ** 1 | n ** 2 | n ** 0
n // n | 2 * n // 2 | (2 * n + 1) // 2 | n % n | n % (n + 1) | n % 2 | n // 2 * 2 | (n + 1) - 1 | (n + 7) // 8 * 8 | n * 2 + n * 2 | (n + 1) * (n + 1)
torch.sym_max(n, 1) | torch.sym_max(n, 2 * n) | torch.sym_min(n, n + 1) | torch.sym_min(n, n) | abs(n) | abs(-n) | n << 0 | n >> 1 | n << 1 | max(n, 1)
n / 2 | n * 0.5 | n ** -0.5 | n ** 0.5 * n | torch.sym_float(n) + n | torch.sym_int(n) | torch.sym_int(n / 2) | math.ceil(n / 4) * 4 | torch.sym_sum([n, n]) | n / n * n
"""

if __name__ == "__main__":
    for text, inputs, names in ((ONE, "f32[N,8]", "n = a.shape[0]"), (TWO, "f32[N,8] f32[M,8]", "n = a.shape[0];; m = b.shape[0]")):
        for line in text.strip().splitlines():
            for expr in line.split(" | "):
                print(f"{inputs} | {names};; a * ({expr.strip()})")
    for line in READ.strip().splitlines():
        for expr in line.split(" | "):
            print(f"f32[K,8] | n = a.shape[0];; a.new_empty(8) * ({expr.strip()})")
    print(SHAPES.strip())
    print("\n".join(line.replace("N", "K", line.partition("|")[0].count("N")) for line in SHAPES.strip().splitlines() if "M" not in line))
