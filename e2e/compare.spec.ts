/** Two graphs of a workspace, compared: lost and won matches with the change that decides. */
import { expect, test } from './fixtures'

test('a lost match names the change that decides, and lights its nodes in both graphs', async ({ app, page }) => {
  await app.open()
  await page.getByTestId('example-picker').selectOption('vllm-block-quant-variants')
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
  await expect(view.getByTestId('compare-stale')).toBeVisible()
  await app.undo()
  await expect(view.getByTestId('compare-stale')).toBeHidden()
  await expect(lost).toContainText('undone in the new graph, the match is back')
  await view.getByRole('button', { name: 'Close the comparison' }).click()
  await expect(page.getByTestId('canvas-before')).toBeVisible()
})
