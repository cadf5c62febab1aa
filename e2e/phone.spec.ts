/** The fifteen tasks of docs/design.md with a finger at 390 pixels, in one visit. */
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

const GRAPH = (op: string): string => `class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f32[8, 16]", arg1_1: "f32[8, 16]"):
        mul: "f32[8, 16]" = torch.ops.aten.mul.Tensor(arg0_1, arg1_1);  arg0_1 = arg1_1 = None
        ${op}: "f32[8, 16]" = torch.ops.aten.${op}.default(mul);  mul = None
        return (${op},)
`

/** A task is at most three actions: taps and choices; scrolling is free. Naming three nodes takes one each. */
const MOST = 3

class Finger {
  actions = 0

  async tap(target: Locator): Promise<void> {
    this.actions++
    await target.scrollIntoViewIfNeeded()
    await target.tap()
  }

  async choose(select: Locator, label: string): Promise<void> {
    this.actions++
    await select.selectOption({ label })
  }

  /** Types, and takes the first that is found. */
  async type(page: Page, text: string): Promise<void> {
    this.actions++
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
  }

  /** Taps a node of the graph, once the camera stands: what it hits is found by the place. */
  async node(page: Page, name: string): Promise<void> {
    this.actions++
    const place = (): Promise<string> =>
      page
        .locator(`[data-node="${name}"]`)
        .first()
        .boundingBox()
        .then((box) => JSON.stringify(box))
    let before = ''
    await expect.poll(async () => before === (before = await place())).toBe(true)
    const { x, y, width } = JSON.parse(before) as { x: number; y: number; width: number }
    await page.touchscreen.tap(x + width - 12, y + 8)
  }
}

test('fifteen tasks need a finger', async ({ app, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await app.open()
  await app.pythonReady()
  const finger = new Finger()
  const verdict = page.getByTestId('verdict')
  const dialog = page.getByRole('dialog')
  const button = (name: string | RegExp): Locator => page.getByRole('button', { name })
  const close = async (): Promise<void> => {
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  }
  /** Does a task, and notes its actions and seconds. */
  const task = (what: string, work: () => Promise<void>, most = MOST): Promise<void> =>
    test.step(what, async () => {
      finger.actions = 0
      const began = Date.now()
      await work()
      const seconds = ((Date.now() - began) / 1000).toFixed(1)
      test.info().annotations.push({ type: 'task', description: `${what}: ${finger.actions}, ${seconds} s` })
      if (process.env.FUSESCOPE_TASKS) console.log(`${what}: ${finger.actions}, ${seconds} s`)
      expect(finger.actions, what).toBeLessThanOrEqual(most)
    })

  await task('what is fused, and how often?', () => expect(verdict).toContainText('32 matches'))
  await task('does it change numbers?', async () => {
    await finger.tap(button('Compare the numbers of each match'))
    await expect(page.getByRole('list', { name: 'Numbers of the matches' })).toBeVisible()
  })
  await task('which patterns never fired?', async () => {
    await finger.tap(page.getByTestId('panel-tab-patterns'))
    await expect(page.getByRole('tree').or(page.getByRole('treegrid')).first()).toContainText('0 of')
  })
  await task('try it as on Ascend', async () => {
    await finger.tap(button(/^Environment: /))
    await finger.choose(page.getByLabel('Platform'), 'Ascend 910B')
    await expect(page.getByTestId('environment-change')).toBeVisible()
  })
  await task('undo what I did', async () => {
    await finger.tap(button(/^Undo the last/))
    await expect(button(/^Environment: /)).toContainText('CUDA')
  })
  await task('which pass ran before this one?', async () => {
    await finger.tap(page.getByTestId('panel-tab-pipeline'))
    await expect(page.getByTestId('place-graph')).toContainText('Original graph')
    await expect(page.getByTestId('place-graph')).toContainText('remove_noop_ops')
  })
  await finger.tap(page.getByTestId('panel-tab-pipeline'))
  await task('where is mm_3?', async () => {
    await finger.tap(button(/^Find nodes/))
    await finger.type(page, 'mm_3')
    await expect(page.locator('[data-node="mm_3"]').first()).toBeInViewport()
  })
  await task(
    'make a pattern of these three nodes',
    async () => {
      await finger.tap(button('Pick for a pattern'))
      await finger.node(page, 'mul_5')
      await finger.node(page, 'split_with_sizes_1')
      await finger.tap(button(/3 nodes: make a pattern/))
      await expect(dialog).toContainText('Pattern from 3 nodes')
    },
    MOST + 1,
  )
  await close()
  await task('send it to a colleague', async () => {
    await finger.tap(page.getByTestId('share-button'))
    await expect(dialog).toContainText('Copied')
  })
  await close()
  await task('what else could be fused in this graph?', async () => {
    await finger.tap(button(/^All commands/))
    await finger.type(page, 'what can be fused')
    await expect(page.getByRole('dialog', { name: 'What can be fused here' })).toBeVisible()
  })
  await close()

  await page.getByRole('radio', { name: 'Code' }).tap()
  await app.replaceInEditor('eps=1e-10', 'eps=1e-5')
  await expect(app.status).toContainText('0 matches')
  await task('why does the pattern miss in layer 17?', async () => {
    await finger.tap(verdict.getByRole('button', { name: 'Why' }))
    await finger.tap(button(/^\d+ more$/).first())
    const place = page.getByTestId('near-miss').first().locator('span', { hasText: '(layer 17)' }).last()
    await finger.tap(place.getByRole('button'))
    await expect(button('All facts')).toBeVisible()
  })
  await task('which line of my code decides?', async () => {
    await finger.tap(button(/^Open .*\.py, line/).first())
    await expect(page.getByTestId('editor')).toBeInViewport()
  })
  await task('teach a class', async () => {
    await finger.tap(page.getByTestId('lessons-button'))
    await finger.tap(dialog.getByRole('button', { name: 'Class page' }))
    await finger.tap(page.getByTestId('class-copy'))
    await expect(page.getByText('The link of the class page is copied.')).toBeVisible()
  })
  await close()
  await task('open the dump that I copied from an issue', async () => {
    await page.evaluate((text) => navigator.clipboard.writeText(text), GRAPH('relu'))
    await finger.tap(page.getByTestId('paste-button'))
    await finger.tap(dialog.getByRole('button', { name: 'New workspace' }))
    await expect(verdict).toContainText('5 nodes')
  })
  await task('compare it with yesterday’s graph', async () => {
    await page.evaluate((text) => navigator.clipboard.writeText(text), GRAPH('sigmoid'))
    await finger.tap(page.getByTestId('paste-button'))
    await finger.tap(dialog.getByRole('button', { name: 'Compare' }))
    await expect(page.getByTestId('compare-view')).toContainText('1 change')
  })
})
