/** The canvas: a click selects in all panels, and Find keeps its hits in sight. */
import { expect, onePage as test } from './fixtures'

test('a click selects a node, on a badge its match, on the background nothing; the same in the overview', async ({
  app,
  page,
}) => {
  await app.open()
  const canvas = page.getByTestId('canvas-before')
  const selection = () =>
    page.evaluate(
      () =>
        (window as unknown as { __fusescope: { getState(): { view: { selection: unknown } } } }).__fusescope.getState()
          .view.selection,
    )
  await app.selectMatch()
  const node = canvas.locator('[data-node="auto_functionalized_95"]')
  await expect(node).toBeInViewport()
  await node.click()
  await expect.poll(selection).toEqual({ kind: 'node', side: 'before', name: 'auto_functionalized_95' })
  await app.panel('inspector')
  await expect(page.getByRole('tabpanel').last()).toContainText('auto_functionalized_95')

  await node.locator('[data-pattern-group]').filter({ visible: true }).click()
  await expect.poll(selection).toEqual({ kind: 'match', pass: 'patterns', index: 0 })

  const box = (await canvas.boundingBox())!
  await page.mouse.click(box.x + 12, box.y + box.height / 2)
  await expect.poll(selection).toBeNull()

  // A large graph is folded: a click on a block opens a layer in place.
  await canvas.getByRole('button', { name: 'Fit' }).click()
  await expect(canvas.getByRole('button', { name: 'Open all' })).toBeVisible()
  await canvas.getByRole('button', { name: 'Open all' }).click()
  await expect(canvas.getByRole('button', { name: 'Fold' })).toBeVisible()

  // The overview is painted without DOM elements: hit testing uses the drawing.
  await canvas.getByRole('button', { name: 'Fit' }).click()
  await expect(canvas.locator('[data-node]')).toHaveCount(0)
  // Repeated until the camera has arrived.
  await expect(async () => {
    const kinds = new Set<string | undefined>()
    for (let y = 100; y < 300; y += 20) {
      await page.mouse.click(box.x + 33, box.y + y)
      kinds.add(((await selection()) as { kind: string } | null)?.kind)
    }
    expect(kinds).toContain('node')
  }).toPass()
})

test('Find counts in folded layers, shows the chosen result, and its part can be widened while it is open', async ({
  app,
  page,
}) => {
  await app.open()
  const canvas = page.getByTestId('canvas-before')
  await page.keyboard.press('Shift+Z')
  const block = canvas.locator('[data-block="Layer × 32"]')
  await expect(block).toContainText('32 matches')
  await page.keyboard.press('/')
  await page.getByTestId('search-input').fill('op:mm')
  const box = page.getByRole('search')
  await expect(box.getByRole('status')).toHaveText('65 found')
  await expect(block).toContainText('64 found')
  for (let i = 0; i < 3; i++) await page.keyboard.press('Enter')
  const chosen = canvas.locator('[data-node="mm_3"]')
  await expect(chosen).toBeInViewport({ ratio: 1 })
  // The point in its middle is its own: neither the list nor a bar covers it.
  await chosen.click()

  await box.getByRole('button', { name: 'Isolate' }).click()
  await canvas.getByRole('button', { name: 'Draw inputs one step further' }).click()
  await expect(page.getByTestId('look-bar')).toContainText('195 of 1,552 nodes')
})
