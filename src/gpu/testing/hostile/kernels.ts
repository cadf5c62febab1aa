/** WGSL that tries to hang, crash or escape the GPU, each with the sentence that its run ends with (e2e/hostile_kernels.spec.ts). */
export interface HostileKernel {
  readonly name: string
  readonly text: string
  /** Matches the verdict's sentence; null: the kernel runs, and only its values are wrong. */
  readonly ends: RegExp | null
}

const LOOP = /bad\.wgsl:\d+:1: This loop was stopped after [\d,]+ million iterations of (one thread|all threads)/
const BARRIER = /bad\.wgsl:\d+:1: This loop with a barrier was stopped after 65,536 iterations/
const INVALID = /the kernel cannot be used: bad\.wgsl:\d+:\d+: ./i

interface Shape {
  dispatch?: string
  /** Declarations before main. */
  above?: string
  size?: string
  head?: string
}

function kernel(
  body: string,
  { dispatch = 'ceil(numel(scales) / 64)', above = '', size = '64', head = '' }: Shape = {},
): string {
  return `// op: _C.silu_and_mul_per_block_quant
// bindings: input, out, scales
// const: G = group_size
${head}// dispatch: ${dispatch}
@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read_write> scales: array<f32>;
${above}
@compute @workgroup_size(${size})
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) lid: u32) {
  let i = id.x;
  let g = f32(G) + f32(input[0] & 1u) + f32(atomicLoad(&out[0]) & 1u);
  ${body}
  if (g < 0.0) { scales[0] = g; }
}
`
}

/** Functions f0 … fn, each calling the next one twice: 2^n calls without a loop. */
const doubling = (n: number): string =>
  Array.from({ length: n }, (_, i) => `fn f${i}(x: f32) -> f32 { return f${i + 1}(x) + f${i + 1}(x + 1.0); }`).join(
    '\n',
  ) + `\nfn f${n}(x: f32) -> f32 { return x * 0.5; }`

