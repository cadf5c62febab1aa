/** Passes in execution order, and the graphs between them (issue 6). */
import { expect, onePage as test, SMALL } from './fixtures'

const GRAPH = `class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "f32[8, 4]", arg1_1: "f32[8, 4]"):
        add: "f32[8, 4]" = torch.ops.aten.add.Tensor(arg0_1, arg1_1);  arg0_1 = arg1_1 = None
        relu: "f32[8, 4]" = torch.ops.aten.relu.default(add);  add = None
        neg: "f32[8, 4]" = torch.ops.aten.neg.default(relu);  relu = None
        return (neg,)
`

/** Three passes that compete for the same nodes, and one with patterns on another platform only. */
const PASSES = `import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
from vllm.platforms import current_platform

aten = torch.ops.aten
first = PatternMatcherPass()
second = PatternMatcherPass()
third = PatternMatcherPass()
only_cpu = PatternMatcherPass()

def register(into, search, replace, n):
    register_replacement(search, replace, [torch.empty(8, 4) for _ in range(n)], fwd_only, into)

register(first, lambda a, b: aten.relu(aten.add(a, b)), lambda a, b: aten.sigmoid(aten.add(a, b)), 2)
register(second, lambda a: aten.neg(aten.relu(a)), lambda a: aten.tanh(a), 1)
register(third, lambda a: aten.neg(aten.sigmoid(a)), lambda a: aten.exp(a), 1)
if current_platform.is_cpu():
    register(only_cpu, lambda a: aten.exp(a), lambda a: aten.tanh(a), 1)
`

const WORKSPACE = {
  name: 'three passes',
  graph: { name: 'graph.txt', text: GRAPH },
  files: [{ name: 'passes.py', text: PASSES }],
  options: { timeLimitS: 60 },
}

test.beforeEach(async ({ app }) => {
  await app.open(SMALL)
  await app.pythonReady()
  await app.openWorkspace(WORKSPACE)
  await app.panel('pipeline')
})

test('passes are switched and moved, also by undo, and changes of the compile-cache key are named', async ({
  app,
  page,
}) => {
  const stage = (name: string) => page.getByTestId(`stage-${name}`)
  const names = () =>
    page
      .locator('li[data-pass]:not([data-pass^="inductor:"])')
      .evaluateAll((all) => all.map((e) => e.getAttribute('data-pass')))
  await expect(stage('first')).toContainText('1 match')
  await expect(stage('second')).toContainText('0 matches')
  await expect(stage('third')).toContainText('1 match')
  await expect(stage('only_cpu')).toContainText('it has no registered patterns')
  await expect(stage('only_cpu')).toContainText('current_platform.is_cpu() is False')
  const cache = page.getByTestId('compile-cache')
  await expect(cache).toContainText('None of its parts changed')

  await stage('first').getByRole('switch').click()
  await expect(stage('first')).toContainText('Off: not in the workspace’s list')
  await expect(stage('second')).toContainText('1 match')
  await expect(stage('third')).toContainText('0 matches')
  await expect(cache).toContainText('a pass that is no longer applied first')
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(stage('first')).toContainText('1 match')
  await expect(cache).toContainText('None of its parts changed')

  await stage('second').locator('[data-stage-main]').focus()
  await page.keyboard.press('Shift+ArrowUp')
  await expect.poll(names).toEqual(['second', 'first', 'third', 'only_cpu', 'eliminate_dead_code'])
  await expect(stage('second')).toContainText('1 match')
  await expect(stage('first')).toContainText('0 matches')
  await expect(cache).toContainText('the order of the passes')
  await expect(stage('second').locator('[data-stage-main]')).toBeFocused()
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(names).toEqual(['first', 'second', 'third', 'only_cpu', 'eliminate_dead_code'])

  // A report that arrives during the drag would render the list again.
  await expect(stage('first')).toContainText('1 match')
  await expect(stage('second')).toContainText('0 matches')
  await stage('third').dragTo(stage('first'))
  await expect.poll(names).toEqual(['third', 'first', 'second', 'only_cpu', 'eliminate_dead_code'])
  await expect(app.status).toContainText('1 match')
})

