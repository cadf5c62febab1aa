/** The gallery: keyboard access, one card per example, and no loss of edits. */
import { readFileSync } from 'node:fs'
import { SYSTEMS, type ExampleInfo } from '../src/app/examples/catalog'
import { count } from '../src/base/english'
import { expect, onePage, withoutPython } from './fixtures'

const EXAMPLES = JSON.parse(
  readFileSync(new URL('../public/examples/index.json', import.meta.url), 'utf8'),
) as ExampleInfo[]

/** One of each system: the specs of the systems open the others, and scripts/examples.test.ts compares all stored results. */
const SOME = EXAMPLES.filter((e, i) => process.env.ALL_CASES || EXAMPLES.findIndex((o) => o.system === e.system) === i)

withoutPython(
  'an example opens from its card and shows its result before Python has started',
  async ({ page, app }) => {
    await app.open()
    for (const example of SOME) {
      await page.getByTestId('gallery-button').click()
      await page.getByTestId(`example-${example.id}`).locator('[data-card-open]').click()
      await expect(page.getByTestId('example-picker')).toHaveValue(example.id)
      await expect(app.status).toContainText(count(example.shows.matches, 'match', 'matches'))
      await expect(app.status).toContainText(count(example.shows.nodes, 'node'))
      await expect(page.getByTestId('canvas-before').locator('[data-canvas]')).toBeVisible()
    }
  },
)

withoutPython('works by keyboard alone: shortcut, search, arrows among the cards, guide', async ({ page, app }) => {
  await app.open('./#gallery')
  const gallery = page.getByRole('dialog', { name: 'Examples' })
  const search = gallery.getByRole('searchbox')
  await expect(search).toBeFocused()
  for (const system of SYSTEMS) {
    await search.fill(system)
    await expect(gallery.getByRole('heading', { name: system, exact: true })).toBeVisible()
  }
  const last = EXAMPLES.at(-1)!
  await search.fill(last.title)
  await search.press('Enter')
  await expect(page.getByTestId('example-picker')).toHaveValue(last.id)

  await page.keyboard.press('x')
  await expect(search).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(gallery.getByTestId(`example-${EXAMPLES[0]!.id}`).locator('[data-card-open]')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(gallery.locator('[data-card-open]').first()).not.toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(gallery.locator('[data-card-open]').first()).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const guide = page.getByTestId('guide')
  await expect(guide).toBeFocused()
  await expect(guide.getByRole('heading', { level: 2 })).toBeVisible()
  await page.keyboard.press('h')
  await expect(guide).toHaveCount(0)
})

onePage('edits of an example are restored when it is opened again', async ({ page, app }) => {
  const small = EXAMPLES.find((e) => e.id === 'rms-norm-int8')!
  const other = EXAMPLES.find((e) => e.id === 'sglang-fused-swiglu')!
  const openByCard = async ({ id }: ExampleInfo): Promise<void> => {
    await page.getByTestId('gallery-button').click()
    await page.getByTestId(`example-${id}`).locator('[data-card-open]').click()
    await expect(page.getByTestId('example-picker')).toHaveValue(id)
  }
  await app.open()
  await openByCard(small)
  await app.typeAtEnd('\n# a note of mine')
  await openByCard(other)
  await expect.poll(() => app.editorText()).not.toContain('a note of mine')
  await openByCard(small)
  await expect.poll(() => app.editorText()).toContain('a note of mine')
})
