/**
 * Violations found through a whole session: one rewrite of each kind that causes one, and a similar rewrite that does
 * not.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import type { Violation } from '../protocol'
import { createSession, type Session } from '../session/session'

const PREAMBLE = `
import torch
from torch._inductor.pattern_matcher import (
    CallFunction, Ignored, KeywordArg, PatternMatcherPass, fwd_only, register_graph_pattern, register_replacement,
)
aten = torch.ops.aten
lib = torch.library.Library("mine", "FRAGMENT")
lib.define("gemm(Tensor x, Tensor scales) -> Tensor")
lib.define("write_(Tensor(a!) x) -> ()")
torch.library.register_fake("mine::gemm", lambda x, s: torch.empty_like(x), lib=lib)
patterns = PatternMatcherPass(pass_name="patterns")

def register(search, replace, *inputs):
    register_replacement(search, replace, list(inputs), fwd_only, patterns)

def t(*shape):
    return torch.empty(*(shape or (4, 8)))
`

const F32 = 'f32[4, 8][8, 1]cpu'
const T32 = 'f32[8, 4][1, 8]cpu'

/** One \`name: type = call\` per line, over x and y of f32[4, 8]. */
const graph = (body: string, returns: string): string =>
  [
    'class GraphModule(torch.nn.Module):',
    `    def forward(self, x: "${F32}", y: "${F32}"):`,
    ...body
      .trim()
      .split('\n')
      .map((l) => `        ${l.trim().replace(/^(\w+) = /, `$1: "${F32}" = `)}`),
    `        return (${returns},)`,
  ].join('\n')

