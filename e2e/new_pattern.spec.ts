/** From an empty workspace to a firing pattern without writing Python: paste, click, shift-click, Q, Add. */
import type { Page } from '@playwright/test'
import { expect, onePage as test, SMALL } from './fixtures'

const layer = (i: number, eps: string, x: string): string => `
        pow_${i}: "f32[8, 16][16, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(${x}, 2)
        mean_${i}: "f32[8, 1][1, 1]cpu" = torch.ops.aten.mean.dim(pow_${i}, [-1], True)
        add_${i}: "f32[8, 1][1, 1]cpu" = torch.ops.aten.add.Tensor(mean_${i}, ${eps})
        rsqrt_${i}: "f32[8, 1][1, 1]cpu" = torch.ops.aten.rsqrt.default(add_${i})
        mul_${i}: "f32[8, 16][16, 1]cpu" = torch.ops.aten.mul.Tensor(${x}, rsqrt_${i})`
const GRAPH = `class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[8, 16][16, 1]cpu"):${layer(1, '1e-06', 'x')}${layer(2, '1e-06', 'mul_1')}${layer(3, '1e-05', 'mul_2')}
        return (mul_3,)
`

const node = (page: Page, name: string) => page.locator(`[data-node=${name}]`)

test('picked nodes become a pattern that fires', async ({ app, page }) => {
  await app.open(SMALL)
  await app.pythonReady()
  await page.getByTestId('new-button').click()
  await page.getByTestId('templates').getByText('Empty').click()
  await page.getByTestId('canvas-before').getByText('No graph yet.').waitFor()
  // 1: paste. 2: select. 3: pick another node. 4: make a pattern. 5: the nodes between. 6: a parameter. 7: add.
  await app.paste(GRAPH)
  await node(page, 'pow_1').click()
  await node(page, 'mul_1').click({ modifiers: ['Shift'] })
  await page.keyboard.press('q')
  await expect(page.getByText('would be its own input')).toBeVisible()
  await page.getByRole('button', { name: 'Add the 3 nodes between them' }).click()
  await expect(page.getByTestId('pattern-status')).toHaveText('Matches the selection and 1 equal place.')
  await page.getByRole('radio', { name: 'Any eps · 3 places' }).click()
  await expect(page.getByTestId('pattern-status')).toHaveText('Matches the selection and 2 equal places.')
  await page.getByTestId('pattern-add').click()
  await expect(app.status).toContainText('3 matches')
  await expect(node(page, 'rsqrt_2')).toHaveAttribute('data-lit', 'match')
  await expect(page.getByRole('tab', { name: /fused_pow.*\.py/ })).toBeVisible()
})
