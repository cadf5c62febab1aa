/** Stepping through a match by keyboard: the text, the canvas, the pattern and the editor follow (issue 4). */
import type { Page } from '@playwright/test'
import { expect, onePage as test, type App } from './fixtures'

const node = (page: Page, name: string) => page.getByTestId('canvas-before').locator(`[data-node="${name}"]`).first()

/** Number of the line that the editor highlights; null if none is in view. */
const linkedLine = (page: Page): Promise<number | null> =>
  page.getByTestId('editor').evaluate((editor) => {
    const edge = editor.querySelector('.fs-line-linked-edge')
    if (!edge) return null
    const top = edge.getBoundingClientRect().top
    const number = [...editor.querySelectorAll('.line-numbers')].find(
      (n) => Math.abs(n.getBoundingClientRect().top - top) < 3,
    )
    return number ? Number(number.textContent) : null
  })

/** The flagship example with one wrong constant, and the Steps panel open on the nearest miss. */
async function openBroken(app: App, page: Page): Promise<void> {
  await app.open()
  await app.pythonReady()
  await app.openFile(/activation_quant_fusion/)
  await app.replaceInEditor('eps=1e-10', 'eps=1e-5')
  await expect(app.status).toContainText('0 matches')
  await app.panel('whynot')
  await page.getByTestId('step-through').first().click()
  await expect(page.getByTestId('steps-list')).toBeFocused()
  // The level outlives a workspace.
  await page.getByRole('group', { name: 'Level' }).getByRole('button', { name: 'Coarse' }).click()
  await page.getByTestId('steps-list').focus()
}

test.describe('the Steps panel', () => {
  test('goes to the mismatch and back by keyboard; text, canvas, pattern and editor follow', async ({ app, page }) => {
    await openBroken(app, page)
    const text = page.getByTestId('step-text')
    const pattern = page.getByLabel('The pattern', { exact: true })
    await expect(text).toContainText('The pass reaches getitem_318')
    await page.keyboard.press('ArrowDown')
    await expect(text).toContainText('SiluMulBlockQuantPattern is tried here')

    // Coarse steps are sentences; stage two is the second act.
    await page.keyboard.press('n')
    await expect(text).toHaveText('eps is 1e-10 in the graph and 1e-05 in the pattern')
    await expect(page.getByTestId('step-act')).toHaveText(['Stage one: matches', /Stage two: fails at auto_/])
    await expect(page.getByLabel('The graph', { exact: true }).locator('[data-mark="bad"]')).toHaveCount(1)
    await page.keyboard.press('l')
    await expect(page.getByTestId('step-current')).toHaveAttribute('aria-selected', 'true')
    await expect(page.getByTestId('step-card').getByRole('cell', { name: '1e-10' })).toBeVisible()
    const culprit = node(page, 'auto_functionalized_95')
    await expect(culprit).toBeInViewport()
    await expect(culprit).toHaveAttribute('data-mark', 'culprit')
    await expect(node(page, 'getitem_316')).toHaveAttribute('data-mark', 'bound')
    await expect(pattern.locator('[data-mark="bad"]')).toHaveCount(1)
    const lines = (await app.editorText()).split('\n')
    const call = lines.findIndex((l) => l.includes('_, result, scale = auto_functionalized(')) + 1
    await expect.poll(() => linkedLine(page)).toBe(call)

    await page.keyboard.press('ArrowUp')
    await expect(text).toHaveText('group_size is 128 on both sides')
    await expect(culprit).not.toHaveAttribute('data-mark', 'culprit')
    await expect(pattern.locator('[data-mark="bad"]')).toHaveCount(0)
    await expect(pattern.locator('[data-mark="current"]')).toHaveCount(1)

    // Steps out of the comparison to the expression, where nothing below is bound yet.
    await page.keyboard.press('Shift+ArrowUp')
    await expect(text).toContainText(
      'must be auto_functionalized of _C.per_token_group_fp8_quant.default: auto_functionalized_95',
    )
    await expect(node(page, 'getitem_316')).not.toHaveAttribute('data-mark', 'bound')
    await page.keyboard.press('Home')
    await expect(text).toContainText('The pass reaches getitem_318')
    await expect(page.getByTestId('step-current')).toHaveAttribute('aria-posinset', '1')
    await page.keyboard.press('End')
    await expect(text).toHaveText('Done: the pattern does not fire at getitem_318')
    await page.keyboard.press('Shift+N')
    await expect(text).toHaveText('eps is 1e-10 in the graph and 1e-05 in the pattern')
  })

  test('runs to breakpoints on a node of the graph and of the pattern, also in a timeline of hundreds of steps', async ({
    app,
    page,
  }) => {
    await openBroken(app, page)
    const text = page.getByTestId('step-text')
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowUp')
    await expect(text).toHaveText('Stage two fails at auto_functionalized_95')
    await page.keyboard.press('l')

    await page
      .getByLabel('The pattern', { exact: true })
      .getByRole('button', { name: /^silu_and_mul, auto_functionalized/ })
      .click()
    await page.getByTestId('steps-list').focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('F8')
    await expect(text).toContainText('must be auto_functionalized of _C.silu_and_mul.default: auto_functionalized_94')
    await page.keyboard.press('Shift+B')
    await expect(page.getByLabel('Breakpoints').getByRole('button')).toHaveCount(2)
    await page.getByLabel('Breakpoints').getByRole('button').first().click()
    await expect(page.getByLabel('Breakpoints').getByRole('button')).toHaveCount(1)

    // Only the visible rows of a timeline of hundreds of steps are rendered.
    await page.getByLabel('Pattern to step through').selectOption('all')
    await page.getByTestId('steps-list').focus()
    const rows = page.getByTestId('steps-list').getByRole('option')
    const sizeNow = async (): Promise<number> => Number(await rows.first().getAttribute('aria-setsize'))
    await expect.poll(sizeNow).toBeGreaterThan(500)
    const size = await sizeNow()
    expect(await rows.count()).toBeLessThan(60)
    await page.keyboard.press('End')
    await expect(page.getByTestId('step-current')).toHaveAttribute('aria-posinset', String(size))
    await expect(page.getByTestId('step-current')).toBeInViewport()
  })

  test('keeps its position while the text is edited, and shows the match once it exists', async ({ app, page }) => {
    await openBroken(app, page)
    await page.keyboard.press('n')
    await expect(page.getByTestId('step-text')).toContainText('eps is 1e-10')
    await app.undo()
    await expect(app.status).toContainText('32 matches')
    // The steps of the new run are there: until then, End goes to the old end.
    await expect(page.getByTestId('step-text')).toHaveText('eps is 1e-10 on both sides')
    await page.getByTestId('steps-list').focus()
    await page.keyboard.press('End')
    await expect(page.getByTestId('step-text')).toHaveText('Done: SiluMulBlockQuantPattern fired at getitem_318')
  })
})
