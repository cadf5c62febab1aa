/** Malicious or oversized input: a clear message, and the page stays usable. */
import { DENIALS, FILES_OF_ONE_RUN } from '../src/python/testing/hostile/denials'
import { ESCAPES, escapesFile } from '../src/python/testing/hostile/escapes'
import { expect, onePage, test, SMALL } from './fixtures'

const node = (name: string, input: string): string =>
  `    %${name} : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%${input},), kwargs = {})\n`
const head = 'graph():\n    %x : [num_users=1] = placeholder[target=x]\n'

/** The result of a run: its failure, or the failures of its files. */
interface Outcome {
  failure: string | null
  files: Record<string, string | null>
  printed: string
}

/** If there is a pass, failures of other files do not fail the run. */
const PASS = 'from torch._inductor.pattern_matcher import PatternMatcherPass\np = PatternMatcherPass()\n'

onePage('an HTML tag in a graph is shown as text', async ({ app, page }) => {
  await app.open()
  await app.dropGraph(
    'tag.txt',
    `${head}${node('y', 'x')}${node('<img src=x onerror=alert(1)>', 'y')}    return (y,)\n`,
  )
  await expect(page.getByTestId('verdict')).toContainText('tag.txt:4')
  await expect(app.status).toContainText('3 nodes')
  expect(await page.locator('img[src="x"]').count()).toBe(0)
})

onePage('a 20 MB line and 100,000 nested brackets do not stop the page', async ({ app, page }) => {
  await app.open()
  for (const [name, text] of [
    ['long.txt', `${head}    %y : [num_users=1] = call_function[target=${'a'.repeat(20_000_000)}\n    return (x,)\n`],
    ['deep.txt', `${head}${node('y', 'x').replace('%x', '['.repeat(100_000))}    return (x,)\n`],
  ] as const) {
    await app.dropGraph(name, text)
    await expect(page.getByText(new RegExp(`${name}:3`)).first()).toBeVisible()
    await expect(page.getByTestId('canvas-before')).toBeVisible()
  }
})

test('the worker of user code has no connection, no global beyond the allowlist and no intrinsic to patch', async ({
  page,
}) => {
  const answered: string[] = []
  page.on('response', (r) => answered.push(r.url()))
  await page.goto('./e2e/pages/box.html')
  const result = page.locator('#result')
  await expect(result).not.toHaveText('running')
  const found = JSON.parse((await result.textContent())!) as Record<string, unknown>
  expect(found).toMatchObject({ connected: [], silent: [], globals: [], gained: [] })
  // Numbers of the platform, which cannot be deleted.
  expect(found.inherited).toEqual(['TEMPORARY', 'PERSISTENT'])
  // Before the lock, most attacks gain something: they attack.
  expect(found.before).toBeGreaterThan(150)
  expect(answered.filter((url) => url.includes('leak'))).toEqual([])
})

onePage(
  'the corpus of escapes gains nothing, and what stops Python ends in one sentence while the page answers',
  async ({ app, page }) => {
    await app.open(SMALL)
    await app.pythonReady()
    await page.evaluate(() => {
      const w = window as unknown as { longest: number }
      let last = performance.now()
      w.longest = 0
      const beat = (): void => {
        w.longest = Math.max(w.longest, performance.now() - last)
        last = performance.now()
        setTimeout(beat, 20)
      }
      beat()
    })
    const run = (files: readonly { name: string; text: string }[], timeLimitS: number): Promise<Outcome> =>
      page.evaluate(
        async ([files, limit]) => {
          const { fusescope, __fusescope } = window as unknown as {
            fusescope: { open(w: object): Promise<unknown> }
            __fusescope: { getState(): { workspace: { workspace: object }; run: Ended } }
          }
          const { workspace } = __fusescope.getState().workspace
          await fusescope.open({ ...workspace, files, options: { timeLimitS: limit } }).catch(() => null)
          const { outcome: ended, result } = __fusescope.getState().run
          const { failure, python, console } = ended.value
          return {
            files: Object.fromEntries(
              (result.value?.files ?? []).map(({ file, failure: f }) => [file, f && `${f.type}: ${f.message}`]),
            ),
            failure: failure ?? (python && `${python.type}: ${python.message}`),
            printed: console.map((c) => c.text).join('\n'),
          }
        },
        [files, timeLimitS] as const,
      )
    const outcome = (text: string, timeLimitS = 2): Promise<Outcome> => run([{ name: 'p.py', text }], timeLimitS)
    const escapes = await outcome(escapesFile(), 60)
    expect(escapes.failure).toBeNull()
    expect(escapes.printed).toContain(`ATTACKS ${ESCAPES.length}`)
    expect(escapes.printed).not.toContain('GAIN')
    const files = FILES_OF_ONE_RUN.map(({ code }, i) => ({ name: `d${i}.py`, text: code }))
    const ofFiles = (await run([...files, { name: 'p.py', text: PASS }], 60)).files
    expect(Object.keys(ofFiles)).toHaveLength(files.length + 1)
    for (const [i, { code, ends }] of FILES_OF_ONE_RUN.entries()) {
      if (ends === null) expect(ofFiles[`d${i}.py`], code).toBeNull()
      else expect(ofFiles[`d${i}.py`], code).toMatch(ends)
    }
    const inBrowser = DENIALS.filter((d) => d.browser)
    // Each program that hangs costs its time limit and a new worker, so one of each kind of ending runs here; Node runs all of
    // them.
    const kinds = new Map(inBrowser.map((d) => [String(d.ends), d]))
    for (const { code, ends } of process.env.ALL_CASES ? inBrowser : kinds.values()) {
      // A program that is not stopped may be slow on a busy machine.
      const { failure } = await outcome(code, ends === null ? 20 : 2)
      if (ends === null) expect(failure, code).toBeNull()
      else expect(failure, code).toMatch(ends)
    }
    // Shorter than the limit of any run, on a starved machine too: nothing that hangs does so in the page.
    expect(await page.evaluate(() => (window as unknown as { longest: number }).longest)).toBeLessThan(2000)
  },
)

