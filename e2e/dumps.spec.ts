/** Dumps: a TORCH_TRACE log offers its graphs, a second graph asks, and a text without a graph changes nothing. */
import { readFileSync } from 'node:fs'
import { expect, onePage as test, SMALL } from './fixtures'

const trace = readFileSync(new URL('../conformance/dumps/trace/train.log', import.meta.url), 'utf8')
const graph = (op: string): string => `graph():
    %x : [num_users=1] = placeholder[target=x]
    %y : [num_users=1] = call_function[target=torch.ops.aten.${op}.default](args = (%x,), kwargs = {})
    return (y,)
`

test('a TORCH_TRACE log offers its artifacts by compile id', async ({ app, page }) => {
  await app.open()
  await app.drop('torch_trace.log', trace)
  const choices = page.getByTestId('graph-choices')
  await expect(choices.getByRole('listitem')).toHaveCount(8)
  await expect(choices.getByRole('checkbox', { name: /before_post_grad_graph/ })).toBeChecked()
  await choices.getByRole('checkbox', { name: /aot_backward_graph/ }).check()
  await page.getByRole('button', { name: 'Open 2 graphs' }).click()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const picker = page.getByTestId('graph-picker')
  await picker.selectOption('0_0.before_post_grad_graph.txt')
  await expect(app.status).toContainText('11 nodes')
})

test('a graph pasted over another asks: replace, add or compare', async ({ app, page }) => {
  await app.open()
  const dialog = page.getByRole('dialog', { name: 'A graph is open' })
  await app.drop('mine.txt', graph('relu'))
  await dialog.getByRole('button', { name: 'Replace' }).click()
  await expect(app.status).toContainText('3 nodes')
  await app.paste(graph('neg'))
  await expect(dialog).toContainText('graph.txt')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByTestId('graph-picker')).toHaveCount(0)
  await app.paste(graph('neg'))
  await dialog.getByRole('button', { name: 'Compare' }).click()
  await expect(page.getByTestId('graph-picker')).toHaveValue('graph.txt')
  await expect(page.getByTestId('compare-view')).toBeVisible()
})

