/** The page opens without requests to other hosts, policy violations or console messages, and within its budget of bytes. */
import { expect, test } from '@playwright/test'
import { bytesOf, kB, linesOf, watchFirstScreen } from './first_screen'
import { App, withoutPython } from './fixtures'

/**
 * The budget of requests before the first verdict of a first visit, in compressed bytes: as `npm run build` compresses them, and as
 * `npm test` does, which takes a tenth more bytes for a quarter of the time.
 */
const BUDGET = { best: 500_000, quick: 520_000, requests: 12 }

/** The budgets of Python's memory snapshot, the largest file of its start: as `npm run build` packs it, and as `npm test` does. */
const SNAPSHOT_BYTES = { best: 3_520_000, quick: 3_940_000 }

test('the app opens, contacts no other host, logs nothing on the console and keeps its budget', async ({
  page,
  baseURL,
}) => {
  const foreign: string[] = []
  const missing: string[] = []
  const messages: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(baseURL!) && !/^(data|blob):/.test(url)) foreign.push(url)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) missing.push(`${response.status()} ${response.url()}`)
  })
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      messages.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => messages.push(`exception: ${error.message}`))

  const firstScreen = await watchFirstScreen(page)
  await page.goto('./')
  await expect(page.getByTestId('status')).toBeVisible()
  // Monaco, its worker, the layout worker and Python have started by then.
  await expect(page.locator('.monaco-editor').first()).toBeVisible()
  await page.waitForFunction(
    () =>
      (
        window as unknown as { __fusescope?: { getState(): { run?: { engine: { readyMs: number | null } } } } }
      ).__fusescope?.getState().run?.engine.readyMs != null,
    undefined,
    { timeout: 90_000 },
  )

  const { before, all } = await firstScreen()
  const snapshot = all.filter(({ path }) => /\/python-\w+\.bin$/.test(path))
  expect(snapshot).toHaveLength(1)
  const form = snapshot[0]!.path.includes('_quick') ? 'quick' : 'best'
  expect(bytesOf(snapshot)).toBeLessThanOrEqual(SNAPSHOT_BYTES[form])
  const sum = `before the first verdict: ${before.length} requests, ${kB(bytesOf(before)).trim()}`
  test.info().annotations.push({ type: 'figures', description: `${sum}\n${linesOf(before)}` })
  expect(before.length, linesOf(before)).toBeLessThanOrEqual(BUDGET.requests)
  expect(bytesOf(before), linesOf(before)).toBeLessThanOrEqual(BUDGET[form])
  expect(foreign).toEqual([])
  expect(missing).toEqual([])
  expect(messages).toEqual([])
})

withoutPython('the built page carries its policy', async ({ page }) => {
  await page.goto('./')
  const policy = page.locator('meta[http-equiv="Content-Security-Policy"]')
  await expect(policy).toHaveAttribute('content', /default-src 'none'.*script-src 'self' 'wasm-unsafe-eval' blob:/)
  // Text never becomes code. (Called later, because the policy does not apply to the protocol's own evaluation.)
  const evaluated = await page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        setTimeout(() => {
          try {
            resolve(String(new Function('return 1')()))
          } catch (e) {
            resolve((e as Error).name)
          }
        })
      }),
  )
  expect(evaluated).toBe('EvalError')
})

test('Python runs before its standard library has arrived; code that imports of it waits', async ({ page }) => {
  let send = (): void => {}
  const held = new Promise<void>((resolve) => (send = resolve))
  await page.route('**/stdlib-*.bin', async (route) => {
    await held
    await route.continue()
  })
  const app = new App(page)
  await app.open('./')
  await app.pythonReady()
  await app.openFile(/^fusion\.py/)
  await app.typeAtEnd('\nimport mailbox\nprint(mailbox.Mailbox.__name__, "arrived")\n')
  const progress = (): Promise<string | undefined> =>
    page.evaluate(() => {
      type State = { run: { running: { progress: { text: string } | null } | null } }
      const w = window as unknown as { __fusescope: { getState(): State } }
      return w.__fusescope.getState().run.running?.progress?.text
    })
  await expect.poll(progress).toBe('Loading the standard library')
  send()
  await app.panel('console')
  await expect(page.getByText('Mailbox arrived')).toBeVisible()
})

test('Python starts where its snapshot cannot be loaded, with our sources from a script', async ({ page }) => {
  await page.route('**/python-*.bin', (route) => route.abort())
  const app = new App(page)
  await app.open('./')
  await app.pythonReady()
  await app.openFile(/^fusion\.py/)
  await app.typeAtEnd('\nprint("started", "cold")\n')
  await app.panel('console')
  await expect(page.getByText('started cold')).toBeVisible()
})