export const HOSTILE_KERNELS: readonly HostileKernel[] = [
  // Endless loops of each form
  {
    name: 'loop with a break that is never reached',
    ends: LOOP,
    text: kernel('var n = 0u; loop { n += 1u; scales[i % 2u] += 1.0; if (scales[i % 2u] < 0.0) { break; } }'),
  },
  {
    name: 'loop that only returns',
    ends: LOOP,
    text: kernel('scales[0] = spin(i);', {
      above:
        'fn spin(x: u32) -> f32 { var n = x; loop { n = n * 3u + 1u; if (n == 0u) { return 1.0; } if (n == 2u) { n = 4u; } else { n |= 1u; } } }',
    }),
  },
  { name: 'loop without any exit', ends: INVALID, text: kernel('loop { scales[0] += 1.0; }') },
  {
    name: 'for without a condition',
    ends: LOOP,
    text: kernel('for (;;) { scales[i % 2u] += 1.0; if (scales[i % 2u] < 0.0) { break; } }'),
  },
  {
    name: 'for whose counter goes back',
    ends: LOOP,
    text: kernel('for (var n = 0u; n < 10u; n++) { n = n / 2u; scales[i % 2u] += 1.0; }'),
  },
  {
    name: 'while true',
    ends: LOOP,
    text: kernel('while (true) { scales[i % 2u] += 1.0; if (scales[i % 2u] < 0.0) { break; } }'),
  },
  {
    name: 'continuing with break if that is never true',
    ends: LOOP,
    text: kernel('var n = 1u; loop { scales[i % 2u] += 1.0; continuing { n = n | 1u; break if n == 0u; } }'),
  },
  {
    name: 'nested loops of 65,536 each',
    ends: LOOP,
    text: kernel(
      'for (var a = 0u; a < 65536u; a++) { for (var b = 0u; b < 65536u; b++) { for (var c = 0u; c < 65536u; c++) { scales[i % 2u] += f32(a ^ b ^ c); } } }',
    ),
  },
  {
    name: 'a loop in a function called from a loop',
    ends: LOOP,
    text: kernel('for (var a = 0u; a < 4000000000u; a++) { scales[i % 2u] += slow(a); }', {
      above:
        'fn slow(x: u32) -> f32 { var s = 0.0; for (var b = 0u; b < 4000000000u; b++) { s += f32(b ^ x); if (s < 0.0) { s = 0.0; } } return s; }',
    }),
  },
  {
    name: 'an endless loop after a comment with a brace',
    ends: LOOP,
    text: kernel(
      '/* } /* { */ fn main( */ for (;;) /* { */ { // }\n scales[i % 2u] += 1.0; if (scales[i % 2u] < 0.0) { break; } }',
    ),
  },
  {
    name: 'names of the bound itself',
    ends: LOOP,
    text: kernel('while (fs_left > 0u) { fs_left = 1024u; scales[i % 2u] += 1.0; }', {
      above: 'var<private> fs_left: u32 = 1024u;\nfn fs_tick(line: u32) -> bool { return line == 0u; }',
    }),
  },
  // Threads that wait for each other
  {
    name: 'a spin on an atomic that nobody sets',
    ends: LOOP,
    text: kernel('while (atomicLoad(&out[1]) != 4294967295u) { atomicAnd(&out[1], 1u); }'),
  },
  {
    name: 'a lock that is never released',
    ends: LOOP,
    text: kernel(
      'loop { if (atomicCompareExchangeWeak(&out[0], 0u, 1u).exchanged) { break; } atomicStore(&out[0], 1u); }',
    ),
  },
  {
    name: 'a barrier in divergent flow',
    ends: INVALID,
    text: kernel('if (scales[i % 2u] > 0.5) { workgroupBarrier(); }'),
  },
  {
    name: 'an endless loop around a barrier',
    ends: BARRIER,
    text: kernel('for (var n = 0u; n < 4294967295u; n++) { shared_ += 1u; workgroupBarrier(); }', {
      above: 'var<private> shared_: u32;',
      size: '1',
      dispatch: '1',
    }),
  },
  // Work without a loop
  {
    name: 'recursion',
    ends: INVALID,
    text: kernel('scales[0] = f(1.0);', {
      above: 'fn f(x: f32) -> f32 { return g(x) + 1.0; }\nfn g(x: f32) -> f32 { return f(x) * 2.0; }',
    }),
  },
  {
    name: '2^40 calls without a loop',
    ends: /main makes more than 20000 calls of functions/,
    text: kernel('scales[0] = f0(1.0);', { above: doubling(40) }),
  },
  {
    name: 'four billion workgroups',
    ends: /4294836225 workgroups are more than the limit of 16777216/,
    text: kernel('scales[i % 2u] += 1.0;', { dispatch: '65535, 65535' }),
  },
  {
    name: 'four billion threads of heavy code',
    ends: /Its 16776960 workgroups would take about \d+ s|was stopped/,
    text: kernel('var s = f32(i);' + ' s = sin(s) + cos(s) * exp(-s * s);'.repeat(60) + ' scales[i % 2u] = s;', {
      dispatch: '65535, 256',
      size: '256',
    }),
  },
  {
    name: 'a workgroup of 2^20 threads',
    ends: INVALID,
    text: kernel('scales[i % 2u] += 1.0;', { size: '1024, 1024, 1' }),
  },
  // Memory
  {
    name: 'reads and writes out of bounds',
    ends: null,
    text: kernel(
      'scales[i * 4000000u + 1000000000u] = f32(input[4294967295u - i]); atomicAdd(&out[4294967295u], 7u); scales[u32(i32(i) - 100000)] = 1.0;',
    ),
  },
  {
    name: 'a private array of 1 GiB',
    ends: INVALID,
    text: kernel('big[i] = 1u; scales[i % 2u] = f32(big[i * 7u]);', {
      above: 'var<private> big: array<u32, 268435456>;',
    }),
  },
  {
    name: '1 GiB of workgroup memory',
    ends: INVALID,
    text: kernel('big[lid] = 1u; scales[i % 2u] = f32(big[lid]);', {
      above: 'var<workgroup> big: array<u32, 268435456>;',
    }),
  },
  {
    name: 'structures that double 40 times',
    ends: INVALID,
    text: kernel(
      'var s: S40; scales[0] = f32(s.a.b.a.b.a.b.a.b.a.b.a.b.a.b.a.b.a.b.a.b.a.b.a.b.a.b.a.b.a.b.a.b.a.b.a.b.a.b.a.b);',
      {
        above:
          'struct S0 { a: u32, b: u32 }\n' +
          Array.from({ length: 40 }, (_, n) => `struct S${n + 1} { a: S${n}, b: S${n} }`).join('\n'),
      },
    ),
  },
  // Text
  {
    name: 'a shader of 10 MB',
    ends: /This kernel has \d+ characters, more than the limit of 64000/,
    text: kernel('scales[0] = 1.0;' + ' scales[1] += 1.0;'.repeat(550_000)),
  },
  { name: '5,000 characters of statements', ends: null, text: kernel(' scales[i % 2u] += 1.5;'.repeat(200)) },
  {
    name: '10,000 nested parentheses',
    ends: INVALID,
    text: kernel(`scales[0] = ${'('.repeat(10_000)}1.0${')'.repeat(10_000)};`),
  },
  { name: 'invalid WGSL', ends: INVALID, text: kernel('this is not WGSL <img src=x onerror=alert(1)> \u202e;') },
  {
    name: 'bindings that it does not have',
    ends: INVALID,
    text: kernel('scales[0] = other[0];', {
      above: '@group(1) @binding(0) var<storage, read_write> other: array<f32>;',
    }),
  },
  {
    name: 'a header that is a regular expression',
    ends: INVALID,
    text: kernel('scales[0] = 1.0;').replace('bindings: input', 'bindings: (((((, [, *, input'),
  },
  {
    name: 'a header of 50,000 nested parentheses',
    ends: /the expression has \d+ characters, more than the limit of 2000/i,
    text: kernel('scales[0] = 1.0;', { head: `// const: N = ${'('.repeat(50_000)}1\n` }),
  },
]
