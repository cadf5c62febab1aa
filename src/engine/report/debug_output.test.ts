/** Maps PyTorch 2.14.1's log of a run to a session's result for the same run. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { locate, parseDebugOutput } from '../../explain/debug_output'
import { nodeAssets } from '../../python/node_assets'
import { createSession } from '../session/session'

const data = (name: string): string =>
  readFileSync(new URL(`../../explain/debug_output/testing/${name}`, import.meta.url), 'utf8')

it('finds the pattern, the nodes and the cause of each line', async () => {
  const session = createSession(nodeAssets())
  await session.ready
  // Tensors of print(graph) have no shapes, so they are all inputs here; the log shows their origin.
  const text = data('torch_2_14.graph.txt')
  const shape = (name: string): string =>
    /^(view_1|tanh_1|mul_1)$/.test(name) ? '[2, 16]' : /^(getitem|cos)/.test(name) ? '[4, 4]' : '[4, 8]'
  const shapes = [
    'class GraphModule(torch.nn.Module):',
    '    def forward(self, x_1: "f32[4, 8]", y_1: "f32[4, 8]"):',
    ...[
      ...text.matchAll(
        /%(\w+) : \[num_users=\d+\] = call_function\[target=([\w.]+)\]\(args = \((.*)\), kwargs = \{(.*)\}\)/g,
      ),
    ].map(
      ([, name, target, args, kwargs]) =>
        `        ${name}${target === 'torch.ops.aten.split.Tensor' ? '' : `: "f32${shape(name!)}"`} = ${target}(${args!.replaceAll('%', '')}${kwargs ? `, ${kwargs.replace(': ', ' = ')}` : ''})`,
    ),
    `        return ${/return (.*)/.exec(text)![1]}`,
  ].join('\n')
  const { report } = session.analyzeWhole({
    name: 'log',
    graph: { name: 'graph.txt', text },
    shapes: { name: 'shapes.txt', text: shapes },
    files: [{ name: 'patterns.py', text: data('torch_2_14.py') }],
    options: { timeLimitS: 20 },
  })
  expect(report.python).toBeNull()
  const lines = locate(parseDebugOutput(data('torch_2_14.txt')), report.graph, report.passes)
  const pass = report.passes[0]!
  expect(lines.map((l) => [l.node, l.entry !== null, l.nodeIndex !== null])).toEqual(
    lines.map((l) => [l.node, true, true]),
  )
  // The log's lines correspond to Fusescope's attempts, in order.
  expect(lines.map((l) => [l.entry, l.node, l.kind])).toEqual(
    pass.attempts.map((a) => [a.entry, a.node, `${a.phase}-${a.ok ? 'matched' : 'failed'}`]),
  )
  const failed = lines.filter((l) => l.kind === 'specific-failed')
  expect(failed.map((l) => l.cause?.kind)).toEqual(['constant', 'constant'])
  const shared = lines.find((l) => l.node === 'relu_3')!
  expect(shared.cause?.kind).toBe('escaping-intermediate')
  expect(shared.about.map((i) => report.graph.nodes[i]!.name)).toEqual(['add_2'])
})
