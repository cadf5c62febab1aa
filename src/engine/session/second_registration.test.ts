import { beforeAll, describe, expect, it } from 'vitest'
import { start } from '../../python/testing/start'
import { applyEdits } from '../../explain/fixes/change'
import { secondRegistration } from '../../explain/fixes/second_registration'
import { SyntaxFile } from '../../explain/fixes/syntax'
import { nodeAssets } from '../../python/node_assets'
import { explainCase, matchCase } from '../cases/cases'
import { Interpreter } from '../run/interpreter'
import type { Fix } from '../protocol'

let parse: (text: string) => SyntaxFile
beforeAll(async () => {
  const { host } = await start()
  parse = (text) => new SyntaxFile('p.py', text, host.syntax(text)!)
})

const FUNCTIONS = `EPS = 1e-6


def pattern(x):
    return x + EPS


def replacement(x):
    return op(x)


register_replacement(pattern, replacement, inputs, fwd_only, patterns)
`

const CLASS = `class Fused:
    def __init__(self, eps):
        self.eps = eps

    def pattern(self, x):
        return x * 2

    def register(self, to):
        register_replacement(self.pattern, self.replacement, [], fwd_only, to)


class Pass:
    def __init__(self):
        for eps in (1, 2):
            Fused(eps).register(self.patterns)
`

const made = (text: string, from: string, to: string): string | undefined =>
  secondRegistration(parse(text), text.replace(from, to))?.text

describe('a second registration', () => {
  it('copies the changed function and the call that registers it', () => {
    expect(made(FUNCTIONS, 'x + EPS', 'x + 1e-5')).toBe(
      FUNCTIONS.replace('x + EPS\n', 'x + EPS\n\n\ndef pattern_2(x):\n    return x + 1e-5\n') +
        'register_replacement(pattern_2, replacement, inputs, fwd_only, patterns)\n',
    )
  })

  it('copies a changed constant with the functions that read it', () => {
    const text = made(FUNCTIONS, '1e-6', '1e-5')!
    expect(text).toContain('EPS = 1e-6\nEPS_2 = 1e-5\n')
    expect(text).toContain('def pattern_2(x):\n    return x + EPS_2\n')
    expect(text).not.toContain('replacement_2')
  })

  it('keeps a line inserted after the last one of a function in its copy', () => {
    const text = made(FUNCTIONS, '    return op(x)\n', '    y = op(x)\n    return y\n')!
    expect(text).toContain('def replacement_2(x):\n    y = op(x)\n    return y\n')
    expect(text).toContain('register_replacement(pattern, replacement_2, inputs')
  })

  it('copies a class whose method changes, and registers the copy where the class is used', () => {
    const text = made(CLASS, 'x * 2', 'x * 3')!
    expect(text).toContain('class Fused_2:')
    expect(text).toContain(
      '            Fused(eps).register(self.patterns)\n            Fused_2(eps).register(self.patterns)\n',
    )
  })

  it('adds a class to the list that names it', () => {
    const text = made(CLASS + 'for cls in (Fused, Other):\n    cls()\n', 'x * 2', 'x * 3')!
    expect(text).toContain('for cls in (Fused, Fused_2, Other):')
  })

  it('is refused where nothing registers the function', () => {
    expect(made('def pattern(x):\n    return x * 2\n', 'x * 2', 'x * 3')).toBeUndefined()
  })
})

describe('also match this', () => {
  const pattern_py = `import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

aten = torch.ops.aten
patterns = PatternMatcherPass()


def search(x, w):
    return aten.mul.Tensor(aten.rsqrt.default(aten.add.Tensor(x, 1e-6)), w)


def replace(x, w):
    return aten.mul.Tensor(aten.rsqrt.default(aten.add.Tensor(x, 1e-6)), w)


register_replacement(search, replace, [torch.empty(4, 8), torch.empty(8)], fwd_only, patterns)
`
  const graphOf = (...eps: readonly number[]): string =>
    [
      'class GraphModule(torch.nn.Module):',
      '    def forward(self, x_0: "f32[4, 8]", w: "f32[8]"):',
      ...eps.flatMap((value, i) => [
        `        add_${i}: "f32[4, 8]" = torch.ops.aten.add.Tensor(x_${i}, ${value})`,
        `        rsqrt_${i}: "f32[4, 8]" = torch.ops.aten.rsqrt.default(add_${i})`,
        `        x_${i + 1}: "f32[4, 8]" = torch.ops.aten.mul.Tensor(rsqrt_${i}, w)`,
      ]),
      `        return (x_${eps.length},)`,
    ].join('\n')
  const fixesOf = (interpreter: Interpreter, graph: string, py = pattern_py): Fix[] =>
    explainCase(interpreter, { id: 'also', pattern_py: py, graph }, { fixes: true }).passes.flatMap((p) =>
      p.nearMisses.flatMap((m) => (m.causes ?? []).flatMap((c) => c.fixes ?? [])),
    )
  const countWith = (interpreter: Interpreter, graph: string, fix: Fix): number | null | undefined =>
    matchCase(interpreter, { id: 'also', pattern_py: applyEdits(pattern_py, fix.edits), graph }).passes[0]!.count

  it('keeps the places that a change alone would lose', async () => {
    const interpreter = await Interpreter.start(nodeAssets())
    const graph = graphOf(1e-6, 1e-6, 1e-5)
    const [fix] = fixesOf(interpreter, graph)
    expect(fix).toMatchObject({ second: true, verified: true, numbers: 'equal', matchesBefore: 0, matchesAfter: 1 })
    expect(fix!.title).toMatch(/in pattern and replacement, in a second registration$/)
    expect(countWith(interpreter, graph, fix!)).toBe(3)
  })

  it('is offered where a loop registers the pattern, so that the copies number the others anew', async () => {
    const loop = pattern_py
      .replace('1e-6)), w)', '1e-6)), aten.mul.Tensor(w, scale))')
      .replace('1e-6)), w)', '1e-6)), aten.mul.Tensor(w, scale))')
      .replace(
        /def search[^]*/,
        (body) =>
          `def register(scale):\n${body.replace(/^(?=.)/gm, '    ')}\nfor s in (1.5, 2.5, 3.5):\n    register(s)\n`,
      )
    const graph = graphOf(1e-6, 1e-6, 1e-5).replace(
      /( +)(x_\d: .*)rsqrt_(\d), w\)/g,
      '$1s_$3: "f32[8]" = torch.ops.aten.mul.Tensor(w, 2.5)\n$1$2rsqrt_$3, s_$3)',
    )
    const interpreter = await Interpreter.start(nodeAssets())
    const [fix] = fixesOf(interpreter, graph, loop)
    expect(fix).toMatchObject({ second: true, verified: true, matchesAfter: 1 })
    const files = applyEdits(loop, fix!.edits)
    expect(matchCase(interpreter, { id: 'also', pattern_py: files, graph }).passes[0]!.count).toBe(3)
  })

  it('is offered beside a fix of a pattern that matches nothing here', async () => {
    const interpreter = await Interpreter.start(nodeAssets())
    const graph = graphOf(1e-5)
    const [fix] = fixesOf(interpreter, graph)
    expect(fix).toMatchObject({ verified: true, alongside: { second: true, verified: true, numbers: 'equal' } })
    expect(fix!.second).toBeUndefined()
    expect(countWith(interpreter, graph, fix!.alongside!)).toBe(1)
    expect(countWith(interpreter, graphOf(1e-6, 1e-5), fix!.alongside!)).toBe(2)
  })
})
