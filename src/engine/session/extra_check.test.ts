/** Tests the node.meta keys that an extra_check reads, and the cause of a rejection. */
import { beforeAll, describe, expect, it } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import { DEFAULT_ENVIRONMENT, type Environment } from '../../workspace/types'
import { Session } from './session'

const graph = (relu: string, neg: string): string => `class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 4]"):
        ${relu}
        relu: "f32[8, 4]" = torch.ops.aten.relu.default(x);  x = None
        ${neg}
        neg: "f32[8, 4]" = torch.ops.aten.neg.default(relu);  relu = None
        return (neg,)
`
const on = (label: string | null): string =>
  `${label === null ? '' : `# stream_label: ${label} `}# No stacktrace found for following nodes`

const CODE = `import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
aten = torch.ops.aten
patterns = PatternMatcherPass()

def one_stream(match):
    labels = {node.meta.get("stream_label") for node in match.nodes if node.op == "call_function"}
    return len(labels) == 1

register_replacement(lambda x: aten.neg(aten.relu(x)), lambda x: aten.tanh(x), [torch.empty(8, 4)], fwd_only, patterns,
                     extra_check=one_stream)
`

let session: Session
beforeAll(async () => {
  session = new Session(nodeAssets())
  await session.ready
})

const analyzed = (text: string, code = CODE) =>
  session.analyzeWhole({
    name: 'streams',
    graph: { name: 'graph.py', text },
    files: [{ name: 'patterns.py', text: code }],
    options: { timeLimitS: 10 },
  }).report

