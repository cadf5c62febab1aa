/** Sizes of the window, and the accessibility of each panel in both themes. */
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'
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

const PANEL = '[data-region="panels"]'
const THEMES = ['light', 'dark'] as const

const require = createRequire(import.meta.url)
const AXE = (createRequire(require.resolve('@axe-core/playwright'))('axe-core') as typeof axe).source

/**
 * The rules of axe that a part of the page breaks in either theme; of the dark theme only those of colors, because nothing else
 * differs. Monaco's markup is its own, and a separator stands between two landmarks. A page loads axe once: AxeBuilder, which loads
 * it into each frame for each of 58 calls, takes twice the time.
 */
async function violations(page: Page, part?: string): Promise<string[]> {
  const found: string[] = []
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  for (const theme of THEMES) {
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: theme })
    const broken = await page.evaluate(
      async ([of, colors]) => {
        const context = { ...(of && { include: [[of]] }), exclude: [['.monaco-editor'], ['[data-separator]']] }
        const rules = { runOnly: { type: 'rule' as const, values: ['color-contrast', 'link-in-text-block'] } }
        // Nobody reads the rules that pass.
        const options = { resultTypes: ['violations' as const], ...(colors && rules) }
        const result = await (window as unknown as { axe: typeof axe }).axe.run(context, options)
        return result.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(' ')).join('; ')}`)
      },
      [part ?? null, theme === 'dark'] as const,
    )
    found.push(...broken.map((text) => `${theme}: ${text}`))
  }
  return found
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

/** Parts that are cut off or smaller than a reader needs. */
const tooSmall = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    if (document.documentElement.scrollWidth > innerWidth) found.push('the page scrolls sideways')
    const check = (what: string, element: Element | null, width: number, height: number): void => {
      const box = element?.getBoundingClientRect()
      if (!box || box.width < width || box.height < height || box.right > innerWidth + 1)
        found.push(`${what}: ${box ? `${Math.round(box.width)} × ${Math.round(box.height)}` : 'absent'}`)
    }
    const code = document.querySelector('.monaco-editor')
    if (code?.checkVisibility()) check('code', code, 200, 120)
    else check('graph', document.querySelector('[data-canvas]'), 240, 150)
    check('panels', document.querySelector('[data-region="panels"]'), 240, 150)
    // Nothing covers the middle of a control, and no edge cuts it off.
    const scrolledAway = (e: Element, x: number, y: number): boolean => {
      const outer = e.parentElement
      if (!outer) return false
      const { overflowX, overflowY } = getComputedStyle(outer)
      const { left, right, top, bottom } = outer.getBoundingClientRect()
      const outside = x < left || x > right || y < top || y > bottom
      return (/auto|scroll/.test(overflowX + overflowY) && outside) || scrolledAway(outer, x, y)
    }
    const controls = 'button, select, summary, input, [role="tab"], [role="radio"]'
    for (const control of document.querySelectorAll(controls)) {
      const { left, top, width, height } = control.getBoundingClientRect()
      const [x, y] = [left + width / 2, top + height / 2]
      const hidden = !control.checkVisibility() || width < 2 || control.closest('.monaco-editor, .react-flow__node')
      if (hidden || scrolledAway(control, x, y)) continue
      if (!control.contains(document.elementFromPoint(x, y))) found.push(`${control.textContent} is covered`)
      check(control.textContent || control.getAttribute('aria-label')!, control, 12, 12)
    }
    return found
  })

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

test('no panel breaks a rule of axe in either theme', async ({ app, page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await app.open()
  await app.pythonReady()
  await app.panel('matches')
  await app.selectMatch()
  await page.getByTestId('step-through').first().click()
  await expect(page.getByTestId('steps-list')).toBeFocused()
  expect(await violations(page), 'page').toEqual([])
  for (const panel of PANELS) {
    await show(page, 'setPanel', panel)
    const place = panel === 'pipeline' || panel === 'outline' ? '[data-testid="place-graph"]' : PANEL
    expect(await violations(page, place), panel).toEqual([])
  }
})

// On a small example, because axe reads the whole page for each dialog.
test('no dialog and no other page breaks a rule of axe in either theme', async ({ app, page }) => {
  await app.open('./?example=rms-norm-int8')
  await app.panel('matches')
  await page.getByTestId('match-item').first().click()
  const opens: [string, () => Promise<void>][] = [
    ...OVERLAYS.map((id): [string, () => Promise<void>] => [id, () => show(page, 'setOverlay', id)]),
    ['pattern from nodes', () => page.keyboard.press('q')],
  ]
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  for (const [what, open] of opens) {
    await open()
    await expect(page.getByRole('dialog'), what).toHaveCount(1)
    expect(await violations(page, '[role="dialog"]'), what).toEqual([])
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog'), what).toHaveCount(0)
  }
  for (const address of PAGES) {
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await violations(page), address).toEqual([])
  }
})
