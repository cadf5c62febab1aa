/** The fifteen tasks of docs/design.md with a finger at 390 pixels, in one visit. */
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { graphWith, Tasks } from './tasks'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>

class Finger extends Tasks {
  async tap(target: Locator): Promise<void> {
    this.actions++
    await target.scrollIntoViewIfNeeded()
    await target.tap()
  }

  async choose(select: Locator, label: string): Promise<void> {
    this.actions++
    await select.selectOption({ label })
  }

  /** Types, and chooses the first result. */
  async type(page: Page, text: string): Promise<void> {
    this.actions++
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
  }

  /** Draws a rectangle over nodes of the graph once the camera rests, because it finds nodes by position. */
  async drawOver(page: Page, names: readonly string[]): Promise<void> {
    this.actions++
    const places = (): Promise<(Box | null)[]> =>
      Promise.all(names.map((name) => page.locator(`[data-node="${name}"]`).first().boundingBox()))
    let before: (Box | null)[] = []
    await expect
      .poll(async () => JSON.stringify(before) === JSON.stringify((before = await places())) && !before.includes(null))
      .toBe(true)
    const boxes = before as Box[]
    // Through the middles, so that no neighbor is touched.
    const middles = boxes.map(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }))
    const [from, to] = [Math.min, Math.max].map((end) => ({
      x: end(...middles.map((m) => m.x)),
      y: end(...middles.map((m) => m.y)),
    }))
    const touch = await page.context().newCDPSession(page)
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints })
    await send('touchStart', { x: from!.x - 4, y: from!.y })
    await send('touchMove', to!)
    // The finger rests before it lifts: after a flick, the browser takes the next tap for the end of it.
    await page.waitForTimeout(200)
    await send('touchMove', to!)
    await send('touchEnd')
  }
}

test('fifteen tasks need a finger', async ({ app, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await app.open()
  await app.pythonReady()
  const finger = new Finger('finger, 390')
  const verdict = page.getByTestId('verdict')
  const dialog = page.getByRole('dialog')
  const button = (name: string | RegExp): Locator => page.getByRole('button', { name })
  const close = async (): Promise<void> => {
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  }
  await finger.do('What is fused, and how often?', () => expect(verdict).toContainText('32 matches'))
  await finger.do('Does it change numbers?', async () => {
    await finger.tap(button('Compare the numbers'))
    await expect(page.getByRole('list', { name: 'Numbers of the matches' })).toBeVisible()
  })
  await finger.do('Which patterns never fired?', async () => {
    await finger.tap(page.getByTestId('panel-tab-patterns'))
    await expect(page.getByRole('tree').or(page.getByRole('treegrid')).first()).toContainText('0 of')
  })
  await finger.do('Try it as on Ascend', async () => {
    await finger.tap(button(/^Environment: /))
    await finger.choose(page.getByLabel('Platform'), 'Ascend 910B')
    await expect(page.getByTestId('environment-change')).toBeVisible()
  })
  await finger.do('Undo what I did', async () => {
    await finger.tap(button(/^Undo the last/))
    await expect(button(/^Environment: /)).toContainText('CUDA')
  })
  await finger.do('Which pass ran before this one?', async () => {
    await finger.tap(page.getByTestId('panel-tab-pipeline'))
    await expect(page.getByTestId('place-graph')).toContainText('Original graph')
    await expect(page.getByTestId('place-graph')).toContainText('remove_noop_ops')
  })
  await finger.tap(page.getByTestId('panel-tab-pipeline'))
  await finger.do('Where is mm_3?', async () => {
    await finger.tap(button(/^Find nodes/))
    await finger.type(page, 'mm_3')
    await expect(page.locator('[data-node="mm_3"]').first()).toBeInViewport()
  })
  await finger.do('Make a pattern of these three nodes', async () => {
    await finger.tap(button('Pick'))
    await finger.drawOver(page, ['mm_3', 'mul_5', 'split_with_sizes_1'])
    await finger.tap(button(/3 nodes: make a pattern/))
    await expect(dialog).toContainText('Pattern from 3 nodes')
  })
  await close()
  await finger.do('Send it to a colleague', async () => {
    await finger.tap(page.getByTestId('share-button'))
    await expect(dialog).toContainText('Copied')
  })
  await close()
  await finger.do('What else could be fused here?', async () => {
    await finger.tap(button(/^All commands/))
    await finger.type(page, 'what can be fused')
    await expect(page.getByRole('dialog', { name: 'What can be fused here' })).toBeVisible()
  })
  await close()

  await page.getByRole('radio', { name: 'Code' }).tap()
  await app.replaceInEditor('eps=1e-10', 'eps=1e-5')
  await expect(app.status).toContainText('0 matches')
  await finger.do('Why does the pattern miss in layer 17?', async () => {
    await finger.tap(verdict.getByRole('button', { name: 'Why' }))
    await finger.tap(button(/^\d+ more$/).first())
    const place = page.getByTestId('near-miss').first().locator('span', { hasText: '(layer 17)' }).last()
    await finger.tap(place.getByRole('button'))
    await expect(button('All facts')).toBeVisible()
  })
  await finger.do('Which line of my code decides?', async () => {
    await finger.tap(button(/^Open .*\.py, line/).first())
    await expect(page.getByTestId('editor')).toBeInViewport()
  })
  await finger.do('Teach a class', async () => {
    await finger.tap(page.getByTestId('lessons-button'))
    await finger.tap(dialog.getByRole('button', { name: 'Class page' }))
    await finger.tap(page.getByTestId('class-copy'))
    await expect(page.getByText('The link of the class page is copied.')).toBeVisible()
  })
  await close()
  await finger.do('Open the dump that I copied', async () => {
    await page.evaluate((text) => navigator.clipboard.writeText(text), graphWith('relu'))
    await finger.tap(page.getByTestId('paste-button'))
    await finger.tap(dialog.getByRole('button', { name: 'New workspace' }))
    await expect(verdict).toContainText('5 nodes')
  })
  await finger.do('Compare it with yesterday’s graph', async () => {
    await page.evaluate((text) => navigator.clipboard.writeText(text), graphWith('sigmoid'))
    await finger.tap(page.getByTestId('paste-button'))
    await finger.tap(dialog.getByRole('button', { name: 'Compare' }))
    await expect(page.getByTestId('compare-view')).toContainText('1 change')
  })
})