describe('an extra_check over node.meta', () => {
  it('sees the keys from the graph’s comments', () => {
    expect(analyzed(graph(on('side'), on('side'))).passes[0]!.count).toBe(1)
    expect(analyzed(graph(on(null), on(null))).passes[0]!.count).toBe(1)
    expect(analyzed(graph(on('side'), on(null))).passes[0]!.count).toBe(0)
    expect(analyzed(graph(on('1'), on('2'))).graph.nodes.map((n) => n.meta)).toEqual([
      undefined,
      [['meta["stream_label"]', '1']],
      [['meta["stream_label"]', '2']],
      undefined,
    ])
  })

  it('explains a rejection by the nodes’ values', () => {
    const [miss] = analyzed(graph(on('side'), on(null))).passes[0]!.nearMisses
    const cause = miss!.causes![0]!
    expect(cause).toMatchObject({ kind: 'extra-check', argument: 'stream_label', expected: 'one stream_label' })
    expect(cause.sentence).toContain(`node.meta["stream_label"] is 'side' on relu, and absent on neg`)
    expect(cause.sentence).toContain('on one stream in the model')
  })

  it('is reported without a reason if it read nothing', () => {
    const code = CODE.replace('extra_check=one_stream', 'extra_check=lambda match: False')
    const [miss] = analyzed(graph(on('side'), on(null)), code).passes[0]!.nearMisses
    expect(miss!.causes![0]!.sentence).toMatch(/extra_check of .* returned False at patterns\.py:11/)
  })

  it.each([
    [
      'the branch of a constant',
      ['if x.shape[1] > 2:', '    return False', 'return True'],
      'if x.shape[1] > 2 is 4 > 2',
    ],
    [
      'the part of it that holds',
      ['if x.ndim == 3 or x.dtype == torch.float32:', '    return False', 'return True'],
      'if x.dtype == torch.float32 is torch.float32 == torch.float32',
    ],
    [
      'the other branch',
      ['if x.ndim == 3:', '    return True', 'else:', '    return False'],
      'if not x.ndim == 3, with x.ndim = 2',
    ],
    [
      'a return behind a branch',
      ['if x.ndim == 3:', '    return True', 'return False'],
      'if not x.ndim == 3, with x.ndim = 2',
    ],
    [
      'a condition that no longer holds',
      ['n = x.ndim', 'if n == 2:', '    n = 3', '    return False'],
      'returned False at patterns.py:11',
    ],
  ])('names %s', (_, lines, wanted) => {
    const body = ['x = match.kwargs["x"].meta["val"]', ...lines].map((l) => `    ${l}`).join('\n')
    const code = CODE.replace(/ {4}labels[^]*?== 1\n/, `${body}\n`)
    const [miss] = analyzed(graph(on(null), on(null)), code).passes[0]!.nearMisses
    expect(miss!.causes![0]!.sentence).toContain(wanted)
  })

  it('says what a symbolic size counted as, and takes a value from the environment', () => {
    const code = CODE.replace(
      / {4}labels[^]*?== 1\n/,
      '    return int(match.kwargs["x"].meta["val"].shape[0]) <= 256\n',
    )
    const checked = (check: string, flags: Environment['flags'] = {}) =>
      session.analyzeWhole({
        name: 'symbols',
        graph: { name: 'graph.py', text: graph(on(null), on(null)).replaceAll('f32[8', 'f32[s72') },
        files: [{ name: 'patterns.py', text: check }],
        options: { timeLimitS: 10 },
        environment: { ...DEFAULT_ENVIRONMENT, flags },
      }).report.passes[0]!
    const compared = code.replace(/int\((.*)\)/, '$1')
    expect(checked(compared).nearMisses[0]!.causes![0]!.sentence).toContain(
      'is s72 <= 256. The graph’s text does not say what s72 was',
    )
    expect(checked(compared, { s72: 128 }).count).toBe(1)
    expect(checked(compared, { s72: 512 }).count).toBe(0)
    expect(checked(code).applyError).toContain('s72=1024')
    expect(checked(code, { s72: 128 }).count).toBe(1)
    // Neither a symbol with a value nor a string that looks like one.
    const quoted = code.replace(/return .*/, 'kind = "s9"\n    return kind == "s8"')
    for (const miss of [checked(compared, { s72: 512 }), checked(quoted)])
      expect(miss.nearMisses[0]!.causes![0]!.sentence).not.toContain('does not say')
    const floats = code.replace(
      /return int\((.*)\) <= 256/,
      'import math\n    n = $1\n    return [math.sqrt(n), float(n / 32), int(n / 32)] == [10.0, 3.125, 3]',
    )
    expect(checked(floats, { s72: 100 }).count).toBe(1)
    expect(checked(code, { s72: 0 }).applyError).toContain('gives s72 the value 0, and such a size is at least 1')
  })

  it('gives no answer if it raised because a node has no shape', () => {
    const code = `import torch
from torch._inductor.pattern_matcher import CallFunction, KeywordArg, PatternMatcherPass, register_graph_pattern
patterns = PatternMatcherPass()
RELU = CallFunction(torch.ops.aten.relu.default, KeywordArg("x"))
@register_graph_pattern(RELU, extra_check=lambda match: match.nodes[0].meta["val"].ndim == 2, pass_dict=patterns)
def handler(match, x):
    pass
`
    const text = graph(on(null), on(null))
    expect(analyzed(text, code).passes[0]).toMatchObject({ count: 1, applyError: null })
    const [pass] = analyzed(text.replaceAll(/: "f32\[8, 4\]"/g, ''), code).passes
    expect(pass).toMatchObject({ count: 0, applyError: null })
    expect(pass!.attempts.flatMap((a) => a.dropReason?.kind ?? [])).toEqual(['unknown-shape'])
  })

  it('names the line that made a node without a value, as torch.fx sets none', () => {
    const code = `import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
aten = torch.ops.aten
class Fuse:
    def __init__(self):
        self.patterns = PatternMatcherPass()
        register_replacement(lambda x: aten.neg(aten.clamp_min(x, 0)), lambda x: aten.tanh(x), [torch.empty(8, 4)], fwd_only,
                             self.patterns, extra_check=lambda match: all(n.meta.get("val") is not None for n in match.nodes))
    def __call__(self, graph):
        relu = next(n for n in graph.nodes if n.target is aten.relu.default)
        with graph.inserting_before(relu):
            made = graph.call_function(aten.clamp_min.default, (relu.args[0], 0))
        relu.replace_all_uses_with(made)
        graph.erase_node(relu)
        self.patterns.apply(graph)
fuse = Fuse()
`
    const misses = (text: string) =>
      analyzed(graph(on(null), on(null)), text).passes.flatMap((p) => p.nearMisses.map((m) => m.causes![0]!.sentence))
    expect(misses(code)).toEqual([
      expect.stringContaining('which is absent on clamp_min_default: patterns.py:12 makes the node'),
    ])
    expect(
      misses(code.replace('        relu.rep', '        made.meta["val"] = relu.meta["val"]\n        relu.rep')),
    ).toEqual([])
  })
})
