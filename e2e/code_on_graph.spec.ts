/** Code on the graph without patterns: from the drop of a lone function to the line of each of its edits. */
import { expect, onePage as test, SMALL } from './fixtures'

const GRAPH = `class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 4]"):
        exp: "f32[8, 4]" = torch.ops.aten.exp.default(x);  x = None
        neg: "f32[8, 4]" = torch.ops.aten.neg.default(exp);  exp = None
        return (neg,)
`
const FUSE = `import torch
aten = torch.ops.aten

def fuse(graph):
    for node in list(graph.nodes):
        if node.target == aten.neg.default:
            with graph.inserting_before(node):
                made = graph.call_function(aten.relu.default, node.args)
            node.replace_all_uses_with(made)
            graph.erase_node(node)
`

/** The same values as before. */
const EQUAL = FUSE.replace('aten.relu.default, node.args', 'aten.mul.Tensor, (node.args[0], -1)')

const REWRITE = `import torch
from torch.fx.subgraph_rewriter import replace_pattern
aten = torch.ops.aten

def pattern(x):
    return aten.neg.default(aten.mul.Tensor(aten.exp.default(x), 0.25))

def rewrite(gm):
    replace_pattern(gm, pattern, pattern)
`

test('replace_pattern that misses by a literal: the cause on its line, and the fix that makes it fire', async ({
  app,
  page,
}) => {
  await app.open(SMALL)
  await app.pythonReady()
  const scaled = GRAPH.replace('neg.default(exp)', 'neg.default(mul)').replace(
    '        neg',
    '        mul: "f32[8, 4]" = torch.ops.aten.mul.Tensor(exp, 0.5)\n        neg',
  )
  await app.openWorkspace({
    name: 'rewrite',
    graph: { name: 'graph.txt', text: scaled },
    files: [{ name: 'rewrite.py', text: REWRITE }],
    passes: ['rewrite'],
    options: { timeLimitS: 60 },
  })
  await expect(page.getByTestId('verdict')).toContainText('Argument 1 of mul is 0.5 in the graph, 0.25 in the pattern')
  await app.panel('whynot')
  const miss = page.getByTestId('near-miss').first()
  await expect(miss).toContainText('rewrite.py:6')
  const fix = miss.getByTestId('fix').first()
  await expect(fix).toContainText('Fires 1 time with this change')
  await fix.getByTestId('apply-fix').click()
  await expect(app.status).toContainText('1 match')
})

test('a dropped loop is proposed, runs from the verdict, and each edit lights its line and node', async ({
  app,
  page,
}) => {
  await app.open(SMALL)
  await app.pythonReady()
  await app.openWorkspace({
    name: 'loop',
    graph: { name: 'graph.txt', text: GRAPH },
    files: [],
    options: { timeLimitS: 60 },
  })
  await app.drop('fuse.py', FUSE)
  await expect(page.getByTestId('verdict')).toContainText('fuse (fuse.py:4) works on a graph')
  await expect(page.getByTestId('verdict')).toContainText('the switch of fuse in Pipeline runs it')
  await app.panel('whynot')
  await expect(page.getByTestId('panel-body')).toContainText(
    'No pattern has run: without patterns there are no near misses.',
  )
  await app.panel('matches')
  await page.getByRole('button', { name: 'Run fuse' }).click()
  await expect(app.status).toContainText('3 edits')
  const edits = page.getByTestId('stage-edits').getByRole('button')
  await expect(edits).toHaveText([
    'relu_default create_node: aten.relu.default(exp) fuse.py:8',
    'neg replace_all_uses_with: relu_default in output fuse.py:9',
    'neg erase_node: aten.neg.default(exp) fuse.py:10',
  ])
  const litLine = page.getByTestId('editor').locator('.fs-line-linked')
  await edits.nth(0).click()
  await expect(edits.nth(0)).toHaveAttribute('aria-pressed', 'true')
  await expect(litLine).not.toHaveCount(0)
  await page.evaluate(() =>
    (
      window as unknown as { __fusescope: { editor: { select(text: string): Promise<boolean> } } }
    ).__fusescope.editor.select('graph.erase_node'),
  )
  await page.keyboard.press('ArrowLeft')
  await expect(edits.nth(2)).toHaveAttribute('aria-pressed', 'true')
  await expect(edits.nth(0)).toHaveAttribute('aria-pressed', 'false')
})

test('a loop that edits nothing: the condition, what it asked of the selected node, and the change after which it edits', async ({
  app,
  page,
}) => {
  await app.open(SMALL)
  await app.pythonReady()
  await app.openWorkspace({
    name: 'loop',
    graph: { name: 'graph.txt', text: GRAPH },
    files: [{ name: 'fuse.py', text: EQUAL.replace('== aten.neg.default', '== aten.neg') }],
    passes: ['fuse'],
    options: { timeLimitS: 60 },
  })
  const said = 'node.target == aten.neg at fuse.py:6 was false each of 4 times, so lines 7 to 10, which edit the graph'
  await expect(page.getByTestId('verdict')).toContainText(said)
  await app.panel('whynot')
  const conditions = page.getByTestId('stage-conditions')
  await expect(conditions).toContainText(
    'The graph calls aten.neg.default (neg), the code asks for aten.neg, the packet',
  )
  await conditions.getByRole('button', { name: 'neg', exact: true }).click()
  await expect(conditions).toContainText('node.target == aten.neg false fuse.py:6')
  const fix = conditions.getByTestId('fix')
  await expect(fix).toContainText('Edits 1 place with this change; the numbers stay equal, bit for bit')
  await fix.getByTestId('apply-fix').click()
  await expect(app.status).toContainText('3 edits')
  await app.panel('matches')
  await page.getByRole('button', { name: 'Compare the numbers' }).click()
  await expect(page.getByRole('list', { name: 'Numbers of the matches' })).toContainText(
    'neg: edited, and the numbers stay equal, bit for bit',
  )
})
