/** The fifteen tasks of docs/design.md with the keyboard alone at three widths; the focus is seen, and Escape returns it. */
import type { Locator, Page } from '@playwright/test'
import { expect, onePage as test } from './fixtures'
import { graphWith, Tasks } from './tasks'

// All widths use one page.
test.describe.configure({ mode: 'default' })

/** The narrowest width runs weekly and for the table. */
const WIDTHS = process.env.ALL_CASES || process.env.FUSESCOPE_TASKS ? [1440, 1024, 390] : [1440, 1024]

/** True if the focused element, or one around it, shows the focus. */
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

class Keys extends Tasks {
  constructor(
    private readonly page: Page,
    width: number,
  ) {
    super(`keys, ${width}`)
  }

  async key(key: string): Promise<void> {
    this.actions++
    await this.page.keyboard.press(key)
  }

  /** Presses a control. @param key that focuses it */
  async press(target: Locator, key?: string): Promise<void> {
    await tabTo(this.page, target, key)
    await this.key('Enter')
  }

  async type(text: string, confirm = false): Promise<void> {
    this.actions++
    await this.page.keyboard.type(text)
    if (confirm) await this.page.keyboard.press('Enter')
  }

  /** Runs a command by the first letters of its title. */
  async command(text: string, title: RegExp): Promise<void> {
    await this.key('ControlOrMeta+k')
    const palette = this.page.getByRole('dialog', { name: 'All commands' })
    this.actions++
    await this.page.keyboard.type(text)
    await expect(palette.getByRole('option').first()).toContainText(title)
    await this.page.keyboard.press('Enter')
    await expect(palette).toHaveCount(0)
  }

  /** Presses a key between tasks. */
  async between(key: string): Promise<void> {
    await this.page.keyboard.press(key)
  }
}

for (const width of WIDTHS)
  test(`fifteen tasks need no mouse at ${width} pixels`, async ({ app, page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.setViewportSize({ width, height: 900 })
    await app.open()
    await app.pythonReady()
    const keys = new Keys(page, width)
    const verdict = page.getByTestId('verdict')
    const dialog = page.getByRole('dialog')
    const environment = page.getByRole('button', { name: /^Environment: / })
    const canvas = page.locator('[data-canvas]')

    await keys.do('What is fused, and how often?', async () => {
      await expect(verdict).toContainText('32 matches')
      await expect(verdict).toContainText('1 of 18 patterns fired 32 times')
    })
    await keys.do('Does it change numbers?', async () => {
      await keys.key('m')
      await keys.press(page.getByRole('button', { name: 'Compare the numbers' }))
      await expect(page.getByRole('list', { name: 'Numbers of the matches' })).toBeVisible()
    })
    await keys.do('Which patterns never fired?', async () => {
      await keys.key('p')
      await expect(page.getByRole('tree').or(page.getByRole('treegrid')).first()).toContainText('0 of')
    })
    await keys.do('Try it as on Ascend', async () => {
      await keys.press(environment)
      await tabTo(page, page.getByLabel('Platform'))
      await keys.type('Ascend')
      await expect(environment).toContainText('Ascend')
    })
    await keys.do('Undo what I did', async () => {
      await keys.command('undo the last change of the w', /Undo the last change of the workspace/)
      await expect(environment).toContainText('CUDA')
    })
    await keys.do('Which pass ran before this one?', async () => {
      await keys.command('pipeline: p', /^Pipeline/)
      await expect(page.getByTestId('place-graph')).toContainText('Original graph')
      await expect(page.getByTestId('place-graph')).toBeFocused()
    })
    await keys.between('g')
    await keys.do('Where is mm_3?', async () => {
      await keys.key('/')
      await keys.type('mm_3', true)
      await expect(page.getByText('mm_3', { exact: true }).last()).toBeVisible()
    })
    await keys.between('Escape')
    await expect(canvas).toBeFocused()
    await keys.do('Make a pattern of these three nodes', async () => {
      await keys.key('Shift+ArrowDown')
      await keys.key('Shift+ArrowDown')
      await expect(page.getByTestId('picked-bar')).toContainText('3 nodes: make a pattern')
      await keys.key('q')
      await expect(dialog).toContainText('Pattern from 3 nodes')
    })
    await keys.between('Escape')
    await expect(canvas).toBeFocused()
    await keys.between('Escape')
    await keys.do('Send it to a colleague', async () => {
      await keys.key('ControlOrMeta+Shift+s')
      await expect(page.getByTestId('share-link')).toBeFocused()
      await expect(dialog).toContainText('Copied')
    })
    await keys.between('Escape')
    await expect(canvas).toBeFocused()
    await keys.do('What else could be fused here?', async () => {
      await keys.command('what can be fused', /What can be fused here/)
      await expect(page.getByRole('dialog', { name: 'What can be fused here' })).toBeVisible()
    })
    await keys.between('Escape')
    await expect(canvas).toBeFocused()

    await keys.between('e')
    await app.replaceInEditor('eps=1e-10', 'eps=1e-5')
    await expect(app.status).toContainText('0 matches')
    await keys.between('F6')
    await keys.do('Why does the pattern miss in layer 17?', async () => {
      await keys.press(verdict.getByRole('button', { name: 'Why' }))
      await keys.press(page.getByRole('button', { name: /^\d+ more$/ }).first())
      const place = page.getByTestId('near-miss').first().locator('span', { hasText: '(layer 17)' }).last()
      await keys.press(place.getByRole('button'))
      await expect(page.getByRole('button', { name: 'All facts' })).toBeVisible()
    })
    await keys.do('Which line of my code decides?', async () => {
      await keys.press(page.getByRole('button', { name: /^Open .*\.py, line/ }).first(), 'Shift+Tab')
      await expect(page.getByText('activation_quant_fusion.py:141').last()).toBeVisible()
    })
    await keys.do('Teach a class', async () => {
      await keys.command('make a class', /Make a class page/)
      await keys.press(page.getByTestId('class-copy'))
      await expect(page.getByText('The link of the class page is copied.')).toBeVisible()
    })
    await keys.between('Escape')
    await expect(dialog).toHaveCount(0)
    await keys.do('Open the dump that I copied', async () => {
      await page.evaluate((text) => navigator.clipboard.writeText(text), graphWith('relu'))
      await keys.key('ControlOrMeta+v')
      await keys.press(dialog.getByRole('button', { name: 'New workspace' }))
      await expect(verdict).toContainText('5 nodes')
    })
    await keys.do('Compare it with yesterday’s graph', async () => {
      await page.evaluate((text) => navigator.clipboard.writeText(text), graphWith('sigmoid'))
      await keys.key('ControlOrMeta+v')
      await keys.press(dialog.getByRole('button', { name: 'Compare' }))
      await expect(page.getByTestId('compare-view')).toContainText('1 change')
    })
  })
