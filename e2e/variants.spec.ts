/** vLLM's 16 block-quant variants, each on its own graph (issue 6). */
import type { Page } from '@playwright/test'
import { expect, onePage as test, type App } from './fixtures'

const CELL = '[data-testid=matrix] [data-fired]'

async function openVariants(app: App, page: Page): Promise<void> {
  await app.open('./?example=vllm-block-quant-variants')
  await expect(page.getByTestId('graph-picker')).toHaveValue('graphs/128_e8m0.txt')
  await app.pythonReady()
  await app.panel('patterns')
}

test('each variant fires on its own graph and on no other; a cell opens its graph with its pattern', async ({
  app,
  page,
}) => {
  await openVariants(app, page)
  await page.getByTestId('patterns-graphs').click()
  await expect(page.getByTestId('matrix-sentence')).toContainText(
    'each graph fires exactly one pattern, each a different one',
  )
  await expect(page.locator(CELL)).toHaveCount(18 * 16)
  const fired = await page
    .locator(`${CELL}:not([data-fired="0"])`)
    .evaluateAll((cells) => cells.map((c) => `${c.getAttribute('data-cell')} ${c.getAttribute('data-fired')}`))
  // The first two rows are the static FP8 and the NVFP4 pattern.
  expect(fired).toEqual(Array.from({ length: 16 }, (_, i) => `${i + 2},${i} 1`))

  await page.locator('[data-cell="8,6"]').click()
  await expect(page.getByTestId('graph-picker')).toHaveValue('graphs/128_transposed_f32.txt')
  const leaf = page.getByRole('region', { name: 'Pattern SiluMulBlockQuantPattern' })
  await expect(leaf).toContainText('fired 1 time', { timeout: 60_000 })
  await expect(leaf.getByTestId('leaf-siblings')).toContainText('dummy_is_tma_aligned = False ↔ True')
})

test('the tree follows the loops, names the axis of each branch and marks axes that the replacement lacks', async ({
  app,
  page,
}) => {
  await openVariants(app, page)
  await expect(page.getByTestId('class-summary')).toContainText('8 initial patterns')
  await expect(page.getByTestId('axis-tag')).toHaveText([
    /^not in the replacement: is_e8m0 /,
    /^not in the replacement: is_tma_aligned /,
  ])
  const tree = page.getByTestId('tree')
  await expect(tree.getByRole('treeitem', { name: /quant_key = kFp8Dynamic64Sym/ })).toContainText('group_size=64')
  await page.getByTestId('tree-filter').fill('64 is_e8m0 = True')
  await expect(page.getByTestId('tree-leaf')).toHaveCount(4)
})

test('graphs dropped together appear side by side, and can be removed', async ({ app, page }) => {
  await app.open()
  const graph = (op: string): string => `graph():\n    %x : [num_users=1] = placeholder[target=x]
    %y : [num_users=1] = call_function[target=torch.ops.aten.${op}.default](args = (%x,), kwargs = {})\n    return y\n`
  const data = await page.evaluateHandle(
    (files) => {
      const transfer = new DataTransfer()
      for (const [name, text] of files) transfer.items.add(new File([text!], name!))
      return transfer
    },
    [
      ['relu.txt', graph('relu')],
      ['neg.txt', graph('neg')],
    ],
  )
  for (const type of ['dragenter', 'dragover', 'drop']) await page.dispatchEvent('body', type, { dataTransfer: data })
  const picker = page.getByTestId('graph-picker')
  await expect(picker).toHaveValue('relu.txt')
  await picker.selectOption('neg.txt')
  await expect(page.getByRole('tab', { name: 'neg.txt' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(picker).toHaveCount(0)
})
