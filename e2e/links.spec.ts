/** Links: the reader sees the sender's screen before any Python. */
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, onePage, test, withoutPython, type App } from './fixtures'

/** A reader of the present screen's link, in a fresh profile. */
interface Reader {
  page: Page
  /** Until this call no file of Python arrives, so the page shows everything without Python. */
  letPythonIn(): void
}

async function opened(app: App, page: Page): Promise<Reader> {
  const link = await app.share()
  const context = await page.context().browser()!.newContext()
  const reader = await context.newPage()
  let letPythonIn = (): void => {}
  const python = new Promise<void>((resolve) => (letPythonIn = resolve))
  await reader.route('**/pyodide/**', (route) => python.then(() => route.continue()))
  await reader.goto(link)
  return { page: reader, letPythonIn }
}

/** Milliseconds from the navigation until now, while Python is held back. */
async function report(what: string, reader: Page): Promise<void> {
  const ms = Math.round(await reader.evaluate(() => performance.now()))
  test.info().annotations.push({ type: what, description: `${ms} ms` })
  console.log(`${what}: ${ms} ms after the navigation, before any Python`)
}

/** A node's place on a canvas: the offset of its center from the canvas's center, in pixels. */
async function placeOf(page: Page, node: string, side: 'before' | 'after'): Promise<{ x: number; y: number }> {
  const region = page.getByTestId(`canvas-${side}`)
  const canvas = (await region.boundingBox())!
  const box = (await region.locator(`[data-node="${node}"]`).first().boundingBox())!
  const middle = (from: number, size: number, start: number, whole: number) => from + size / 2 - start - whole / 2
  return {
    x: middle(box.x, box.width, canvas.x, canvas.width),
    y: middle(box.y, box.height, canvas.y, canvas.height),
  }
}

/** The reader sees the sender's screen: the panel, the mode, the zoom, the selected node and its place. */
async function sameScreen(sender: Page, reader: Page, side: 'before' | 'after' = 'before'): Promise<void> {
  const onScreen = (page: Page) => ({
    panel: page.locator('[data-testid^="panel-tab-"][aria-selected="true"]'),
    mode: page.locator('[data-testid^="mode-"][aria-checked="true"]'),
    zoom: page.getByTestId(`canvas-${side}`).locator('output'),
    selected: page.getByTestId(`canvas-${side}`).locator('[data-node][data-selected]'),
  })
  const [sent, seen] = [onScreen(sender), onScreen(reader)]
  await expect(seen.panel).toHaveAttribute('data-testid', (await sent.panel.getAttribute('data-testid'))!)
  await expect(seen.mode).toHaveAttribute('data-testid', (await sent.mode.getAttribute('data-testid'))!)
  await expect(seen.zoom).toHaveText((await sent.zoom.textContent())!)
  const name = (await sent.selected.first().getAttribute('data-node'))!
  await expect(reader.getByTestId(`canvas-${side}`).locator(`[data-node="${name}"]`)).toHaveAttribute('data-selected')
  // The consent request above the workspace makes the canvas lower; the center stays.
  const [from, to] = [await placeOf(sender, name, side), await placeOf(reader, name, side)]
  expect(Math.hypot(from.x - to.x, from.y - to.y)).toBeLessThan(5)
}

/** Waits until the camera rests: two frames show the same place. */
async function atRest(page: Page): Promise<void> {
  const transform = () => page.locator('.react-flow__viewport').first().getAttribute('style')
  let last: string | null = null
  await expect
    .poll(async () => {
      const before = last
      last = await transform()
      return before === last
    })
    .toBe(true)
}

onePage(
  'a near miss arrives with its cause, its fix, its place and the camera, before any Python',
  async ({ app, page }) => {
    await app.open()
    await app.pythonReady()
    await app.openFile(/activation_quant_fusion/)
    await app.replaceInEditor('eps=1e-10', 'eps=1e-6')
    await expect(app.status).toContainText('0 matches')
    await app.panel('whynot')
    const miss = page.getByTestId('near-miss').first()
    await expect(miss.getByTestId('fix').first()).toBeVisible()
    await miss.getByRole('button', { expanded: true }).click()
    const culprit = page.locator('[data-mark="culprit"][data-selected]').first()
    await expect(culprit).toBeVisible()
    await page.getByRole('button', { name: 'Zoom out' }).click()
    await atRest(page)
    const name = (await culprit.getAttribute('data-node'))!
    const sentence = await miss.getAttribute('aria-label')
    const fix = await miss.getByTestId('fix').first().getAttribute('aria-label')

    const { page: reader, letPythonIn } = await opened(app, page)
    const shown = reader.getByTestId('near-miss').first()
    await expect(shown).toHaveAttribute('aria-label', sentence!)
    await expect(shown).toHaveAttribute('data-selected')
    await expect(shown.getByTestId('fix').first()).toHaveAttribute('aria-label', fix!)
    await report('cause and fix of a link', reader)
    await expect(reader.getByTestId('consent-button')).toBeVisible()
    await expect(reader.locator(`[data-node="${name}"]`)).toHaveAttribute('data-mark', 'culprit')
    await sameScreen(page, reader)

    letPythonIn()
    await reader.getByTestId('consent-button').click()
    await expect(reader.getByTestId('near-miss').first()).toHaveAttribute('data-selected')
    await expect(reader.getByTestId('status')).toContainText('0 matches')
    await reader.context().close()
    await page.keyboard.press('Escape')

    // A step of the match, before and after the code has run.
    await miss.getByTestId('step-through').first().click()
    await expect(page.getByTestId('steps-list')).toBeFocused()
    await page.keyboard.press('n')
    const said = 'eps is 1e-10 in the graph and 1e-06 in the pattern'
    await expect(page.getByTestId('step-text')).toHaveText(said)
    const number = await page.getByTestId('step-current').getAttribute('aria-posinset')
    const { page: stepper, letPythonIn: letIn } = await opened(app, page)
    await expect(stepper.getByTestId('step-text')).toHaveText(said)
    await expect(stepper.getByTestId('sender-steps')).toBeVisible()
    await expect(stepper.getByTestId('consent-button')).toBeVisible()
    await expect(stepper.getByLabel('The pattern', { exact: true }).locator('[data-mark="bad"]')).toHaveCount(1)
    await expect(stepper.locator(`[data-node="${name}"]`)).toHaveAttribute('data-mark', 'culprit')
    await sameScreen(page, stepper)
    letIn()
    await stepper.getByTestId('consent-button').click()
    await expect(stepper.getByTestId('sender-steps')).toBeHidden()
    await expect(stepper.getByTestId('step-text')).toHaveText(said)
    await expect(stepper.getByTestId('step-current')).toHaveAttribute('aria-posinset', number!)
    await stepper.context().close()
  },
)

