/** Tests the lints of patterns that fire through a whole session. PyTorch 2.14.1 fires each of them. Reason for length: a group for each lint. */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import type { Workspace } from '../../workspace/types'
import type { Lint } from '../protocol'
import { createSession, type Session } from './session'

const PREAMBLE = `
import torch
from torch._higher_order_ops.auto_functionalize import auto_functionalized
from torch._inductor.pattern_matcher import (
    CallFunction, Ignored, KeywordArg, PatternMatcherPass, fwd_only, register_replacement,
)
aten = torch.ops.aten
lib = torch.library.Library("mine", "FRAGMENT")
lib.define("quant(Tensor x, int group, bool ue8m0, bool dummy_tma) -> Tensor")
lib.define("fused(Tensor x, int group) -> Tensor")
for name in ("quant", "fused"):
    torch.library.register_fake("mine::" + name, lambda x, *args: torch.empty_like(x), lib=lib)
patterns = PatternMatcherPass(pass_name="patterns")

def register(search, replace, inputs, **kwargs):
    register_replacement(search, replace, inputs, fwd_only, patterns, **kwargs)

def t(dtype=torch.float32):
    return torch.empty(4, 8, dtype=dtype)
`

const graph = (body: string, returns: string, dtype = 'f32'): string =>
  [
    'class GraphModule(torch.nn.Module):',
    `    def forward(self, x: "${dtype}[4, 8]", y: "${dtype}[4, 8]"):`,
    ...body
      .trim()
      .split('\n')
      .map((l) => `        ${l.trim().replace(' = ', `: "${dtype}[4, 8]" = `)}`),
    `        return (${returns},)`,
  ].join('\n')

const example = (name: string): Workspace =>
  JSON.parse(
    readFileSync(new URL(`../../../public/examples/${name}/workspace.json`, import.meta.url), 'utf8'),
  ) as Workspace

