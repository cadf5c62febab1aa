/** Inductor: its examples, and the invariants of a rewrite (issue 6). */
import { type App, expect, onePage as test } from './fixtures'

async function openExample(app: App, id: string): Promise<void> {
  await app.open(`./?example=${id}`)
  await app.pythonReady()
}

test('a replacement with another dtype is marked on the node, with both dtypes', async ({ app, page }) => {
  await openExample(app, 'rms-norm-int8')
  await expect(app.status).toContainText('1 match')

  await app.replaceInEditor('return fused[1], fused[2]', 'return fused[1].to(torch.float16), fused[2]')
  const violations = page.getByRole('region', { name: 'Violations of patterns' })
  await expect(violations).toContainText('1 violation')
  await expect(violations).toContainText(
    /getitem_3 was i8\[5, 4\], and convert_element_type_\w+, which replaced it, is f16\[5, 4\]/,
  )

  await violations.getByRole('button', { name: 'getitem_3' }).first().click()
  await expect(page.locator('[data-node="getitem_3"][data-mark="violation"]').first()).toBeVisible()
  await app.panel('inspector')
  await expect(page.getByRole('region', { name: 'Violations here' })).toContainText('is f16[5, 4]')

  await app.undo()
  await app.panel('matches')
  await expect(violations).toHaveCount(0)
})

test('a handler without its extra_check changes a shape, and the violation is reported', async ({ app, page }) => {
  await openExample(app, 'inductor-graph-patterns')
  await expect(app.status).toContainText('4 matches')
  await app.replaceInEditor('return [inner[i] for i in outer] == list(range(len(inner)))', 'return True')
  await expect(page.getByRole('region', { name: 'Violations of edits' })).toContainText(
    'permute_3 was f32[4, 4, 8], and view, which replaced it, is f32[8, 4, 4]',
  )
})

test('attention patterns as functions and as serialized text, on the graph where they differ', async ({
  app,
  page,
}) => {
  await openExample(app, 'inductor-attention')
  await expect(app.status).toContainText('1 match')
  await page.getByTestId('graph-picker').selectOption('graphs/wrong-axis.py')
  await expect(app.status).toContainText('0 matches')
  await app.panel('pipeline')
  await page.getByTestId('stage-serialized').getByRole('switch').click()
  await expect(page.getByTestId('stage-serialized')).toContainText('1 match')
  await expect(page.getByTestId('stage-functions')).toContainText('0 matches')
})
