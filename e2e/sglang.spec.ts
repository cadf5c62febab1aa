/** SGLang's nine fusions, each on its recorded graph, with unit tests and statistics of a pass (issue 6). */
import { expect, onePage as test, SMALL } from './fixtures'

/** Example → its replacements, and the causes of the near misses. */
const FUSIONS: [id: string, matches: number, why: RegExp | null][] = [
  ['sglang-fused-swiglu', 12, null],
  ['sglang-silu-and-mul', 7, /abs_1 .*outside it uses it too/],
  ['sglang-silu-mul-quant-fp8', 7, /is_static .* is False in the graph, True in the pattern/],
  ['sglang-up-proj-quant-fp8', 6, /torch\.bfloat16 in the graph, torch\.float16 in the pattern/],
  ['sglang-fused-moe', 4, null],
  ['sglang-attention-quant-fp8', 7, /the graph’s output outside it uses it too/],
  ['sglang-rms-norm-quant-fp8', 12, /is 0\.001 in the graph/],
  ['sglang-all-reduce-rms-norm', 4, /the extra_check of AllReduceRMSNormPass/],
  ['sglang-all-reduce-rms-norm-quant', 6, null],
]

test('each of the nine replaces the same matches as PyTorch, and explains its near misses', async ({ app, page }) => {
  await app.open(SMALL)
  for (const [id, matches, why] of FUSIONS) {
    await page.getByTestId('example-picker').selectOption(id)
    await expect(app.status, id).toContainText(`${matches} matches`)
    if (!why) continue
    await app.panel('whynot')
    await expect(page.getByRole('complementary', { name: 'Panels' }), id).toContainText(why)
  }
})

test('unit tests run with their pass in the form that the environment selects; a failing one is marked', async ({
  app,
  page,
}) => {
  await app.open('./?example=sglang-fused-swiglu')
  await app.pythonReady()
  await expect(app.status).toContainText('12 matches')
  await app.panel('patterns')
  const environment = page.getByTestId('environment')
  await environment.locator('summary').first().click()
  await environment.getByLabel('Functionalization').selectOption('v1')
  await expect(app.status).toContainText('0 matches')
  await page.getByTestId('graph-picker').selectOption('fx_graph_v1_readable.py')
  await expect(app.status).toContainText('12 matches')

  await app.panel('console')
  const console = page.getByTestId('console')
  await expect(console).toContainText('5 tests passed')
  await expect(console).toContainText("replaced {'fused_swiglu': 12}")

  await app.replaceInEditor('torch.ops.sglang.fused_swiglu.default(x, w)', 'torch.mm(x, w)[:, ::2]')
  const tests = page.getByTestId('tests')
  await expect(tests).toContainText('3 tests passed, 2 failed')
  await expect(tests).toContainText(/mm.*== \[.*fused_swiglu.*is false/)
  await tests
    .getByRole('button', { name: /Open test_fusions\.py/ })
    .first()
    .click()
  await expect(page.getByTestId('editor').locator('.squiggly-error').first()).toBeVisible()
})