test('print_readable dropped after print(graph) of the same graph gives its shapes', async ({ app, page }) => {
  const text = (form: string): string =>
    readFileSync(new URL(`../conformance/graphs/llama.${form}.txt`, import.meta.url), 'utf8')
  await app.open()
  await app.dropGraph('llama.txt', text('graph'))
  await expect(page.getByTestId('shapes-notice')).toContainText('have no shape')
  await app.drop('fx_graph_readable.py', text('readable'))
  await expect(page.getByText('fx_graph_readable.py is the other form of the graph')).toBeVisible()
  await expect(page.getByTestId('shapes-notice')).toBeHidden()
  await expect(page.getByRole('tab', { name: 'fx_graph_readable.py' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(page.getByTestId('shapes-notice')).toContainText('have no shape')
})

test('a text without a graph leaves the graph on screen', async ({ app, page }) => {
  await app.open()
  await app.drop('mine.txt', graph('relu'))
  await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
  await expect(app.status).toContainText('3 nodes')
  await app.paste('log\nTraceback (most recent call last):\n  File "a.py", line 3, in <module>\nRuntimeError: no\n')
  await expect(page.getByText('graph.txt:2:1: This is a Python traceback.')).toBeVisible()
  await expect(app.status).toContainText('3 nodes')
})

test('a folder of per-pass dumps and dumped patterns is a pipeline, and both sides of a pasted diff are compared', async ({
  app,
  page,
}) => {
  await app.open(SMALL)
  await app.pythonReady()
  await app.dropFolders({
    debug: {
      rank_0: {
        'post_grad.0.NoOpEliminationPass.before.py': graph('relu'),
        'post_grad.0.NoOpEliminationPass.after.py': graph('relu'),
        'post_grad.1.MyFusionPass.before.py': graph('relu'),
        'post_grad.1.MyFusionPass.after.py': graph('sigmoid').replaceAll('%y', '%fused').replace('(y,)', '(fused,)'),
      },
      'patterns.MyFusionPass.0.py': `# This file was produced by VllmPatternMatcherPass.dump_patterns for MyFusionPass.
from torch._inductor.pattern_matcher import *
vllm = torch.ops.vllm

# Patterns for op: torch.ops.aten.relu.default
def pattern_0():
    return CallFunction(torch.ops.aten.relu.default, Arg())
`,
    },
  })
  await page.getByRole('button', { name: 'New workspace' }).click()
  await expect(page.getByRole('dialog', { name: 'Choose graphs' })).toContainText('The dumps of passes are a pipeline')
  await page.getByRole('button', { name: 'Open 3 graphs' }).click()
  await expect(app.status).toContainText('1 match')
  await app.panel('pipeline')
  const rows = page.getByTestId('dumped-stages').getByRole('listitem')
  await expect(rows).toHaveText([
    'before NoOpEliminationPass3 nodes',
    'NoOpEliminationPassno change, 3 nodes',
    'MyFusionPass+1 −1, 3 nodes',
  ])
  await rows.last().getByRole('button').click()
  await expect(app.status).toContainText('0 matches')

  const diff = graph('relu').replace(/^.*%y .*$/m, (l) => `-${l}\n+${l.replace('relu', 'gelu')}`)
  await app.paste(diff.replace(/^(?![-+])/gm, ' '))
  const view = page.getByTestId('compare-view')
  await expect(view).toContainText('y runs aten.gelu.default instead of aten.relu.default')
  await view.getByRole('button', { name: 'Close the comparison' }).click()
})

test('a diff pasted into the text of the graph is offered as a comparison', async ({ app, page }) => {
  await app.open()
  await app.pythonReady()
  const diff = graph('relu').replace(/^.*%y .*$/m, (l) => `-${l}\n+${l.replace('relu', 'gelu')}`)
  await app.openFile(/graph/)
  // Typed lines would be indented by the editor; pasted ones stay.
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate((text) => navigator.clipboard.writeText(text), diff.replace(/^(?![-+])/gm, ' '))
  await page.evaluate(() =>
    (
      window as unknown as { __fusescope: { editor: { select(text: string): Promise<boolean> } } }
    ).__fusescope.editor.select('class'),
  )
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('ControlOrMeta+v')
  await page.getByRole('button', { name: 'Compare both' }).click()
  await expect(page.getByTestId('compare-view')).toContainText('y runs aten.gelu.default instead of aten.relu.default')
})

test('a text of more than 1 MB opens beside its graph, and at the line of a node', async ({ app, page }) => {
  const nodes = Array.from({ length: 9000 }, (_, i) => {
    const input = i === 0 ? '%x' : `%relu_${i - 1}`
    return `    %relu_${i} : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (${input},), kwargs = {})`
  })
  const text = [
    'graph():',
    '    %x : [num_users=1] = placeholder[target=x]',
    ...nodes,
    '    return (relu_8999,)',
    '',
  ].join('\n')
  expect(text.length).toBeGreaterThan(1_000_000)
  await app.open()
  await app.dropGraph('long.txt', text)
  await expect(page.getByRole('tab', { name: /long\.txt/, selected: true })).toBeVisible()
  const line = (node: string) => page.locator('.view-line', { hasText: `%${node} :` })
  await expect(line('relu_0')).toBeVisible()
  await expect(app.status).toContainText('9,002 nodes')
  await page.getByRole('tab', { name: /activation_quant_fusion/ }).click()
  await expect(line('relu_0')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.locator('[data-canvas]').focus()
  await page.keyboard.press('/')
  await page.keyboard.type('relu_7000')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  const menu = page.getByRole('menu', { name: 'Node relu_7000' })
  await expect(async () => {
    await page.keyboard.press('Shift+F10')
    await expect(menu).toBeVisible({ timeout: 1000 })
  }).toPass()
  await menu.getByRole('menuitem', { name: 'Go to its line of the text' }).click()
  await expect(line('relu_7000')).toBeVisible()
})