test('the scrubber shows the graph after each pass, a link carries it, and the fate of a node', async ({
  app,
  page,
  browser,
}) => {
  const title = page.getByTestId('stage-title')
  await page.getByTestId('stage-first').locator('[data-stage-main]').click()
  await expect(title).toHaveText('After first')
  const canvas = page.getByTestId('stage-canvas-after')
  await expect(canvas).toContainText('sigmoid')
  await expect(canvas.getByTestId('stage-change')).toHaveText('+2 −2')

  const context = await browser.newContext()
  const reader = await context.newPage()
  await reader.goto(await app.share())
  await page.keyboard.press('Escape')
  const sent = reader.getByTestId('stage-canvas-after')
  await expect(sent).toContainText('sigmoid')
  await expect(sent).toContainText('After first')
  await expect(sent.getByTestId('stage-change')).toHaveText('+2 −2')
  await expect(sent).toContainText('the sender’s')
  await reader.getByTestId('consent-button').click()
  await expect(sent).not.toContainText('the sender’s')
  await expect(sent).toContainText('sigmoid')
  await context.close()

  // The canvas background receives the pointer events for its nodes.
  await canvas.getByText('sigmoid_default').first().click({ force: true })
  await expect(page.getByTestId('stage-node')).toContainText('was added by first; third removes it.')

  await page.getByLabel('Compare with the previous stage').check()
  await expect(page.getByTestId('stage-canvas-before')).toContainText('relu')
  await expect(page.getByTestId('stage-canvas-before').getByTestId('stage-change')).toHaveText('−2')

  // The other canvas follows, and Find searches both graphs.
  const zoom = page.getByTestId('stage-canvas-before').locator('output')
  const before = await zoom.textContent()
  await canvas.getByRole('button', { name: 'Zoom in' }).click()
  await expect(zoom).not.toHaveText(before!)
  await page.getByRole('button', { name: /^Find nodes/ }).click()
  await page.getByTestId('search-input').fill('op:aten.relu')
  await expect(page.getByRole('search')).toContainText('After 0')
  await page.getByTestId('search-input').press('Enter')
  await expect(page.getByTestId('stage-canvas-before').locator('[data-selected]').first()).toContainText('relu')
  await page.getByRole('button', { name: 'Close the search' }).click()

  await page.getByTestId('stage-scrubber').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(title).toHaveText('After third')
  await expect(canvas).toContainText('exp')
  await page.keyboard.press('Home')
  await expect(title).toHaveText('Original graph')

  await page.getByTestId('mode-after').click()
  await expect(page.getByTestId('stage-canvases')).toHaveCount(0)
  await expect(page.getByTestId('canvas-after')).toContainText('exp')
})

test('a pass rejects the compile range, and Inductor’s built-in passes run where they are switched on', async ({
  app,
  page,
}) => {
  const text = `from vllm.compilation.passes.vllm_inductor_pass import VllmInductorPass
from vllm.config import VllmConfig
import torch
aten = torch.ops.aten

class Renames(VllmInductorPass):
    def __call__(self, graph):
        for node in graph.find_nodes(op="call_function", target=aten.neg.default):
            node.target = aten.abs.default

    def is_applicable_for_range(self, compile_range):
        return compile_range.end <= 64

torch.library.Library("mine", "FRAGMENT").define("act(Tensor! result, Tensor input) -> ()")
`
  const graph = `class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 4]"):
        empty: "f32[8, 4]" = torch.ops.aten.empty.memory_format([8, 4], dtype = torch.float32)
        auto_functionalized = torch.ops.higher_order.auto_functionalized(torch.ops.mine.act.default, result = empty, input = x);  empty = x = None
        getitem_1: "f32[8, 4]" = auto_functionalized[1];  auto_functionalized = None
        neg: "f32[8, 4]" = torch.ops.aten.neg.default(getitem_1);  getitem_1 = None
        return (neg,)
`
  await app.openWorkspace({
    ...WORKSPACE,
    graph: { name: 'graph.py', text: graph },
    files: [{ name: 'passes.py', text }],
  })
  await app.panel('pipeline')
  const stage = (name: string) => page.getByTestId(`stage-${name}`)
  await expect(stage('Renames')).toContainText('Inactive: it rejects the compile range')
  await expect(stage('Renames')).toContainText('is_applicable_for_range((1, +inf)) is False')

  await stage('inductor:reinplace_inplaceable_ops').getByRole('switch').click()
  await expect(stage('inductor:reinplace_inplaceable_ops')).toContainText('1 decision')
  await stage('inductor:decompose_auto_functionalized').getByRole('switch').click()
  await expect(stage('inductor:decompose_auto_functionalized')).toContainText('nothing is cloned')
  await stage('inductor:decompose_auto_functionalized').locator('[data-stage-main]').click()
  await expect(page.getByTestId('stage-canvas-after')).toContainText('act_default')
})