onePage(
  'a match and a run result arrive with the graph after the passes, on the same screen',
  async ({ app, page }) => {
    await app.open()
    await app.pythonReady()
    await app.openFile(/activation_quant_fusion/)
    await app.typeAtEnd('\n# a line of mine\n')
    await app.panel('run')
    await page.getByTestId('run-button').click()
    await expect(page.getByTestId('run-verdict')).toBeVisible()
    const verdict = await page.getByTestId('run-verdict').textContent()
    // The graph after the passes is carried while it is on screen.
    await app.panel('matches')
    await app.selectMatch()
    await page.getByTestId('mode-split').click()
    const added = page.getByTestId('canvas-after').locator('[data-mark="added"]').first()
    await expect(added).toBeVisible()
    await atRest(page)
    const { page: matched } = await opened(app, page)
    await expect(matched.getByTestId('match-item').first()).toHaveAttribute('data-selected')
    await report('match of a link', matched)
    await sameScreen(page, matched)
    await sameScreen(page, matched, 'after')
    await matched.context().close()
    await page.keyboard.press('Escape')

    await app.panel('run')
    const { page: reader } = await opened(app, page)
    await expect(reader.getByTestId('sender-run')).toHaveText(verdict!)
    await expect(reader.getByTestId('canvas-after').locator('[data-mark="added"]').first()).toBeVisible()
    await expect(reader.getByTestId('consent-button')).toBeVisible()
    await report('run result of a link', reader)
    await sameScreen(page, reader)
    await reader.context().close()

    // Pictures of 1,552 nodes and of the match.
    await page.keyboard.press('Escape')
    await page.getByTestId('canvas-before').getByRole('button', { name: 'Open all' }).click()
    await expect(page.getByTestId('canvas-before').getByRole('button', { name: 'Fold' })).toBeVisible()
    await page.getByTestId('share-button').click()
    const saved = async (name: string): Promise<string> => {
      const group = page.getByRole('group', { name: 'Picture of the graph' })
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        group.getByRole('button', { name, exact: true }).click(),
      ])
      return readFileSync(await file.path(), 'latin1')
    }
    // A picture shows the drawn graph: the folded one until the layout of the whole graph has arrived.
    await expect.poll(async () => (await saved('SVG')).match(/<title>/g)!.length).toBeGreaterThan(1500)
    expect(await saved('Selection as SVG')).toContain('>silu_and_mul</text>')
    expect((await saved('PNG')).slice(1, 4)).toBe('PNG')
  },
)

withoutPython('an example has an address, and Back and Forward go between workspaces', async ({ app, page }) => {
  await page.goto('./?example=rms-norm-int8')
  await expect(app.status).toContainText('1 match')
  const picker = page.getByTestId('example-picker')
  const first = 'RMSNorm + int8 quantization – Fusescope'
  await expect(page).toHaveTitle(first)
  await picker.selectOption('vllm-rms-norm-quant')
  await expect(page).toHaveURL(/\?example=vllm-rms-norm-quant$/)
  const second = await page.title()
  await page.goBack()
  await expect(page).toHaveURL(/\?example=rms-norm-int8$/)
  await expect(page).toHaveTitle(first)
  await expect(page.getByTestId('canvas-before').locator('[data-node]').first()).toBeVisible()
  await page.goForward()
  await expect(page).toHaveTitle(second)
  // Forward comes while Back still loads.
  await page.evaluate(() => (history.back(), setTimeout(() => history.forward(), 10)))
  // Back's workspace would be on screen by then.
  await page.waitForTimeout(2000)
  await expect(page).toHaveURL(/\?example=vllm-rms-norm-quant$/)
  await expect(page).toHaveTitle(second)
  await page.goto('./?example=absent')
  await expect(page.getByText('There is no example “absent” here.')).toBeVisible()
})