describe('lints', () => {
  let session: Session
  beforeAll(async () => {
    session = createSession(nodeAssets())
    await session.ready
  })

  const run = (python: string, text: string): { count: number; lints: Lint[] } => {
    const { report } = session.analyzeWhole({
      name: 'test',
      graph: { name: 'graph.txt', text },
      files: [{ name: 'patterns.py', text: PREAMBLE + python }],
      options: { timeLimitS: 20 },
    })
    expect(report.python).toBeNull()
    const pass = report.passes[0]!
    expect(pass.applyError).toBeNull()
    return { count: pass.count, lints: pass.lints! }
  }
  const line = (python: string, lint: Lint): string =>
    (PREAMBLE + python).split('\n')[(lint.source?.line ?? 0) - 1] ?? ''

  describe('unwritten-memory', () => {
    const body = `
        a = torch.ops.aten.add.Tensor(x, y)
        r = torch.ops.aten.relu.default(a)`
    const pattern = (buffer: string): string => `
def search(x, y):
    return torch.relu(x + y)
def replace(x, y):
    buffer = ${buffer}
    return torch.relu(x + y) + buffer
register(search, replace, [t(), t()])
`
    it('reports a buffer that is read and never written', () => {
      const { lints } = run(pattern('torch.empty_like(x)'), graph(body, 'r'))
      expect(lints).toMatchObject([{ kind: 'unwritten-memory', times: 1 }])
      expect(lints[0]!.sentence).toMatch(
        /aten\.add\.Tensor reads memory of aten\.empty\w*\.\w+ that nothing has written/,
      )
    })
    it('is silent about a buffer that is copied over or zeroed, also through a view, and then read', () => {
      for (const write of ['buffer.copy_(y)', 'buffer.view(-1).zero_()', 'torch._foreach_zero_([buffer])']) {
        const python = pattern('torch.empty_like(x)').replace('    return torch.relu(x + y) + b', `    ${write}\n$&`)
        expect(run(python, graph(body, 'r')).lints.filter((l) => l.kind === 'unwritten-memory')).toEqual([])
      }
      for (const buffer of ['torch.zeros_like(x)', 'torch.empty_like(x).copy_(y)', 'torch.empty_like(x).zero_()'])
        expect(run(pattern(buffer), graph(body, 'r')).lints.filter((l) => l.kind === 'unwritten-memory')).toEqual([])
    })
  })

  it('reports a kernel that is called with another layout than the contiguous example', () => {
    const python = `
def search(x, y):
    return torch.relu(x + y)
def replace(x, y):
    return torch.ops.mine.fused(x, 8) + y
register(search, replace, [t(), t()])
`
    const text = graph('a = torch.ops.aten.add.Tensor(x, y)\nr = torch.ops.aten.relu.default(a)', 'r')
    expect(run(python, text).lints).toEqual([])
    const { lints } = run(python, text.replace('x: "f32[4, 8]"', 'x: "f32[4, 8][1, 4]"'))
    expect(lints).toMatchObject([{ kind: 'layout-unchecked', argument: 'x', graphNode: 'x', times: 1 }])
    expect(lints[0]!.sentence).toContain('has strides [1, 4] here')
  })

  describe('ignored-kwarg', () => {
    const ADD = `
def search(x, y):
    return torch.relu(x + y)
register(search, lambda x, y: torch.sigmoid(x - y), [t(), t()])
`
    it('reports an alpha that the pattern does not name, once for all matches, with the line of the call', () => {
      const body = `
        a = torch.ops.aten.add.Tensor(x, y, alpha = 2)
        r = torch.ops.aten.relu.default(a)
        b = torch.ops.aten.add.Tensor(r, y, alpha = 2)
        s = torch.ops.aten.relu.default(b)`
      const { count, lints } = run(ADD, graph(body, 's'))
      expect(count).toBe(2)
      expect(lints).toMatchObject([{ kind: 'ignored-kwarg', argument: 'alpha', times: 2, entry: 0 }])
      expect(lints[0]!.sentence).toContain('alpha=2')
      expect(line(ADD, lints[0]!)).toContain('torch.relu(x + y)')
    })

    it('ignores a missing or default alpha, and one that the pattern names', () => {
      for (const kwargs of ['', ', alpha = 1']) {
        const body = `a = torch.ops.aten.add.Tensor(x, y${kwargs})\nr = torch.ops.aten.relu.default(a)`
        expect(run(ADD, graph(body, 'r'))).toEqual({ count: 1, lints: [] })
      }
      const named = ADD.replace('x + y)', 'torch.add(x, y, alpha=2))')
      const body = 'a = torch.ops.aten.add.Tensor(x, y, alpha = 2)\nr = torch.ops.aten.relu.default(a)'
      expect(run(named, graph(body, 'r'))).toEqual({ count: 1, lints: [] })
    })
  })

  describe('constants of the replacement', () => {
    const DECLARED = `
lib.define("sum_add(Tensor x, Tensor y, str reduce_op) -> Tensor")
lib.define("relu_twice(Tensor x, *, bool[2] output_mask) -> (Tensor, Tensor, Tensor)")
torch.library.register_fake("mine::sum_add", lambda x, y, reduce_op: torch.empty_like(x), lib=lib)
torch.library.register_fake("mine::relu_twice", lambda x, *, output_mask: (x + 1, x + 1, x + 1), lib=lib)
`
    const summed = graph(
      `a = torch.ops.aten.add.Tensor(x, y)
       s = torch.ops._c10d_functional.all_reduce.default(a, 'sum', '0')`,
      's',
    )
    const sums = (by: string): string => `${DECLARED}
register(lambda x, y: torch.ops._c10d_functional.all_reduce(x + y, "sum", "0"),
         lambda x, y: torch.ops.mine.sum_add(x, y, "${by}"), [t(), t()])
`
    it('reports another reduction over the ranks, with the constant that it should be', () => {
      const { lints } = run(sums('avg'), summed)
      expect(lints).toMatchObject([
        { kind: 'other-reduction', argument: 'reduce_op', literal: { is: "'avg'", asks: "'sum'" } },
      ])
      expect(run(sums('sum'), summed).lints).toEqual([])
    })

    const masked = (mask: string, used: string): string => `${DECLARED}
def replace(x):
    out = torch.ops.mine.relu_twice(x, output_mask=${mask})
    return ${used}
register(lambda x: torch.relu(torch.neg(x)), replace, [t()])
`
    const relu = graph('n = torch.ops.aten.neg.default(x)\nr = torch.ops.aten.relu.default(n)', 'r')
    it('reports an output that output_mask asks for and nothing uses', () => {
      const { lints } = run(masked('[True, True]', 'out[0]'), relu)
      expect(lints).toMatchObject([{ kind: 'needless-output', literal: { asks: '[True, False]' } }])
      for (const [mask, used] of [
        ['[True, False]', 'out[0]'],
        ['[True, True]', 'out[0] + out[1]'],
      ])
        expect(run(masked(mask!, used!), relu).lints).toEqual([])
    })
  })

  describe('dtype-unchecked', () => {
    const FUSED = `
register(lambda x: torch.relu(torch.neg(x)), lambda x: torch.ops.mine.fused(x, 8), [t(torch.bfloat16)])
`
    const BODY = 'n = torch.ops.aten.neg.default(x)\nr = torch.ops.aten.relu.default(n)'
    it('reports a custom operator that receives a different dtype than the examples have', () => {
      const { count, lints } = run(FUSED, graph(BODY, 'r', 'f32'))
      expect(count).toBe(1)
      expect(lints).toMatchObject([{ kind: 'dtype-unchecked', argument: 'x', graphNode: 'x', times: 1 }])
      expect(lints[0]!.sentence).toMatch(/bfloat16 in the example inputs and float32 here/)
    })

    it('reports an output with a different dtype', () => {
      const cast = 'register(lambda x: torch.relu(torch.neg(x)), lambda x: torch.relu(x).to(torch.bfloat16), [t()])\n'
      expect(run(cast, graph(BODY, 'r', 'f16')).lints).toMatchObject([{ kind: 'dtype-unchecked', graphNode: 'r' }])
    })

    it('ignores the intended dtype, patterns with an extra_check, and native replacements', () => {
      const checked = FUSED.replace('bfloat16)]', 'bfloat16)], extra_check=lambda m: True')
      const native = FUSED.replace('torch.ops.mine.fused(x, 8)', 'torch.sigmoid(x)')
      expect(run(FUSED, graph(BODY, 'r', 'bf16'))).toEqual({ count: 1, lints: [] })
      expect(run(checked, graph(BODY, 'r', 'f32'))).toEqual({ count: 1, lints: [] })
      expect(run(native, graph(BODY, 'r', 'f32'))).toEqual({ count: 1, lints: [] })
    })
  })

  describe('dropped-constant', () => {
    const variants = (groups: string, replace: string): string => `
def make(group, ue8m0):
    def search(x):
        return torch.ops.mine.quant(torch.neg(x), group, ue8m0, ue8m0)
    register(search, ${replace}, [t()])
for group in ${groups}:
    for ue8m0 in (True, False):
        make(group, ue8m0)
`
    const BODY = 'n = torch.ops.aten.neg.default(x)\nq = torch.ops.mine.quant.default(n, 64, True, True)'

    it('names the axis of two registrations with the same replacement', () => {
      const python = variants('(64, 128)', 'lambda x: torch.ops.mine.fused(x, group)')
      const { count, lints } = run(python, graph(BODY, 'q'))
      expect(count).toBe(1)
      expect(lints).toMatchObject([{ kind: 'dropped-constant', argument: 'ue8m0', graphNode: 'q', times: 1 }])
      expect(line(python, lints[0]!)).toContain('torch.ops.mine.quant(')
    })

    it('names each lost axis', () => {
      const python = variants('(64, 128)', 'lambda x: torch.ops.mine.fused(x, 32)')
      expect(run(python, graph(BODY, 'q')).lints.map((l) => l.argument)).toEqual(['group', 'ue8m0'])
    })

    it('reports a flag that is on in a single registration, but not one that is off', () => {
      const one = (flag: string): string =>
        `register(lambda x: torch.ops.mine.quant(torch.neg(x), 64, ${flag}, True), lambda x: torch.ops.mine.fused(x, 64), [t()])\n`
      expect(run(one('True'), graph(BODY, 'q')).lints).toMatchObject([{ kind: 'dropped-constant', argument: 'ue8m0' }])
      expect(run(one('False'), graph(BODY.replace('True, True', 'False, True'), 'q')).lints).toEqual([])
    })

    it('reports nothing if the replacement receives the value', () => {
      const python = variants('(64, 128)', 'lambda x: torch.ops.mine.quant(x, group, ue8m0, ue8m0)')
      expect(run(python, graph(BODY, 'q'))).toEqual({ count: 1, lints: [] })
    })
  })

  describe('stage-two-skipped', () => {
    const given = (size: string): string => `
def search(x):
    return torch.relu(x.view(8, 4))
register(search, lambda x: torch.sigmoid(x).view(8, 4), [t()],
         search_fn_pattern=CallFunction(aten.relu.default, CallFunction(aten.view.default, KeywordArg("x"), ${size})))
`
    const BODY = 'v = torch.ops.aten.view.default(x, [2, 16])\nr = torch.ops.aten.relu.default(v)'
    it('reports wildcards that are never compared: a different view matches', () => {
      const { count, lints } = run(given('Ignored()'), graph(BODY, 'r'))
      expect(count).toBe(1)
      expect(lints).toMatchObject([{ kind: 'stage-two-skipped', times: 1 }])
      expect(lints[0]!.sentence).toContain('1 of aten.view')
    })

    it('compares the constants of a pretraced pattern with its search function for the matched inputs', () => {
      const pretraced = `
from torch._inductor.pattern_matcher import gen_register_replacement
def _flip(x):
    return torch.relu(x.permute(1, 0))
gen_register_replacement("_flip_inference", _flip, lambda x: torch.sigmoid(x).permute(1, 0), [t()], fwd_only, patterns)
`.replace('def _flip', 'import os\nos.environ["PYTORCH_GEN_PATTERNS"] = "1"\ndef _flip')
      const permuted = (dims: string): string =>
        `p = torch.ops.aten.permute.default(x, ${dims})\nr = torch.ops.aten.relu.default(p)`
      const { count, lints } = run(pretraced, graph(permuted('[0, 1]'), 'r'))
      expect(count).toBe(1)
      expect(lints).toMatchObject([{ kind: 'stage-two-skipped', times: 1, graphNode: 'p', argument: 'dims' }])
      expect(lints[0]!.sentence).toContain('dims = [0, 1], where the search function has [1, 0]')
      expect(run(pretraced, graph(permuted('[1, 0]'), 'r'))).toEqual({ count: 1, lints: [] })
    })

    it('reports nothing if the given pattern is exact', () => {
      expect(run(given('[2, 16]'), graph(BODY, 'r'))).toEqual({ count: 1, lints: [] })
    })
  })

  describe('new-alias', () => {
    const BODY = 'n = torch.ops.aten.neg.default(x)\nm = torch.ops.aten.neg.default(n)'
    it('reports an output that is the input or a view of it', () => {
      for (const replace of ['x', 'x.view(2, 16).view(4, 8)', 'x.unsqueeze(0).squeeze(0)']) {
        const { count, lints } = run(`register(lambda x: -(-x), lambda x: ${replace}, [t()])\n`, graph(BODY, 'm'))
        expect(count).toBe(1)
        expect(lints, replace).toMatchObject([{ kind: 'new-alias', argument: 'x' }])
      }
    })

    it('reports two outputs that are one value', () => {
      const two = 'register(lambda x: (torch.relu(-x), torch.exp(-x)), lambda x: (torch.sin(x),) * 2, [t()])\n'
      const body = `
        n = torch.ops.aten.neg.default(x)
        r = torch.ops.aten.relu.default(n)
        e = torch.ops.aten.exp.default(n)`
      const shared = two.replace(
        '(torch.relu(-x), torch.exp(-x))',
        '[f(n) for n in [-x] for f in (torch.relu, torch.exp)]',
      )
      const { count, lints } = run(shared, graph(body, 'r, e'))
      expect(count).toBe(1)
      expect(lints.map((l) => l.kind)).toContain('new-alias')
    })

    it('ignores new storage, and a view where the pattern had one', () => {
      expect(run('register(lambda x: -(-x), lambda x: x.clone(), [t()])\n', graph(BODY, 'm'))).toEqual({
        count: 1,
        lints: [],
      })
      const view = 'v = torch.ops.aten.view.default(x, [2, 16])\nw = torch.ops.aten.view.default(v, [4, 8])'
      const same = 'register(lambda x: x.view(2, 16).view(4, 8), lambda x: x.view(32).view(4, 8), [t()])\n'
      expect(run(same, graph(view, 'w')).lints).toEqual([])
    })
  })

  describe('used-before-defined', () => {
    const TWO = `
def search(x, y):
    a = torch.relu(x)
    return a, a + y
def replace(x, y):
    a = torch.sigmoid(x)
    return a, a * y
register(search, replace, [t(), t()])
`
    it('reports a replacement whose value is used above it', () => {
      const body = `
        r = torch.ops.aten.relu.default(x)
        n = torch.ops.aten.neg.default(r)
        late = torch.ops.aten.tanh.default(n)
        a = torch.ops.aten.add.Tensor(r, late)`
      const { count, lints } = run(TWO, graph(body, 'n, a'))
      expect(count).toBe(1)
      expect(lints).toMatchObject([{ kind: 'used-before-defined', times: 1 }])
    })

    it('reports nothing if the order is valid', () => {
      const body = 'r = torch.ops.aten.relu.default(x)\na = torch.ops.aten.add.Tensor(r, y)'
      expect(run(TWO, graph(body, 'r, a'))).toEqual({ count: 1, lints: [] })
    })
  })

  it('reports only scale_ue8m0 on the flagship example, and nothing on the other', () => {
    const lintsOf = (name: string): Lint[] =>
      session.analyzeWhole(example(name)).report.passes.flatMap((p) => p.lints ?? [])
    expect(lintsOf('silu-mul-block-quant')).toMatchObject([
      { kind: 'dropped-constant', argument: 'scale_ue8m0', times: 32 },
    ])
    expect(lintsOf('rms-norm-int8')).toEqual([])
  })
})
