/** Two graphs of a workspace or two captures, compared: lost and won matches with the change that decides. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, onePage as test, SMALL } from './fixtures'

const capture = (version: string): string =>
  gunzipSync(
    readFileSync(new URL(`../conformance/captures/versions-${version}.fusescope.gz`, import.meta.url)),
  ).toString()

test('a lost match names the change that decides, and lights its nodes in both graphs', async ({ app, page }) => {
  await app.open('./?example=vllm-block-quant-variants')
  await expect(app.status).toContainText('1 match')
  await app.pythonReady()
  await page.getByRole('button', { name: 'Compare with the next graph of the workspace' }).click()
  const view = page.getByTestId('compare-view')
  const lost = view.getByTestId('compare-lost')
  await expect(lost).toContainText('undone in the new graph, the match is back')
  await expect(lost).toHaveAttribute('data-selected', 'true')
  await expect(page.getByTestId('compare-canvas-before')).toBeVisible()
  await view.getByTestId('compare-changes').first().click()
  await expect(view.getByTestId('compare-changes').first()).toHaveAttribute('data-selected', 'true')

  // An edit makes it stale; the edit's report renews it.
  await app.openFile(/activation_quant_fusion/)
  await app.replaceInEditor('class ActivationQuantFusionPass:', 'class ActivationQuantFusionPass')
  await expect(view.getByTestId('older-text')).toBeVisible()
  await app.undo()
  await expect(view.getByTestId('older-text')).toBeHidden()
  await expect(lost).toContainText('undone in the new graph, the match is back')
  await view.getByRole('button', { name: 'Close the comparison' }).click()
  await expect(page.getByTestId('canvas-before')).toBeVisible()
})

test('a second capture asks: replace, add or compare, and the pattern that changed is named', async ({ app, page }) => {
  await app.open(SMALL)
  await app.drop('first.fusescope', capture('first'))
  await expect(page.getByTestId('capture-verdict')).toContainText('PyTorch 2.14.1 replaced 3 matches')
  await app.drop('second.fusescope', capture('pattern'))
  const dialog = page.getByRole('dialog', { name: 'A capture is open' })
  await dialog.getByRole('button', { name: 'Compare' }).click()
  const lost = page.getByTestId('compare-lost')
  await expect(lost).toContainText('The pattern changed: aten.relu.default (relu) became aten.clamp_min.default')
  await expect(lost).toHaveAttribute('data-selected', 'true')
  await expect(page.getByTestId('compare-patterns')).toContainText('relu_search changed')
  await expect(page.getByRole('region', { name: 'second.fusescope' })).toContainText('New: second.fusescope')
  await page.getByRole('button', { name: 'Close the comparison' }).click()
  // Each graph has its own recorded patterns.
  const verdict = page.getByTestId('capture-verdict')
  await expect(verdict).toContainText('PyTorch 2.14.1 replaced 1 match, Fusescope 1.')
  await page.getByTestId('graph-picker').selectOption('captured_graph.py.txt')
  await expect(verdict).toContainText('PyTorch 2.14.1 replaced 3 matches, Fusescope 3.')

  await app.drop('third.fusescope', capture('check'))
  await dialog.getByRole('button', { name: 'Replace' }).click()
  await expect(verdict).toContainText('replaced 2 matches, Fusescope 2.')
  await expect(page.getByTestId('graph-picker')).toHaveCount(0)
  await app.drop('fourth.fusescope', capture('first'))
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByTestId('graph-picker')).toHaveValue('fourth.py.txt')
  await expect(verdict).toContainText('replaced 3 matches, Fusescope 3.')
})
