/** Sizes of the window, and the accessibility of each panel in both themes. */
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, onePage as test } from './fixtures'

const PANELS = [
  'matches',
  'whynot',
  'patterns',
  'run',
  'pipeline',
  'outline',
  'problems',
  'console',
  'steps',
  'inspector',
]
const OVERLAYS = [
  'palette',
  'find-files',
  'help',
  'share',
  'new',
  'versions',
  'fusions',
  'gallery',
  'workspaces',
  'my-patterns',
  'lessons',
  'glossary',
  'class',
]
/** Pages of their own, without Python. */
const PAGES = ['docs.html#learn', 'embed.html?lesson=by-hand&step=3']

const THEMES = ['light', 'dark'] as const

/**
 * The rules of axe that a part of the page breaks in either theme; of the dark one only those of colors, because nothing else
 * differs. Monaco's markup is its own, and a separator stands between two landmarks.
 */
async function violations(page: Page, part?: string): Promise<string[]> {
  const all: string[] = []
  for (const theme of THEMES) {
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: theme })
    const axe = new AxeBuilder({ page }).setLegacyMode().exclude('.monaco-editor').exclude('[data-separator]')
    // Nothing reads what passes, and to name each passing element takes most of the time.
    axe.options({
      resultTypes: ['violations'],
      ...(theme === 'dark' && { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }),
    })
    if (part) axe.include(part)
    const { violations: found } = await axe.analyze()
    all.push(...found.map((v) => `${theme}: ${v.id}: ${v.nodes.map((n) => n.target.join(' ')).join('; ')}`))
  }
  return all
}

/** Opens a panel or an overlay, as a command does. */
const show = (page: Page, what: 'setOverlay' | 'setPanel', id: string | null): Promise<void> =>
  page.evaluate(
    ([call, of]) => {
      type State = { view: Record<'setOverlay' | 'setPanel', (id: string | null) => void> }
      ;(window as unknown as { __fusescope: { getState(): State } }).__fusescope.getState().view[call](of)
    },
    [what, id] as const,
  )

/** Parts that are cut off or smaller than a reader needs. @param inside only the controls of this part */
const tooSmall = (page: Page, inside: string | null = null): Promise<string[]> =>
  page.evaluate((within) => {
    const found: string[] = []
    if (document.documentElement.scrollWidth > innerWidth) found.push('the page scrolls sideways')
    const check = (what: string, element: Element | null, width: number, height: number): void => {
      const box = element?.getBoundingClientRect()
      if (!box || box.width < width || box.height < height || box.right > innerWidth + 1)
        found.push(`${what}: ${box ? `${Math.round(box.width)} × ${Math.round(box.height)}` : 'absent'}`)
    }
    const code = document.querySelector('.monaco-editor')
    if (within) check(within, document.querySelector(within), 240, 32)
    else if (code?.checkVisibility()) check('code', code, 200, 120)
    else check('graph', document.querySelector('[data-canvas]'), 240, 150)
    if (!within) check('panels', document.querySelector('[data-region="panels"]'), 240, 150)
    // The middle of a control is its own: nothing covers it, and no edge cuts it off.
    const scrolledAway = (e: Element, x: number, y: number): boolean => {
      const outer = e.parentElement
      if (!outer) return false
      const { overflowX, overflowY } = getComputedStyle(outer)
      const { left, right, top, bottom } = outer.getBoundingClientRect()
      const outside = x < left || x > right || y < top || y > bottom
      return (/auto|scroll/.test(overflowX + overflowY) && outside) || scrolledAway(outer, x, y)
    }
    const controls = 'button, select, summary, input, [role="tab"], [role="radio"]'
    for (const control of (within ? document.querySelector(within) : document)?.querySelectorAll(controls) ?? []) {
      const { left, top, width, height } = control.getBoundingClientRect()
      const [x, y] = [left + width / 2, top + height / 2]
      const hidden = !control.checkVisibility() || width < 2 || control.closest('.monaco-editor, .react-flow__node')
      if (hidden || scrolledAway(control, x, y)) continue
      if (!control.contains(document.elementFromPoint(x, y))) found.push(`${control.textContent} is covered`)
      check(control.textContent || control.getAttribute('aria-label')!, control, 12, 12)
    }
    return found
  }, inside)

test('no part is cut off from 390 to 2560 pixels', async ({ app, page }) => {
  await app.open()
  await app.pythonReady()
  for (const width of [2560, 1920, 1680, 1536, 1440, 1280, 1024, 768, 390]) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
    await expect.poll(() => tooSmall(page), `${width} pixels`).toEqual([])
  }

  // A small screen shows the graph or the code; a link of a panel brings the one that it is about.
  const panes = page.getByRole('radiogroup', { name: 'Show' })
  await expect(panes.getByRole('radio', { name: 'Graph' })).toBeChecked()
  await app.panel('whynot')
  await page
    .getByRole('button', { name: /^Open .*\.py, line/ })
    .first()
    .click()
  await expect(panes.getByRole('radio', { name: 'Code' })).toBeChecked()
  await expect.poll(() => tooSmall(page)).toEqual([])
  await app.panel('matches')
  await app.selectMatch()
  await expect(panes.getByRole('radio', { name: 'Graph' })).toBeChecked()
})

// In a lesson with a match and a near miss, because axe reads the whole of a part; the page has started already.
test('no panel, dialog or other page breaks a rule of axe, or has a control that is cut off', async ({ app, page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  if (page.url() === 'about:blank') await app.open()
  await app.pythonReady()
  await show(page, 'setOverlay', 'lessons')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Matching by hand/ })
    .click()
  await expect(page.getByTestId('lesson')).toBeVisible()
  await app.panel('matches')
  await app.selectMatch()
  await page.getByTestId('step-through').first().click()
  await expect(page.getByTestId('steps-list')).toBeVisible()
  expect(await violations(page), 'page').toEqual([])
  for (const panel of PANELS) {
    await show(page, 'setPanel', panel)
    expect(await violations(page, '[data-region="panels"], [data-testid="place-graph"]'), panel).toEqual([])
  }
  const dialog = page.getByRole('dialog')
  const within = async (what: string, check: () => Promise<void>): Promise<void> => {
    // Another dialog may be on its way out.
    await expect(dialog, what).toHaveCount(0)
    if (what === 'pattern') await page.locator('[data-canvas]').first().press('q')
    else await show(page, 'setOverlay', what)
    await expect(dialog, what).toHaveCount(1)
    await check()
    await page.keyboard.press('Escape')
  }
  const dialogs = [...OVERLAYS, 'pattern']
  for (const what of dialogs)
    await within(what, async () => expect(await violations(page, '[role="dialog"]'), what).toEqual([]))
  for (const width of [1024, 390]) {
    await page.setViewportSize({ width, height: 844 })
    for (const panel of PANELS) {
      await show(page, 'setPanel', panel)
      await expect.poll(() => tooSmall(page, '[data-region="panels"]'), `${panel}, ${width} pixels`).toEqual([])
    }
    for (const what of dialogs)
      await within(what, () =>
        expect.poll(() => tooSmall(page, '[role="dialog"]'), `${what}, ${width} pixels`).toEqual([]),
      )
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  for (const address of PAGES) {
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await violations(page), address).toEqual([])
  }
})
