/** Code of a link runs only after consent, by whatever path the user comes back to it. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { encodeSnapshot } from '../src/workspace/link'
import type { Workspace } from '../src/workspace'
import { expect, test, type App } from './fixtures'

const WORKSPACE: Workspace = {
  name: 'Sent',
  graph: { name: 'graph.txt', text: 'graph():\n    %x : [num_users=1] = placeholder[target=x]\n    return (x,)\n' },
  files: [{ name: 'patterns.py', text: 'print("RAN")\n' }],
  options: { timeLimitS: 60 },
}
const view = { selection: null, mode: 'before', panel: 'matches', openFile: 'patterns.py' } as const
const link = (more: Partial<Workspace> = {}): Promise<string> =>
  encodeSnapshot({ v: 1, workspace: { ...WORKSPACE, ...more }, view, summary: null })

interface State {
  run: {
    outcome: { value: { console: { text: string }[] } }
    running: object | null
    consent: string
    graphRead: { version: number }
  }
  workspace: { version: number; workspace: Workspace }
}
const state = (page: Page): Promise<State> =>
  page.evaluate(() => {
    const { run, workspace } = (window as unknown as { __fusescope: { getState(): State } }).__fusescope.getState()
    const { outcome, running, consent, graphRead } = run
    return {
      run: { outcome, running, consent, graphRead: { version: graphRead.version } },
      workspace: { ...workspace },
    }
  })

/** The graph of the link is read, and its code has not run. */
async function asks(page: Page): Promise<void> {
  await expect(page.getByTestId('consent-button')).toBeVisible()
  await asksOf(page, 'Sent')
}

async function asksOf(page: Page, name: string): Promise<void> {
  await expect
    .poll(async () => {
      const now = await state(page).catch(() => null)
      return (
        now && !now.run.running && now.run.graphRead.version === now.workspace.version && now.workspace.workspace.name
      )
    })
    .toBe(name)
  const { run } = await state(page)
  expect([run.consent, run.outcome.value.console.map((l) => l.text).join('')]).toEqual(['pending', ''])
}

const hasRun = (page: Page) =>
  expect.poll(async () => (await state(page)).run.outcome.value.console.map((l) => l.text).join('')).toContain('RAN')

const type = async (app: App, page: Page, text: string): Promise<void> => {
  await app.openFile(/patterns/)
  await app.typeAtEnd(text)
  await expect.poll(async () => (await state(page)).workspace.workspace.files[0]!.text).toContain(text.trim())
}

test('every path back to the code of a link asks, and consent is kept for exactly that code', async ({ app, page }) => {
  await page.goto(`./${await link()}`)
  await asks(page)
  await type(app, page, '# one')
  await asks(page)

  const picker = page.getByTestId('example-picker')
  const own = await picker.inputValue()
  await picker.selectOption({ index: 1 })
  await expect(app.status).toContainText(/match/)
  await expect(page.getByTestId('consent-button')).toBeHidden()
  await picker.selectOption(own)
  await asks(page)

  await picker.selectOption({ label: 'Empty workspace' })
  await expect(page.getByTestId('consent-button')).toBeHidden()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await asks(page)

  await page.reload()
  await asks(page)

  // The user adds a folder; the link's code is still among the files.
  await app.dropFolders({ mine: { 'a.py': 'x = 1\n' } })
  await page.getByRole('button', { name: 'Join this one' }).click()
  await expect(page.getByRole('tab', { name: 'a.py' })).toBeVisible()
  await asks(page)

  await app.openFile(/patterns/)
  await app.replaceInEditor('print', '_ = 1; print')
  await asks(page)
  await page.getByTestId('consent-button').click()
  await hasRun(page)

  // Undo brings back a text that was never allowed.
  await app.undo()
  await expect(page.getByTestId('consent-button')).toBeVisible()
  await page.getByTestId('editor').locator('.view-lines').click()
  for (let i = 0; i < 12 && !(await app.editorText()).includes('_ = 1; print'); i++)
    await page.keyboard.press('ControlOrMeta+Shift+z')
  await expect(page.getByTestId('consent-button')).toBeHidden()

  await page.reload()
  await hasRun(page)
  await expect(page.getByTestId('consent-button')).toHaveCount(0)
})