onePage('window.fusescope.open settles, however it ends', async ({ app, page }) => {
  await app.open(SMALL)
  await app.pythonReady()
  const endings = await page.evaluate(async () => {
    const { fusescope, __fusescope } = window as unknown as {
      fusescope: { open(w: unknown): Promise<{ graph: { nodes: unknown[] } }> }
      __fusescope: { getState(): { workspace: { workspace: { name: string; files: object[]; options: object } } } }
    }
    const { workspace } = __fusescope.getState().workspace
    const python = (text: string, timeLimitS = 20) => ({
      ...workspace,
      files: [{ name: 'p.py', text }],
      options: { timeLimitS },
    })
    const ending = (w: unknown): Promise<string> =>
      fusescope.open(w).then(
        ({ graph }) => `a report of ${graph.nodes.length > 0 ? 'nodes' : 'nothing'}`,
        (e: Error) => e.message,
      )
    const first = ending(python('while True: pass', 2))
    const second = ending(workspace)
    const replaced = [await first, await second]
    const graph = { name: 'g.txt', text: 'this is no graph' }
    return {
      replaced,
      noWorkspace: await ending({ files: 7 }),
      noGraph: await ending({ ...workspace, graph }),
      endless: await ending(python('while True: pass', 2)),
      raises: await ending(python('raise ValueError("x")')),
      exits: await ending(python('import os; os._exit(3)')),
      again: await ending(workspace),
    }
  })
  expect(endings).toMatchObject({
    replaced: ['Another workspace was opened before the report of this one was available', 'a report of nodes'],
    noWorkspace: expect.stringContaining('This is not a workspace: '),
    endless: expect.stringContaining('Stopped after 2 s'),
    again: 'a report of nodes',
  })
  expect(Object.keys(endings)).toHaveLength(7)
})

onePage('Python is sandboxed: no JavaScript, no network, no page', async ({ app, page }) => {
  await app.open(SMALL)
  await app.pythonReady()
  const requested: string[] = []
  page.on('request', (r) => requested.push(r.url()))
  await app.drop('box.py', BOX)
  await app.panel('console')
  const console = page.getByTestId('console')
  await expect(console).toContainText('done')
  const text = (await console.textContent()) ?? ''
  for (const name of ['js', 'eval', 'socket', 'url']) expect(text).toContain(`${name} refused`)
  expect(text).not.toContain('ESCAPED')
  expect(requested.filter((u) => u.includes('escape'))).toEqual([])
})

/** The parts of the run store that the tests read. */
interface Ended {
  outcome: {
    value: {
      failure: string | null
      python: { type: string; message: string } | null
      console: { text: string }[]
    }
  }
  result: { value: { files?: { file: string; failure: { type: string; message: string } | null }[] } | null }
}

const BOX = `
from torch._inductor.pattern_matcher import PatternMatcherPass, register_replacement
import importlib, socket, sys, urllib.request
from _fusescope import bridge

def attempt(name, fn):
    try:
        print(name, 'ESCAPED', fn())
    except BaseException as e:
        print(name, 'refused', type(e).__name__)

def ffi():
    for name in ('pyodide', 'pyodide.ffi', '_pyodide_core'):
        sys.modules.pop(name, None)
    return importlib.import_module('pyodide.ffi').to_js([1]).constructor.constructor('return fetch("/escape")')()

attempt('js', lambda: __import__('js'))
attempt('eval', lambda: bridge._send.constructor('return self')())
attempt('eval', ffi)
attempt('socket', lambda: socket.create_connection(('127.0.0.1', 80), 1))
attempt('url', lambda: urllib.request.urlopen('http://127.0.0.1/escape'))
print('done')
`
