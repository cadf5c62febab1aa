import { describe, expect, it } from 'vitest'
import { PARALLEL, type KernelCall, type TensorView } from '../../ops/kernel'
import { blockQuantPrograms } from '../testing/fixtures'
import { ExprError, parseExpr } from './kernel_expr'
import { runPrograms } from '../run/run'
import { ownKernels } from './user_kernel'

const view = (...shape: number[]): TensorView => ({
  dtype: 'float32',
  shape,
  stride: shape.map((_, i) => shape.slice(i + 1).reduce((a, b) => a * b, 1)),
  offset: 0,
})
const CALL: KernelCall = { tensors: { x: view(6, 8), scale: null }, attrs: { group: 3, on: true, ub: null } }
const value = (text: string): number =>
  parseExpr(text, (n) => (n in CALL.tensors ? 'tensor' : n in CALL.attrs || n === 'D' ? 'value' : null))(
    CALL,
    new Map([['D', 8]]),
  )
const failure = (text: string): string => {
  try {
    return String(value(text))
  } catch (e) {
    if (!(e instanceof ExprError)) throw e
    return `${e.at}: ${e.message}`
  }
}

describe('expressions over the arguments', () => {
  it('support sizes, attributes, constants and arithmetic', () => {
    expect(['size(x, 0)', 'size(x, -1)', 'numel(x)', 'stride(x, 0)', 'rows(x)', 'rank(x)'].map(value)).toEqual([
      6, 8, 48, 8, 6, 2,
    ])
    expect(
      ['2 + 3 * 4', '(2 + 3) * 4', '2 ** 3 ** 2', '-D % 3', 'ceil(D / group)', 'max(1, on, 2)'].map(value),
    ).toEqual([14, 20, 512, -2, 3, 2])
  })
  it('report errors with their position', () => {
    expect(failure('size(y, 0)')).toBe('5: size() takes the name of a tensor, found `y`')
    expect(failure('x + 1')).toContain('0: `x` is a tensor')
    expect(failure('1 + nothing')).toBe('4: there is no argument or constant `nothing`')
    expect(failure('ceil(3')).toBe('6: expected `)`, found the end')
    expect(failure('sqrt(4)')).toContain('there is no function `sqrt`')
    expect(failure('size(x, 2)')).toContain('no dimension 2')
    expect(failure('ub + 1')).toContain('not given')
    expect(failure('1 2')).toBe('2: `2` is left over')
  })
})

const KERNEL = `// My fused kernel.
// op: _C.silu_and_mul_per_block_quant
// bindings: input, out, scales
// const: G = group_size
// dispatch: ceil(numel(scales) / 64)
@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read_write> scales: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) { scales[id.x] = f32(G); }
`
const problems = (text: string): string[] =>
  ownKernels([{ name: 'k.wgsl', text }]).problems.map((p) => `${p.line}:${p.column} ${p.message}`)

describe('a user kernel', () => {
  it('replaces the shader and keeps the definition', () => {
    const { kernels, problems } = ownKernels([{ name: 'k.wgsl', text: KERNEL }])
    expect(problems).toEqual([])
    const own = kernels.get('_C.silu_and_mul_per_block_quant')!
    const [d] = own.kernel.plan(
      {
        tensors: { input: view(4, 512), out: view(4, 256), scales: view(4, 2), scale_ub: null },
        attrs: { group_size: 128 },
      },
      PARALLEL,
    )
    expect(d!.own!.grid).toEqual([1, 1, 1])
    expect(d!.bindings.map((b) => b.tensor)).toEqual(['input', 'out', 'scales'])
    expect(d!.wgsl.split('\n').slice(0, 10)).toEqual(KERNEL.split('\n').slice(0, 10))
    expect(d!.wgsl).toContain('const G = 128u;')
  })

  it('is read in time linear in its length', () => {
    expect(problems(`// op: a${' '.repeat(100_000)}!`)).toHaveLength(1)
  })

  it('has its errors reported at their lines', () => {
    expect(problems('fn main() {}')).toEqual([
      '1:1 Say at the top which operator this computes: // op: _C.silu_and_mul',
    ])
    expect(problems(KERNEL.replace('group_size', 'group_siz'))).toEqual([
      '4:15 There is no argument or constant `group_siz`',
    ])
    expect(problems(KERNEL.replace('input, out, scales', 'inptu, out, scales'))[0]).toContain(
      '3:14 _C.silu_and_mul_per_block_quant has no tensor `inptu`',
    )
    expect(problems(KERNEL.replace('read> input', 'read_write> input'))).toEqual([
      '6:11 `input` is only read: declare var<storage, read>',
    ])
    expect(problems(KERNEL.replace('out, scales', 'out'))).toEqual([
      '8:11 The header names 2 bindings, so there is nothing to bind here',
    ])
    expect(problems(KERNEL.replace(/\/\/ dispatch.*\n/, ''))).toEqual([
      '2:1 Say how many workgroups to start: // dispatch: ceil(numel(out) / 64)',
    ])
  })

  it('can define a new operator, which the reference cannot run', async () => {
    const text = KERNEL.replace('_C.silu_and_mul_per_block_quant', 'mine.fused').replace(
      '// dispatch',
      `// args: out, input, scales, group_size, scale_ub, is_scale_transposed
// out: out = [size(input, 0), size(input, -1) / 2] f8e4m3fn
// out: scales = [size(input, 0), size(input, -1) / 2 / G] f32
// dispatch`,
    )
    expect(problems(text)).toEqual([])
    const programs = blockQuantPrograms({ tokens: 4, hidden: 256 })
    const fused = JSON.parse(
      JSON.stringify(programs.fused).replace('_C.silu_and_mul_per_block_quant.default', 'mine.fused.default'),
    ) as typeof programs.fused
    const run = (kernels?: { name: string; text: string }[]) =>
      runPrograms(
        { ...programs, fused },
        { device: 'reference', kernels },
        () => undefined,
        new AbortController().signal,
      )
    expect((await run()).problems).toEqual(['cannot run: no kernel for mine.fused.default'])
    expect((await run([{ name: 'k.wgsl', text }])).problems).toEqual([
      'cannot run: mine.fused is known by k.wgsl alone, which needs WebGPU',
    ])
    const broken = await run([{ name: 'k.wgsl', text: text.replace('// op: mine', '// op mine') }])
    expect(broken.kernelProblems).toHaveLength(1)
    expect(broken.problems[0]).toContain('the kernel cannot be used: k.wgsl:1:1: Say at the top')
    expect(broken.verdict.kind).toBe('cannot run')
  })
})
