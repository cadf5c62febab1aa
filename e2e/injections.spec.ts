/** Text of strangers in every part of the page: shown as text, never read as HTML, a link or a script. */
import type { Page } from '@playwright/test'
import { PAGE_PLACES } from './injections/places'
import { expect, test, type App } from './fixtures'

const tag = (place: number): string => `<img src=x onerror=pwned(${place})>`

/** Marks the tags that texts, attributes and fields contain now. */
async function look(page: Page, seen: Set<number>): Promise<void> {
  const { found, elements } = await page.evaluate(() => {
    const texts = [document.title, document.body.textContent]
    for (const e of document.querySelectorAll('*')) {
      for (const a of e.attributes) texts.push(a.value)
      if (e instanceof HTMLInputElement || e instanceof HTMLTextAreaElement) texts.push(e.value)
    }
    const found = [
      ...texts
        .join('\n')
        .replaceAll('\u00a0', ' ')
        .matchAll(/<img src=x onerror=pwned\((\d+)\)>/g),
    ].map((m) => Number(m[1]))
    return { found, elements: document.querySelectorAll('[src="x"], [onerror], [href^="javascript"]').length }
  })
  expect(elements).toBe(0)
  for (const f of found) seen.add(f)
}

const python = `import sys, warnings, torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
import missing_package
try:
    __import__(${JSON.stringify(tag(15))})
except ImportError: pass
T = lambda n: f'<img src=x onerror=pwned({n})>'
# ${tag(4)}
print(T(9)); print(T(10), file=sys.stderr); warnings.warn(T(11))
named = PatternMatcherPass(pass_name=T(7))
def pattern(x): return torch.ops.aten.relu.default(torch.ops.aten.neg.default(x))
def replacement(x): return torch.ops.aten.abs.default(x)
pattern.__name__ = pattern.__qualname__ = T(8)
def check(match): raise ValueError(T(12))
register_replacement(pattern, replacement, [torch.empty(4)], fwd_only, named, extra_check=check)
def custom(x): return torch.ops.aten.relu.default(x)
named2 = PatternMatcherPass(pass_name='second')
register_replacement(custom, replacement, [torch.empty(4)], fwd_only, named2)
`
const graph = `graph():
    %x : [num_users=1] = placeholder[target=x]
    # File: ${tag(6)}
    %neg : [num_users=1] = call_function[target=torch.ops.aten.neg.default](args = (%x,), kwargs = {})
    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%neg,), kwargs = {note: ${tag(5)}})
    return (relu,)
`

const openWorkspace = (page: Page, workspace: object): Promise<void> =>
  page.evaluate(async (w) => {
    const { fusescope } = window as unknown as { fusescope: { open(w: object): Promise<unknown> } }
    await fusescope.open(w).catch(() => null)
  }, workspace)

async function panels(page: Page, seen: Set<number>): Promise<void> {
  for (const tab of await page.locator('[data-testid^=panel-tab-]').all()) {
    await tab.click()
    await look(page, seen)
  }
}

test('a tag in each place of the page is text', async ({ app, page }: { app: App; page: Page }) => {
  const seen = new Set<number>()
  const asked: string[] = []
  page.on('request', (r) => asked.push(r.url()))
  page.on('dialog', () => asked.push('a dialog'))
  await page.goto(`./?example=${encodeURIComponent(tag(20))}`)
  // A temporary message.
  await expect.poll(() => look(page, seen).then(() => seen.has(20))).toBe(true)
  await app.pythonReady()
  const workspace = {
    name: tag(1),
    graph: { name: tag(2), text: graph },
    inputShapes: { x: 'f32[4]' },
    graphs: [{ name: 'other', text: graph }],
    files: [
      { name: `${tag(3)}.py`, text: python },
      { name: `${tag(21)}.wgsl`, text: `// op: ${tag(22)}\nfn main() {}\n` },
    ],
    options: { timeLimitS: 60 },
  }
  await openWorkspace(page, workspace)
  await panels(page, seen)
  for (const file of await page
    .getByRole('tab')
    .filter({ hasText: /\.(py|wgsl)/ })
    .all()) {
    await file.click()
    await look(page, seen)
  }
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.insertText(tag(19))
  await look(page, seen)
  await page.keyboard.press('Escape')
  await page.getByTestId('status').click()
  await page.keyboard.press('/')
  await page.getByTestId('search-input').fill(tag(18))
  await look(page, seen)
  await page.getByTestId('search-input').fill('relu')
  await page.keyboard.press('Enter')
  await panels(page, seen)
  for (const button of ['gallery-button', 'share-button']) {
    await page.keyboard.press('Escape')
    await page.getByTestId(button).click()
    await look(page, seen)
  }
  await page.keyboard.press('Escape')
  await app.dropGraph(
    'graph.txt',
    `graph():\n    %x : [num_users=1] = placeholder[target=x]\n    ${tag(16)} = what\n    return (x,)\n`,
  )
  await expect(page.getByTestId('verdict')).toContainText('onerror')
  await look(page, seen)
  await app.drop(`${tag(17)}.txt`, 'There is no graph in this text.')
  await expect.poll(() => look(page, seen).then(() => seen.has(17))).toBe(true)
  await page.keyboard.press('Escape')
  await look(page, seen)
  await openWorkspace(page, {
    ...workspace,
    files: [
      { name: 'p.py', text: `raise type(${JSON.stringify(tag(14))}, (Exception,), {})(${JSON.stringify(tag(13))})\n` },
    ],
  })
  await panels(page, seen)
  expect(asked.filter((url) => url === 'a dialog' || /\/x$|javascript:/.test(url))).toEqual([])
  expect(Object.keys(PAGE_PLACES).filter((place) => !seen.has(Number(place)))).toEqual([])
})
