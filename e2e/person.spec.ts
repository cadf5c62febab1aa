/** The main scenario, from the first screen to the link that a colleague opens (issue 2). */
import { expect, onePage, SMALL, test } from './fixtures'

/** The page's globals that these specs use. */
interface Pages {
  __fusescope: { getState(): { workspace: { workspace: object } } }
  fusescope: { open(workspace: object): Promise<unknown> }
}

test.describe('the flagship example', () => {
  // In a new page, because its editor has no earlier position.
  test('is readable at once: its matches, its loop in the editor, the tree of its variants', async ({ app, page }) => {
    await app.open()
    await expect(app.status).toContainText('32 matches')
    await expect(page.getByTestId('canvas-before')).toBeVisible()
    await expect(app.editorText()).resolves.toContain('kFp8Dynamic128Sym')
    // It opens at the loop, not at the top of the file.
    await expect(page.getByTestId('editor').getByText('for quant_key in', { exact: false }).first()).toBeInViewport()
    await app.panel('patterns')
    const leaves = page.getByTestId('tree-leaf')
    await expect(leaves.filter({ hasText: '32' })).toHaveCount(1)
    await expect(page.getByTestId('tree')).toContainText('16')
  })

  onePage(
    'stops matching without the 128 key in the loop, explains it once for all variants, and matches again after undo',
    async ({ app, page }) => {
      await app.open()
      await app.pythonReady()
      await app.openFile(/activation_quant_fusion/)
      await app.replaceInEditor('kFp8Dynamic128Sym, kFp8Dynamic64Sym]', 'kFp8Dynamic64Sym]')
      await expect(page.getByTestId('verdict')).toHaveAttribute('data-state', 'misses')
      await expect(app.status).toContainText('0 matches')
      await page.getByTestId('verdict').getByRole('button', { name: 'Why' }).click()
      const rows = page.getByTestId('near-miss')
      await expect(rows.first()).toContainText('32 near misses, same cause')
      await expect(rows.first()).toContainText('stage two')
      await expect(rows.first()).toContainText(/group_size of \w+ is 128 in the graph, 64 in the pattern/)
      await expect(rows.first()).toContainText('8 patterns have this cause')
      const texts = await rows.evaluateAll((all) => all.map((e) => e.getAttribute('aria-label') ?? ''))
      expect(new Set(texts).size).toBe(texts.length)
      await app.undo()
      await expect(app.status).toContainText('32 matches')
    },
  )

  onePage('shows before, after and both', async ({ app, page }) => {
    await app.open()
    await app.selectMatch(3)
    await page.getByTestId('mode-after').click()
    await expect(page.getByTestId('canvas-after')).toBeVisible()
    await page.getByTestId('mode-split').click()
    await expect(page.getByTestId('canvas-before')).toBeVisible()
    await expect(page.getByTestId('canvas-after')).toBeVisible()
    // The whole match is in view on both sides.
    for (const [side, name] of [
      ['before', 'getitem_289 [2]'],
      ['after', 'getitem_327 [2]'],
    ] as const)
      await expect(page.getByTestId(`canvas-${side}`).getByText(name)).toBeInViewport({ ratio: 0.99 })
  })

  onePage('is the same screen for a colleague who opens the link in a fresh profile', async ({ app, browser }) => {
    await app.open()
    await app.pythonReady()
    await app.selectMatch(4)
    const link = await app.share()
    expect(link).toMatch(/#v2\./)
    const context = await browser.newContext()
    const colleague = await context.newPage()
    await colleague.goto(link)
    await expect(colleague.getByTestId('status')).toContainText('32 matches')
    await expect(colleague.getByTestId('canvas-before')).toBeVisible()
    // An example's link is short and shows the stored report: its code is the site's own, so nothing asks for consent.
    expect(new URL(link).hash.length).toBeLessThan(240)
    await expect(colleague.getByTestId('match-item').nth(4)).toBeVisible()
    await expect(colleague.getByTestId('consent-button')).toHaveCount(0)
    await context.close()
  })
})

test.describe('errors', () => {
  onePage('a syntax error keeps the last good report and marks the line', async ({ app, page }) => {
    await app.open()
    await app.pythonReady()
    await app.openFile(/activation_quant_fusion/)
    await app.replaceInEditor('class ActivationQuantFusionPass:', 'class ActivationQuantFusionPass')
    await expect(page.getByTestId('verdict')).toContainText('SyntaxError')
    await expect(page.getByTestId('verdict')).toHaveAttribute('data-state', 'error')
    await expect(app.status).toContainText('before it 32 matches')
    await expect(page.getByTestId('match-list')).toContainText('× 32')
    await app.undo()
    await expect(page.getByTestId('verdict')).toHaveAttribute('data-state', 'matches')
  })

  test('an endless loop is stopped and the page stays usable', async ({ app, page }) => {
    await app.open(SMALL)
    await app.pythonReady()
    // The time limit must not end the run before the button does.
    await page.evaluate(async () => {
      const { __fusescope, fusescope } = window as unknown as Pages
      const { workspace } = __fusescope.getState().workspace
      await fusescope.open({ ...workspace, options: { timeLimitS: 600 } })
    })
    await app.openFile(/fusion\.py/)
    await app.typeAtEnd('\nwhile True:\n    pass\n')
    await page.getByTestId('stop-button').click()
    await expect(page.getByTestId('verdict')).toContainText('Stopped')
    // The editor has the focus again.
    await expect(page.getByTestId('editor').locator(':focus')).toHaveCount(1)
    await app.undo()
    // Python restarts.
    await expect(page.getByTestId('verdict')).toHaveAttribute('data-state', 'matches', { timeout: 120_000 })
  })

  test('a graph that is dropped while the example loads stays', async ({ app, page }) => {
    let release = (): void => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/examples/*/workspace.json', async (route) => {
      await held
      await route.continue()
    })
    await page.goto('./')
    await expect(page.getByTestId('editor')).toBeVisible()
    await app.drop('mine.txt', 'graph():\n    %x : [num_users=1] = placeholder[target=x]\n    return (x,)\n')
    await expect(app.status).toContainText('2 nodes')
    release()
    await app.pythonReady()
    await expect(app.status).toContainText('2 nodes')
  })

  onePage('a dropped graph replaces the graph; a dropped binary file gives an error', async ({ app, page }) => {
    await app.open()
    await app.dropGraph(
      'mine.txt',
      'graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})\n    return (relu,)\n',
    )
    await expect(app.status).toContainText('3 nodes')
    await app.drop('junk.bin', '\u0000\u0001\u0002PNG\u0000')
    await expect(page.getByRole('status').filter({ hasText: 'junk.bin' })).toBeVisible()
  })
})
