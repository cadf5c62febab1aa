/** A graph without shapes: print(graph) is pasted, a pattern is written, and two shapes make it fire. */
import type { Page } from '@playwright/test'
import { expect, onePage as test, SMALL } from './fixtures'

const GRAPH = `graph():
    %arg0_1 : [num_users=1] = placeholder[target=arg0_1]
    %arg1_1 : [num_users=1] = placeholder[target=arg1_1]
    %arg2_1 : [num_users=1] = placeholder[target=arg2_1]
    %mm : [num_users=1] = call_function[target=torch.ops.aten.mm.default](args = (%arg0_1, %arg1_1), kwargs = {})
    %add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%mm, %arg2_1), kwargs = {})
    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%add,), kwargs = {})
    return (relu,)
`

/** Without indentation, which the editor would add to. */
const PATTERN = `import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

patterns = PatternMatcherPass()
search = lambda x, w, b: torch.relu(torch.mm(x, w) + b)
replace = lambda x, w, b: torch.relu(torch.addmm(b, x, w))
register_replacement(search, replace, [torch.empty(4, 8), torch.empty(8, 6), torch.empty(4, 6)], fwd_only, patterns)
`

async function emptyWorkspace(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('New empty workspace')
  await page.keyboard.press('Enter')
}

async function paste(page: Page, text: string): Promise<void> {
  await page.getByTestId('canvas-before').getByText('No graph yet.').waitFor()
  await page.evaluate((t) => {
    const data = new DataTransfer()
    data.setData('text/plain', t)
    const at = document.querySelector('[data-testid=canvas-before] [tabindex="0"]')!
    at.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }))
  }, text)
}

test('a pasted print(graph) matches after two shapes', async ({ app, page }) => {
  await app.open(SMALL)
  await app.pythonReady()
  await emptyWorkspace(page)
  await paste(page, GRAPH)
  await app.openFile(/patterns\.py/)
  await app.typeAtEnd(PATTERN)
  await expect(app.status).toContainText('0 matches, 1 if the shapes allow')

  const notice = page.getByTestId('shapes-notice')
  await expect(notice).toContainText('3 of 3 inputs have no shape')
  await app.panel('whynot')
  const miss = page.getByTestId('near-miss').first()
  await expect(miss).toContainText('it matches if the shapes allow')
  await expect(page.locator('[data-node=mm]')).toHaveAttribute('data-lit', 'unshaped')

  await miss.getByRole('button', { name: 'Give shapes' }).click()
  const x = page.getByLabel('Shape of arg0_1')
  await expect(x).toBeFocused()
  await page.keyboard.type('48, 256')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Shape of arg1_1')).toBeFocused()
  await page.keyboard.type('256, 64')
  await expect(app.status).toContainText('1 match')
  await expect(notice).toContainText('1 shape is assumed')
  const bias = page.getByTestId('shape-row').filter({ hasText: 'arg2_1' })
  await expect(bias).toContainText('assumed')
  await expect(bias).toContainText('f32[48, 64]')
  await expect(page.locator('[data-node=mm]')).toHaveAttribute('data-lit', 'match')

  // The shapes travel with a link, and each edit can be taken back.
  const link = await app.share()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Undo the last shape' }).click()
  for (let i = 0; i < 20 && (await page.getByLabel('Shape of arg1_1').inputValue()) !== ''; i++)
    await page.getByRole('button', { name: 'Undo the last shape' }).click()
  await expect(app.status).toContainText('0 matches, 1 if the shapes allow')
  await page.goto(link)
  await page.reload()
  await page.getByTestId('consent-button').click()
  await expect(app.status).toContainText('1 match')
})

test('guesses are marked, and accepted together', async ({ app, page }) => {
  await app.open(SMALL)
  await app.pythonReady()
  await emptyWorkspace(page)
  await paste(page, GRAPH)
  await app.openFile(/patterns\.py/)
  await app.typeAtEnd(PATTERN)
  await expect(app.status).toContainText('if the shapes allow')
  await page.getByTestId('shapes-notice').click()
  await expect(page.getByTestId('shape-row').first()).toContainText('example input x of ')
  await page.getByTestId('accept-guesses').click()
  await expect(app.status).toContainText('1 match')
  await page.getByLabel('Shape of arg0_1').fill('4, what?')
  await expect(page.getByTestId('shape-row').first()).toContainText('which is no size')
})
