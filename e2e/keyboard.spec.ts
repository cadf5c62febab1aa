/** Keyboard focus follows the user, and the layout stays stable. */
import type { Page } from '@playwright/test'
import { expect, onePage as test } from './fixtures'

test('the main job needs no mouse: a near miss, its fix, the steps and a link; a dialog blocks shortcuts', async ({
  app,
  page,
}) => {
  await app.open()
  await app.pythonReady()
  const tab = (id: string) => page.getByTestId(`panel-tab-${id}`)
  await page.keyboard.press('ControlOrMeta+k')
  const palette = page.getByRole('dialog', { name: 'All commands' })
  await expect(palette.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('pipel')
  await expect(palette.getByRole('option').first()).toContainText('Pipeline: passes in order')
  await page.keyboard.press('Enter')
  await expect(palette).toHaveCount(0)
  await expect(tab('pipeline')).toHaveAttribute('aria-expanded', 'true')

  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Help' })
  await expect(help).toBeVisible()
  await page.keyboard.press('m')
  await page.keyboard.press('Escape')
  await expect(help).toHaveCount(0)
  await expect(tab('pipeline')).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('m')
  await expect(tab('matches')).toHaveAttribute('aria-selected', 'true')

  // Breaks the pattern in the editor.
  await page.keyboard.press('e')
  await expect(page.getByRole('textbox', { name: /^Code editor/ })).toBeFocused()
  await app.replaceInEditor('eps=1e-10', 'eps=1e-5')
  await expect(app.status).toContainText('0 matches')

  // Leaves the editor, goes to the near miss, and from the canvas by Tab to its fix.
  await page.keyboard.press('F6')
  await page.keyboard.press('w')
  await page.keyboard.press(']')
  const apply = page.getByTestId('apply-fix').first()
  await expect(apply).toBeVisible()
  for (let i = 0; i < 30 && !(await apply.evaluate((e) => e === document.activeElement)); i++)
    await page.keyboard.press('Tab')
  await expect(apply).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(app.status).toContainText('32 matches')

  // The changed line has the focus.
  await page.keyboard.press('F6')
  await page.keyboard.press('n')
  await page.keyboard.press('s')
  await expect(page.getByTestId('steps-list')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByTestId('step-text')).toContainText('is tried here')
  await page.keyboard.press('ControlOrMeta+Shift+s')
  await expect(page.getByTestId('share-link')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('steps-list')).toBeFocused()
})

/** Vertical offset of a line's number from its text, and the x of the text; null while the line is not drawn. */
const lineAt = (page: Page, number: number, text: string) =>
  page.evaluate(
    ([n, t]) => {
      const top = (selector: string, fits: (text: string) => boolean): number | undefined =>
        [...document.querySelectorAll(selector)]
          .find((e) => fits((e.textContent ?? '').replaceAll('\u00a0', ' ')))
          ?.getBoundingClientRect().top
      const line = top('.view-line', (s) => s.includes(t!))
      const gutter = top('.line-numbers', (s) => s.trim() === n)
      return line === undefined || gutter === undefined ? null : { line, apart: gutter - line }
    },
    [String(number), text] as const,
  )

test('line numbers align with their lines from the first frame, and an error moves none of them', async ({
  app,
  page,
}) => {
  await app.open()
  await app.pythonReady()
  const text = await app.editorText()
  const mark = '# Take a key out of this list'
  const number = text.slice(0, text.indexOf(mark)).split('\n').length
  await expect.poll(async () => (await lineAt(page, number, mark))?.apart).toBe(0)

  const before = await lineAt(page, number, mark)
  await app.replaceInEditor('class ActivationQuantFusionPass:', 'class ActivationQuantFusionPass')
  await expect(page.getByTestId('verdict')).toContainText('SyntaxError')
  await expect.poll(() => lineAt(page, number, mark)).toEqual(before)
})

test('a node is found, isolated, shown in the text and its menu closed without the mouse', async ({ app, page }) => {
  await app.open()
  await page.keyboard.press('/')
  await page.keyboard.type('mm_3')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  const canvas = page.locator('[data-canvas]')
  await expect(canvas).toBeFocused()
  const menu = page.getByRole('menu', { name: 'Node mm_3' })
  // Again until the camera has arrived at the node.
  const openMenu = (): Promise<void> =>
    expect(async () => {
      await page.keyboard.press('Shift+F10')
      await expect(menu).toBeVisible({ timeout: 1000 })
    }).toPass()
  await openMenu()
  await page.keyboard.press('Escape')
  await expect(menu).toHaveCount(0)
  await expect(canvas).toBeFocused()
  await page.keyboard.press('Shift+F')
  await expect(page.getByTestId('look-bar')).toContainText('4 of 1,552 nodes')
  await page.keyboard.press('Shift+I')
  await openMenu()
  await page.keyboard.type('go to')
  await expect(menu.getByRole('menuitem', { name: /^Go to/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('tab', { name: /fx_graph_readable/, selected: true })).toBeVisible()
})