test('another site that frames the page gets no run and no consent', async ({ page, baseURL }) => {
  await page.route('http://frames.test/', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<iframe width=1200 height=700></iframe>` }),
  )
  await page.goto('http://frames.test/')
  const at = `${baseURL}${await link()}`
  const show = (): Promise<void> => page.evaluate((src) => void (document.querySelector('iframe')!.src = src), at)

  // The header refuses the frame.
  await show()
  await expect.poll(() => page.frames().at(-1)!.url()).toMatch(/^chrome-error:/)

  // A host that sends no headers: the page itself refuses to run code.
  await page.route(`${baseURL}`, async (route) => {
    const response = await route.fetch()
    const { 'content-security-policy': _policy, ...headers } = response.headers()
    await route.fulfill({ response, headers })
  })
  await page.goto('http://frames.test/')
  await show()
  const frame = page.frameLocator('iframe')
  await expect(frame.getByRole('region', { name: 'In a frame' })).toContainText('no code runs here')
  await expect(frame.getByTestId('consent-button')).toHaveCount(0)
})

test('a site that opened the page in a window cannot change what a press runs', async ({ page, context, baseURL }) => {
  const [good, evil] = [
    `${baseURL}${await link()}`,
    `${baseURL}${await link({ name: 'Evil', files: [{ name: 'patterns.py', text: 'print("EVIL")\n' }] })}`,
  ]
  const body = `<button onclick="w = window.open('${good}')">go</button><script>swap = () => (w.location = '${evil}')</script>`
  const site = createServer((_req, res) => res.setHeader('content-type', 'text/html').end(body))
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
  page.once('close', () => site.close())
  const at = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`
  const opened = async (): Promise<Page> => {
    await page.goto(at)
    const [popup] = await Promise.all([context.waitForEvent('page'), page.getByRole('button', { name: 'go' }).click()])
    await asksOf(popup, 'Sent')
    return popup
  }
  // Under the header the opener has lost the window.
  const popup = await opened()
  await expect(popup.getByTestId('consent-button')).toBeEnabled()
  await page.evaluate('swap()')
  await popup.waitForTimeout(300)
  expect((await state(popup)).workspace.workspace.name).toBe('Sent')
  await popup.close()

  // A host that sends no headers: the opener still holds the window, so no press counts there.
  await context.route(`${baseURL}`, async (route) => {
    const response = await route.fetch()
    const { 'cross-origin-opener-policy': _policy, ...headers } = response.headers()
    await route.fulfill({ response, headers })
  })
  const held = await opened()
  await expect(held.getByRole('region', { name: 'Opened by another site' })).toContainText('no code runs here')
  await held.keyboard.press('ControlOrMeta+Enter')
  await page.evaluate('swap()')
  await asksOf(held, 'Evil')
  await expect(held.getByTestId('consent-button')).toHaveCount(0)
  const [own] = await Promise.all([
    context.waitForEvent('page'),
    held.getByRole('link', { name: 'Open it in a tab' }).click(),
  ])
  await asksOf(own, 'Evil')

  // Also without an opener, a change of the address voids a press for a second.
  await own.getByTestId('consent-button').click({ trial: true })
  await own.evaluate((url) => void (location.href = url), good)
  // Checked in the frame of the change: a poll may come when the second is over.
  await own.waitForFunction(
    () =>
      (window as unknown as { __fusescope: { getState(): State } }).__fusescope.getState().workspace.workspace.name ===
      'Sent',
  )
  await own.keyboard.press('ControlOrMeta+Enter')
  await expect(own.getByText('this press does not count')).toBeVisible()
  expect((await state(own)).run.consent).toBe('pending')
  await own.getByTestId('consent-button').click()
  await hasRun(own)
})

test('a key that another page asked to hold answers no question, nor do fast clicks', async ({ page, baseURL }) => {
  const at = `${baseURL}${await link()}`
  const body = `<script>addEventListener('keydown', (e) => e.key === 'Enter' && (location = '${at}'))</script>`
  await page.route('http://holds.test/', (route) => route.fulfill({ contentType: 'text/html', body }))
  await page.goto('http://holds.test/')
  await page.keyboard.down('Control')
  await expect
    .poll(async () => {
      await page.keyboard.down('Enter')
      return page.url()
    })
    .toBe(at)
  await asks(page)
  const button = page.getByTestId('consent-button')
  const { x, y } = (await button.boundingBox())!
  for (let i = 0; i < 20; i++) {
    await page.keyboard.down('Enter')
    await page.waitForTimeout(100)
  }
  await asks(page)
  await page.keyboard.up('Enter')
  await page.keyboard.up('Control')
  for (let i = 0; i < 20; i++) {
    await page.mouse.click(x + 5, y + 5)
    await page.waitForTimeout(100)
  }
  await asks(page)
  await button.click()
  await hasRun(page)
})
