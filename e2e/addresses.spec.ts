/** Addresses that name files of other hosts (`?from=URL`), and the page that other hosts may frame. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { lessonFragment } from '../src/workspace/library/lesson_link'
import { encodeSnapshot } from '../src/workspace/link'
import { expect, holdPython, test } from './fixtures'

const GRAPH =
  'graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %y : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})\n    return (y,)\n'
const PYTHON =
  'from torch._inductor.pattern_matcher import PatternMatcherPass\npatterns = PatternMatcherPass()\nprint("RAN")\n'

/** A lesson of one step from somebody else. */
const LESSON = new Map([
  [
    'lesson.json',
    JSON.stringify({
      order: 1,
      summary: 's',
      minutes: 1,
      workspaces: { main: { graph: 'graph.txt', files: ['p.py'] } },
      steps: [{ id: 'one' }],
    }),
  ],
  ['lesson.md', '# Sent\n\n## One\n\nText.\n'],
  ['graph.txt', GRAPH],
  ['p.py', PYTHON],
])

/** Files that another host lets sites read, except under /closed. */
const FILES: Record<string, string> = {
  '/graph.txt': GRAPH,
  '/closed/graph.txt': GRAPH,
  '/pass.py': PYTHON,
  '/page.txt': '<!doctype html><title>not a file</title>',
}
let host: Server
let asked: string[] = []
const at = (path: string): string => `http://127.0.0.1:${(host.address() as AddressInfo).port}${path}`

test.beforeAll(async () => {
  host = createServer((req, res) => {
    const path = req.url ?? ''
    asked.push(path)
    const text = FILES[path]
    res.writeHead(text === undefined ? 404 : 200, {
      'content-type': /\.html$|page/.test(path) ? 'text/html' : 'text/plain',
      ...(!path.startsWith('/closed') && { 'access-control-allow-origin': '*' }),
    })
    res.end(text ?? 'none')
  })
  await new Promise<void>((done) => host.listen(0, '127.0.0.1', done))
})
test.afterAll(() => void host.close())

test('a file of another host opens after a question, its code waits, and each refusal is a sentence', async ({
  page,
}) => {
  const open = async (path: string): Promise<void> => {
    await page.goto(`./?from=${encodeURIComponent(at(path))}`)
    await expect(page.getByTestId('source-url')).toHaveText(at(path))
  }
  const load = page.getByRole('button', { name: 'Load', exact: true })
  const says = (text: string | RegExp) => expect(page.getByText(text).first()).toBeVisible()

  const letPythonIn = await holdPython(page)
  await open('/graph.txt')
  expect(asked).toEqual([])
  await load.click()
  await expect(page.getByTestId('canvas-before').locator('[data-node="y"]')).toBeVisible()
  await expect(page).toHaveTitle('graph.txt – Fusescope')
  await expect(page).toHaveURL(/\?from=/)
  await page.getByTestId('example-picker').selectOption('rms-norm-int8')
  await expect(page).toHaveURL(/\?example=rms-norm-int8$/)
  await page.goBack()
  await expect(page).toHaveTitle('graph.txt – Fusescope')
  expect(asked).toEqual(['/graph.txt'])

  await letPythonIn()
  await open('/pass.py')
  await load.click()
  await expect(page.getByTestId('consent-button')).toBeVisible()
  const ran = await page.evaluate(() => {
    const { run } = (
      window as unknown as { __fusescope: { getState(): { run: { outcome: { value: { console: unknown[] } } } } } }
    ).__fusescope.getState()
    return run.outcome.value.console.length
  })
  expect(ran).toBe(0)

  await holdPython(page)
  await open('/closed/graph.txt')
  await load.click()
  await says(/does not let other sites read its files \(CORS\)/)
  await open('/none.txt')
  await load.click()
  await says(/has no such file \(404\)/)
  await open('/page.txt')
  await load.click()
  await says(/answered with a web page, not a file/)
  // The page itself cannot connect: only the loader can.
  expect(
    await page.evaluate(
      (url) =>
        fetch(url).then(
          () => 'connected',
          () => 'refused',
        ),
      at('/graph.txt'),
    ),
  ).toBe('refused')
})

