/** The fifteen tasks of docs/design.md, each with the keyboard alone, in one visit; the focus is seen, and Escape returns it. */
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures'

const GRAPH = (op: string): string => `class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f32[8, 16]", arg1_1: "f32[8, 16]"):
        mul: "f32[8, 16]" = torch.ops.aten.mul.Tensor(arg0_1, arg1_1);  arg0_1 = arg1_1 = None
        ${op}: "f32[8, 16]" = torch.ops.aten.${op}.default(mul);  mul = None
        return (${op},)
`

/** True if the focused element shows it, or a part around it does. */
const focusIsSeen = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    for (let e = document.activeElement; e && e !== document.body; e = e.parentElement) {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(e)
      if ((outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none') return true
    }
    return false
  })

/** Presses Tab until an element has the focus, which must be seen on the way. */
async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  await expect(target).toBeVisible()
  const reached = (): Promise<boolean> => target.evaluate((e) => e === document.activeElement)
  for (let i = 0; i < 60 && !(await reached()); i++) await page.keyboard.press(key)
  await expect(target).toBeFocused()
  expect(await focusIsSeen(page), 'the focus is seen').toBe(true)
}

async function press(page: Page, target: Locator, key?: string): Promise<void> {
  await tabTo(page, target, key)
  await page.keyboard.press('Enter')
}

/** Runs a command by the first letters of its title. */
async function command(page: Page, text: string, title: RegExp): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  const palette = page.getByRole('dialog', { name: 'All commands' })
  await page.keyboard.type(text)
  await expect(palette.getByRole('option').first()).toContainText(title)
  await page.keyboard.press('Enter')
  await expect(palette).toHaveCount(0)
}

test('fifteen tasks need no mouse', async ({ app, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await app.open()
  await app.pythonReady()
  const verdict = page.getByTestId('verdict')
  const dialog = page.getByRole('dialog')
  const environment = page.locator('summary', { hasText: 'Environment' })
  const canvas = page.locator('[data-canvas]')

  await test.step('what is fused, and how often?', async () => {
    await expect(verdict).toContainText('32 matches')
    await page.keyboard.press('m')
    await expect(page.getByTestId('match-list')).toContainText('× 32')
  })
  await test.step('does it change numbers?', async () => {
    await press(page, page.getByRole('button', { name: 'Compare the numbers of each match' }))
    await expect(page.getByRole('list', { name: 'Numbers of the matches' })).toBeVisible()
  })
  await test.step('which patterns never fired?', async () => {
    await page.keyboard.press('p')
    await expect(page.getByRole('tree').or(page.getByRole('treegrid')).first()).toContainText('0 of')
  })
  await test.step('try it as on Ascend', async () => {
    await press(page, environment)
    await tabTo(page, page.getByLabel('Platform'))
    await page.keyboard.type('Ascend')
    await expect(environment).toContainText('Ascend')
  })
  await test.step('undo what I did', async () => {
    await command(page, 'undo the last change of the w', /Undo the last change of the workspace/)
    await expect(environment).toContainText('CUDA')
  })
  await test.step('which pass ran before this one?', async () => {
    await command(page, 'pipeline: p', /^Pipeline/)
    await expect(page.getByTestId('place-graph')).toContainText('Original graph')
    await expect(page.getByTestId('place-graph')).toBeFocused()
    await page.keyboard.press('g')
  })
  await test.step('where is mm_3?', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type('mm_3')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await expect(canvas).toBeFocused()
    await expect(page.getByText('mm_3', { exact: true }).last()).toBeVisible()
  })
  await test.step('make a pattern of these three nodes', async () => {
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    await expect(page.getByTestId('picked-bar')).toContainText('3 nodes: make a pattern')
    await page.keyboard.press('q')
    await expect(dialog).toContainText('Pattern from 3 nodes')
    await page.keyboard.press('Escape')
    await expect(canvas).toBeFocused()
    await page.keyboard.press('Escape')
  })
  await test.step('send it to a colleague', async () => {
    await page.keyboard.press('ControlOrMeta+Shift+s')
    await expect(page.getByTestId('share-link')).toBeFocused()
    await expect(dialog).toContainText('Copied')
    await page.keyboard.press('Escape')
    await expect(canvas).toBeFocused()
  })
  await test.step('what else could be fused in this graph?', async () => {
    await command(page, 'what can be fused', /What can be fused here/)
    await expect(page.getByRole('dialog', { name: 'What can be fused here' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(canvas).toBeFocused()
  })

  await test.step('why does the pattern miss in layer 17?', async () => {
    await page.keyboard.press('e')
    await app.replaceInEditor('eps=1e-10', 'eps=1e-5')
    await expect(app.status).toContainText('0 matches')
    await page.keyboard.press('F6')
    await press(page, verdict.getByRole('button', { name: 'Why' }))
    await press(page, page.getByRole('button', { name: /^\d+ more$/ }).first())
    const place = page
      .getByTestId('near-miss')
      .first()
      .locator('span', { hasText: '(layer 17)' })
      .last()
      .getByRole('button')
    await press(page, place)
    await expect(page.getByRole('button', { name: 'All facts' })).toBeVisible()
  })
  await test.step('which line of my code decides?', async () => {
    await press(page, page.getByRole('button', { name: /^Open .*\.py, line/ }).first(), 'Shift+Tab')
    await expect(page.getByText('activation_quant_fusion.py:141').last()).toBeVisible()
  })
  await test.step('teach a class', async () => {
    await command(page, 'make a class', /Make a class page/)
    await press(page, page.getByTestId('class-add-lesson'))
    await press(page, page.getByTestId('class-copy'))
    await expect(page.getByText('The link of the class page is copied.')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  })
  await test.step('open the dump that I copied from an issue', async () => {
    await page.evaluate((text) => navigator.clipboard.writeText(text), GRAPH('relu'))
    await page.keyboard.press('ControlOrMeta+v')
    await press(page, dialog.getByRole('button', { name: 'New workspace' }))
    await expect(verdict).toContainText('5 nodes')
  })
  await test.step('compare it with yesterday’s graph', async () => {
    await page.evaluate((text) => navigator.clipboard.writeText(text), GRAPH('sigmoid'))
    await page.keyboard.press('ControlOrMeta+v')
    await press(page, dialog.getByRole('button', { name: 'Compare' }))
    await expect(page.getByTestId('compare-view')).toContainText('1 change')
  })
})
