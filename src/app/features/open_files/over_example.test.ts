/** A file that is opened over an example becomes a workspace of its own, and the example stays as it was. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import * as opened from '../../session/open_workspace'
import { useView } from '../../session/view_store'
import { EMPTY_WORKSPACE, newOrigin, useWorkspace } from '../../session/workspace_store'
import { FIRST_EXAMPLE } from '../../examples/catalog'
import { openAlone, replaceGraph } from './place_graphs'
import { useQuestion } from '../../files/question'
import { take } from './sources'

beforeEach(() => {
  vi.spyOn(opened, 'openWorkspace').mockImplementation(({ workspace, origin }) =>
    useWorkspace.getState().load(workspace, origin),
  )
  vi.spyOn(opened, 'reopenLater').mockImplementation(() => {
    const { workspace, origin } = useWorkspace.getState()
    return () => useWorkspace.getState().load(workspace, origin)
  })
})

const GRAPH = `graph():
    %x : [num_users=1] = placeholder[target=x]
    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})
    return relu
`
const file = (name: string, text: string) => ({ name, text })
const EXAMPLE = {
  ...EMPTY_WORKSPACE,
  name: 'An example',
  graph: file('graph.txt', GRAPH),
  files: [file('fusion.py', 'x = 1')],
}

function now() {
  const { workspace, origin } = useWorkspace.getState()
  return { name: workspace.name, graph: workspace.graph.name, files: workspace.files.map((f) => f.name), origin }
}
const own = expect.stringMatching(/^own:/) as string

afterEach(() => {
  useQuestion.setState({ question: null })
  useWorkspace.getState().load(EMPTY_WORKSPACE, newOrigin())
})

it('replaces the example of a first visit, and asks over another one', async () => {
  const { load } = useWorkspace.getState()
  load(EXAMPLE, FIRST_EXAMPLE)
  await take(GRAPH, 'mine.txt')
  expect(now()).toEqual({ name: 'mine', graph: 'mine.txt', files: ['patterns.py'], origin: own })
  load(EXAMPLE, FIRST_EXAMPLE)
  await take('import torch\n', 'mine.py')
  expect(now()).toEqual({ name: 'mine', graph: 'graph.txt', files: ['mine.py'], origin: own })
  useView.getState().toasts.at(-1)!.action!.run()
  expect(now()).toMatchObject({ name: 'An example', files: ['fusion.py'], origin: FIRST_EXAMPLE })
  load(EXAMPLE, 'another-example')
  await take(GRAPH, 'mine.txt')
  expect(now().origin).toBe('another-example')
  expect(useQuestion.getState().question?.kind).toBe('present')
})

it('keeps the patterns of an example for another graph under another name', () => {
  useWorkspace.getState().load(EXAMPLE, 'another-example')
  replaceGraph([file('mine.txt', GRAPH)])
  expect(now()).toEqual({ name: 'mine', graph: 'mine.txt', files: ['fusion.py'], origin: own })
  openAlone([file('other.txt', GRAPH)])
  expect(now()).toEqual({ name: 'other', graph: 'other.txt', files: ['patterns.py'], origin: own })
})

it('offers to trace the model of a text without a graph, and its program is a file of the workspace', async () => {
  useWorkspace.getState().load(EXAMPLE, 'another-example')
  const issue = `The pattern does not fire on this model:

\`\`\`python
import torch

class Block(torch.nn.Module):
    def forward(self, x):
        return torch.relu(x * 2)

Block()(torch.randn(4, 8))
\`\`\`
`
  await take(issue, 'issue.md')
  const offer = useView.getState().toasts.at(-1)!
  expect(offer).toMatchObject({
    text: 'issue.md has the source of Block.',
    action: { label: 'Trace it: the Console prints its graph' },
  })
  offer.action!.run()
  const { files } = useWorkspace.getState().workspace
  expect(files.map((f) => f.name)).toEqual(['fusion.py', 'issue.py'])
  expect(files[1]!.text).toContain('print(torch.fx.symbolic_trace(Block()).graph)')
})