test('a page of another origin frames the embedded page: read only, with messages, and nothing else of the site', async ({
  page,
  baseURL,
}) => {
  const node = { kind: 'node', side: 'before', name: 'y' } as const
  const link = await encodeSnapshot({
    v: 1,
    workspace: {
      name: 'Sent',
      graph: { name: 'graph.txt', text: GRAPH },
      files: [{ name: 'patterns.py', text: PYTHON }],
      options: { timeLimitS: 60 },
    },
    view: { selection: node, mode: 'before', panel: 'matches', openFile: 'patterns.py' },
    summary: null,
  })
  FILES['/frame.html'] = `<!doctype html><title>another site</title>
    <iframe id="embed" width="900" height="500" src="${baseURL}embed.html${link}"></iframe>
    <iframe id="full" width="300" height="200" src="${baseURL}${link}"></iframe>
    <script>
      const heard = []
      const frame = document.getElementById('embed')
      addEventListener('message', (e) => e.source === frame.contentWindow && heard.push({ origin: e.origin, ...e.data }))
      const call = (message) => frame.contentWindow.postMessage({ fusescope: 1, ...message }, '${baseURL}')
    </script>`
  await page.goto(at('/frame.html'))
  const embed = page.frameLocator('#embed')
  await expect(embed.getByTestId('canvas-before').locator('[data-node="y"][data-selected]')).toBeVisible()
  await expect(embed.getByTestId('consent-button')).toHaveCount(0)
  await expect(embed.getByTestId('editor')).toHaveCount(0)
  await expect(embed.getByTestId('open-full')).toHaveAttribute('href', `${baseURL}${link}`)
  // The page that runs code is not shown to another site.
  await expect(page.frameLocator('#full').getByTestId('status')).toHaveCount(0)

  const heard = (): Promise<{ id?: number; event?: string; origin: string; result?: unknown; error?: string }[]> =>
    page.evaluate('heard')
  await expect.poll(async () => (await heard()).some((m) => m.event === 'ready')).toBe(true)
  const call = async (id: number, message: object) => {
    await page.evaluate(`call(${JSON.stringify({ id, ...message })})`)
    await expect.poll(async () => (await heard()).some((m) => m.id === id)).toBe(true)
    return (await heard()).find((m) => m.id === id)!
  }
  expect(await call(1, { call: 'report' })).toMatchObject({
    origin: new URL(baseURL!).origin,
    result: { name: 'Sent', selection: node },
  })
  await call(2, { call: 'select', selection: { ...node, name: 'x' } })
  await expect
    .poll(heard)
    .toContainEqual(expect.objectContaining({ event: 'selection', selection: { ...node, name: 'x' } }))
  expect(await call(3, { call: 'delete' })).toMatchObject({ error: expect.stringContaining('This is not a call') })
  expect(await call(4, { call: 'open', link: '#v2.broken' })).toMatchObject({ error: expect.any(String) })
  expect(await call(5, { call: 'open-example', example: 'rms-norm-int8' })).toMatchObject({
    result: { summary: { passes: [{ count: 1 }] } },
  })
  await expect(embed.getByTestId('open-full')).toHaveAttribute('href', `${baseURL}?example=rms-norm-int8`)

  const lesson = await lessonFragment(LESSON)
  expect(await call(6, { call: 'open', link: lesson })).toMatchObject({ result: { summary: null } })
  await expect(embed.getByTestId('lesson')).toContainText('The code of this lesson has not run here')
  await expect(embed.getByTestId('canvas-before').locator('[data-node="y"]')).toBeVisible()
  await expect(embed.getByTestId('open-full')).toHaveAttribute('href', `${baseURL}?step=1${lesson}`)
})

test('`fusescope FILE…` opens its files as the user’s own, and a later visit opens the workspace', async ({ page }) => {
  const token = '0123456789abcdef'.repeat(2)
  const given: Record<string, string> = { [`${token}/0/graph.txt`]: GRAPH, [`${token}/1/pass.py`]: PYTHON }
  await page.route('**/given/**', (route) => {
    const text = given[route.request().url().split('/given/')[1]!]
    return text === undefined ? route.fulfill({ status: 404 }) : route.fulfill({ body: text })
  })
  const files = new URLSearchParams(Object.keys(given).map((path) => ['file', path]))
  await page.goto(`./?${files}`)
  await expect(page.getByTestId('canvas-before').locator('[data-node="y"]')).toBeVisible()
  await expect(page).toHaveTitle('graph.txt – Fusescope')
  await expect(page).not.toHaveURL(/file=/)
  await expect
    .poll(() => page.evaluate(() => JSON.stringify(window.__fusescope!.getState()).includes('RAN')))
    .toBe(true)
  await holdPython(page)
  await page.reload()
  await expect(page).toHaveTitle('graph.txt – Fusescope')

  await page.goto(`./?file=${'f'.repeat(32)}/0/gone.txt`)
  await expect(page.getByText('gone.txt is not on this server')).toBeVisible()
})