describe('invariants', () => {
  let session: Session
  beforeAll(async () => {
    session = createSession(nodeAssets())
    await session.ready
  })

  const broken = (python: string, text: string): Violation[] => {
    const { report } = session.analyze({
      name: 'test',
      graph: { name: 'graph.txt', text },
      files: [{ name: 'patterns.py', text: PREAMBLE + python }],
      options: { timeLimitS: 20 },
    })
    expect(report.python).toBeNull()
    const [pass] = report.passes
    expect(pass!.applyError).toBeNull()
    expect(pass!.count).toBeGreaterThan(0)
    return pass!.violations ?? []
  }

  const RELU = graph(
    `
    r = torch.ops.aten.relu.default(x)
    m = torch.ops.aten.mul.Tensor(r, y)
    s = torch.ops.aten.sin.default(m)`,
    's',
  )

  describe('output', () => {
    it('reports a changed dtype at the replacing node, with its consequences', () => {
      const [violation, ...rest] = broken(
        'register(lambda x: torch.relu(x), lambda x: torch.sigmoid(x).double(), t())',
        RELU,
      )
      expect(rest).toEqual([])
      expect(violation).toEqual({
        kind: 'output',
        node: 'convert_element_type_default',
        before: 'r',
        match: 0,
        was: 'f32[4, 8]',
        is: 'f64[4, 8]',
        parts: expect.arrayContaining([{ node: 'r' }, { node: 'convert_element_type_default', side: 'after' }]),
        sentence:
          'r was f32[4, 8], and convert_element_type_default, which replaced it, is f64[4, 8]; m and 1 more after it still have the old metadata, up to an output of the graph',
      })
    })

    it('reports a number returned in place of a tensor', () => {
      const python = `
@register_graph_pattern(CallFunction(aten.relu.default, KeywordArg("x")), pass_dict=patterns)
def handler(match, x):
    match.output_node().replace_all_uses_with(1.0)
    match.erase_nodes()`
      const text = graph('r = torch.ops.aten.relu.default(x)', 'r')
      expect(broken(python, text)).toMatchObject([
        {
          kind: 'output',
          node: 'output',
          sentence: 'r was f32[4, 8], and 1.0 is returned in its place',
        },
      ])
    })

    it('reports a changed shape, and an operator that rejects it', () => {
      const found = broken('register(lambda x: torch.relu(x), lambda x: torch.sigmoid(x)[:, :3], t())', RELU)
      expect(found.map((v) => [v.kind, v.node])).toEqual([
        ['output', 'slice_tensor'],
        ['metadata', 'm'],
      ])
      expect(found[1]!.sentence).toContain('rejects its current inputs: RuntimeError')
    })

    const SCALES = (user: string): string =>
      graph(`s = torch.ops.aten.sin.default(x)`, 'g')
        .replace(
          '        return',
          `        t: "${T32}" = torch.ops.aten.permute.default(s, [1, 0])\n        g: "${F32.replace('4, 8', '8, 4')}" = ${user}\n        return`,
        )
        .replace('[8, 4][8, 1]', '[8, 4][1, 8]')
    const TO_ROWS = `
def search(x):
    return torch.sin(x).permute(1, 0)
register(search, lambda x: torch.sin(x).permute(1, 0).contiguous(), t())`

    it('reports changed strides that reach a custom kernel', () => {
      const [violation] = broken(TO_ROWS, SCALES('torch.ops.mine.gemm.default(t, t)'))
      expect(violation).toMatchObject({ kind: 'output', was: 'f32[8, 4][1, 8]', is: 'f32[8, 4][4, 1]', before: 't' })
      expect(violation!.sentence).toContain('g (mine.gemm.default) is called with it')
    })

    it('ignores strides among operators that accept any', () => {
      expect(broken(TO_ROWS, SCALES('torch.ops.aten.cos.default(t)'))).toEqual([])
    })
  })

  describe('metadata', () => {
    const handler = (edit: string): string => `
@register_graph_pattern(CallFunction(aten.relu.default, KeywordArg("x")), pass_dict=patterns)
def handler(match, x):
    node = match.output_node()
    ${edit.trim().replace(/\n\s*/g, '\n    ')}
`
    it('reports a handler that gives a node the metadata of another', () => {
      const [violation, ...rest] = broken(
        handler(`
        new = match.graph.call_function(aten.gt.Scalar, (x, 0))
        new.meta["val"] = node.meta["val"]
        node.replace_all_uses_with(new)
        match.erase_nodes()`),
        RELU,
      )
      expect(rest).toEqual([])
      expect(violation).toMatchObject({ kind: 'metadata', node: 'gt_scalar', was: 'f32[4, 8]', is: 'b8[4, 8]' })
      expect(violation!.sentence).toBe(
        'the metadata of gt_scalar is f32[4, 8], but its operator returns b8[4, 8] for its inputs',
      )
    })

    it('ignores missing metadata if later nodes keep theirs', () => {
      const edit = `
        new = match.graph.call_function(aten.sigmoid.default, (x,))
        node.replace_all_uses_with(new)
        match.erase_nodes()`
      expect(broken(handler(edit), RELU)).toEqual([])
    })
  })

  describe('alias', () => {
    const CLONE = graph('c = torch.ops.aten.clone.default(x)', 'c')
    const DROP = `
@register_graph_pattern(CallFunction(aten.clone.default, KeywordArg("x")), pass_dict=patterns)
def drop(match, x):
    match.output_node().replace_all_uses_with(x)
    match.erase_nodes()`

    it('reports an output that became an input', () => {
      const [violation, ...rest] = broken(DROP, CLONE)
      expect(rest).toEqual([])
      expect(violation).toMatchObject({ kind: 'alias', node: 'x', before: 'c', match: 0, is: 'the storage of x' })
    })

    it('reports an output that became a view of an input, through several views', () => {
      const text = graph('c = torch.ops.aten.clone.default(x)', 'v').replace(
        '        return',
        '        p: "f32[8, 4][1, 8]cpu" = torch.ops.aten.permute.default(c, [1, 0])\n        v: "f32[4, 4][1, 8]cpu" = torch.ops.aten.slice.Tensor(p, 0, 0, 4)\n        return',
      )
      expect(broken(DROP, text).map((v) => [v.kind, v.node])).toEqual([['alias', 'v']])
    })

    it('reports two outputs that now share storage', () => {
      const two = graph(
        `
        s = torch.ops.aten.sin.default(x)
        c = torch.ops.aten.clone.default(s)`,
        's, c',
      )
      expect(broken(DROP, two)).toMatchObject([{ kind: 'alias', node: 's', before: 'c' }])
    })

    it('ignores outputs that shared storage before, or that a copy separates', () => {
      const copied = graph(
        `
        c = torch.ops.aten.clone.default(x)
        s = torch.ops.aten.sin.default(c)`,
        's',
      )
      expect(broken(DROP, copied)).toEqual([])
      const view = graph('c = torch.ops.aten.clone.default(y)', 'w, z').replace(
        '        return',
        '        w = torch.ops.aten.view.default(x, [32])\n        z = torch.ops.aten.sin.default(c)\n        return',
      )
      expect(broken(DROP, view)).toEqual([])
    })
  })

  describe('mutation', () => {
    const WRITE = `
def search(x):
    return torch.relu(x)
def replace(x):
    out = torch.sin(x)
    torch.ops.mine.write_.default(out)
    return out
register(search, replace, t())`

    it('reports a write in the middle of a graph that had none', () => {
      expect(broken(WRITE, RELU)).toMatchObject([
        { kind: 'mutation', node: 'write__default', match: 0, is: 'mine.write_.default' },
      ])
    })

    it('ignores copies into inputs at the end, and graphs that already write', () => {
      const already = RELU.replace('        return', '        w = torch.ops.mine.write_.default(s)\n        return')
      expect(broken(WRITE, already)).toEqual([])
      const epilogue = RELU.replace('        return', '        c = torch.ops.aten.copy_.default(x, s)\n        return')
      expect(broken('register(lambda x: torch.relu(x), lambda x: torch.sigmoid(x), t())', epilogue)).toEqual([])
    })
  })

  describe('order', () => {
    it('reports a handler whose new node uses itself', () => {
      const python = `
@register_graph_pattern(CallFunction(aten.relu.default, KeywordArg("x")), pass_dict=patterns)
def handler(match, x):
    node = match.output_node()
    after = match.graph.call_function(aten.sin.default, (node,))
    node.replace_all_uses_with(after)`
      expect(broken(python, RELU).filter((v) => v.kind === 'order')).toMatchObject([{ node: 'sin_default', match: 0 }])
    })

    it('ignores a replacement above its input, which sorting corrects', () => {
      const text = graph(
        `
        a = torch.ops.aten.sin.default(x)
        b = torch.ops.aten.cos.default(y)
        m = torch.ops.aten.mul.Tensor(a, b)`,
        'a, m',
      )
      const python = `
def search(x, y):
    s = torch.sin(x)
    return s, s * y
register(search, lambda x, y: (torch.sigmoid(x), torch.sub(x, y)), t(), t())`
      expect(broken(python, text)).toEqual([])
    })
  })
})
