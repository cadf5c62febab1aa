/** Work is never lost: crashes, reloads, two tabs, no storage, slow connections, drafts of earlier versions. */
import type { BrowserContext, Page } from '@playwright/test'
import { App, expect, onePage, SMALL, test, withoutPython } from './fixtures'

const editor = (page: Page) => page.getByTestId('editor').locator('.view-lines')

/** Opens an empty Python file in a workspace that the user created. */
async function openEmpty(app: App, page: Page): Promise<void> {
  await app.open(SMALL)
  await page.getByTestId('example-picker').selectOption({ label: 'Empty workspace' })
  await app.openFile(/patterns/)
  await editor(page).click()
}

/** The text of the open workspace's first Python file. */
const code = (page: Page): Promise<string> =>
  page.evaluate(
    () =>
      (
        window as unknown as {
          __fusescope: { getState(): { workspace: { workspace: { files: { text: string }[] } } } }
        }
      ).__fusescope.getState().workspace.workspace.files[0]!.text,
  )

async function next(context: BrowserContext): Promise<{ page: Page; app: App }> {
  const page = await context.newPage()
  await page.goto('./')
  return { page, app: new App(page) }
}

/** True while user code runs, not while Python starts. */
const runs = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const { run } = (
      window as unknown as {
        __fusescope: { getState(): { run: { running: { progress: { stage: string } | null } | null } } }
      }
    ).__fusescope.getState()
    return run.running?.progress?.stage === 'run'
  })

withoutPython('a crash during continuous typing costs at most the last second', async ({ app, page, context }) => {
  await openEmpty(app, page)
  const typed: { at: number; text: string }[] = []
  for (let text = '# '; typed.length === 0 || Date.now() - typed[0]!.at < 3000;) {
    const key = String.fromCharCode(97 + (typed.length % 26))
    await page.keyboard.type(key)
    typed.push({ at: Date.now(), text: (text += key) })
  }
  const crashed = Date.now()
  const client = await context.newCDPSession(page)
  void client.send('Page.crash').catch(() => undefined)
  await page.waitForEvent('crash')
  const { page: second } = await next(context)
  const kept = typed.findLast((t) => crashed - t.at > 1000)!.text.slice(2)
  await expect.poll(() => code(second)).toContain(kept)
})

test('a page that ends during a run opens without running, and says so', async ({ app, page, context }) => {
  await openEmpty(app, page)
  await page.keyboard.type('while True: pass')
  await expect.poll(() => runs(page)).toBe(true)
  // A crash may cost what was typed in the last second.
  await page.waitForTimeout(1000)
  const client = await context.newCDPSession(page)
  void client.send('Page.crash').catch(() => undefined)
  await page.waitForEvent('crash')
  const { page: second } = await next(context)
  const banner = second.getByRole('region', { name: 'Last run' })
  await expect(banner).toContainText('The page ended during its last run. The code runs only when you press Run.')
  await expect.poll(() => code(second)).toContain('while True: pass')
  expect(await runs(second)).toBe(false)
  await banner.getByRole('button', { name: 'Run the code' }).click()
  await expect(banner).toBeHidden()
})

withoutPython(
  'a reload right after a key keeps every character, and drafts of an earlier version are there',
  async ({ app, page }) => {
    const draft = {
      name: 'Older work',
      graph: { name: 'graph.txt', text: '' },
      files: [{ name: 'patterns.py', text: '# of an earlier version\n' }],
      options: { timeLimitS: 60 },
    }
    await page.addInitScript((workspace) => {
      if (localStorage.getItem('seeded')) return
      localStorage.setItem('seeded', '1')
      localStorage.setItem('fusescope:draft:own:old', JSON.stringify({ v: 1, workspace }))
      localStorage.setItem('fusescope:last', 'own:old')
    }, draft)
    await page.goto('./')
    await expect.poll(() => app.editorText()).toContain('of an earlier version')
    await editor(page).click()
    await page.keyboard.press('ControlOrMeta+End')
    await page.keyboard.type('# last')
    await page.reload()
    await expect.poll(() => app.editorText()).toContain('# last')
    expect(await page.evaluate(() => localStorage.getItem('fusescope:draft:own:old'))).toBeNull()
    await page.getByTestId('example-picker').selectOption({ index: 1 })
    await expect(page.getByTestId('example-picker').locator('option', { hasText: 'Older work' })).toHaveCount(1)
  },
)

withoutPython('two tabs keep the lines of both', async ({ app, page, context }) => {
  await openEmpty(app, page)
  await page.keyboard.type('# first')
  const { page: second, app: other } = await next(context)
  await expect.poll(() => other.editorText()).toContain('# first')
  await page.keyboard.type(' of tab one')
  await expect(second.getByTestId('tab-banner')).toContainText('Another tab changed this workspace')
  await editor(second).click()
  await second.keyboard.type('# of tab two ')
  await expect(second.getByTestId('tab-banner')).toContainText('kept as Untitled (copy)')
  await second.reload()
  await expect.poll(() => other.editorText()).toContain('# of tab two')
  await page.reload()
  // The copy was opened last; the other workspace is in the list, with its own line.
  await page.getByTestId('example-picker').selectOption({ label: await optionOf(page, /^Untitled,/) })
  await expect.poll(() => app.editorText()).toContain('# first of tab one')
})

async function optionOf(page: Page, name: RegExp): Promise<string> {
  const option = page.getByTestId('example-picker').locator('option', { hasText: name })
  await expect(option).toHaveCount(1)
  return (await option.textContent())!
}

withoutPython(
  'without storage the page says so, keeps the text while it is open, and asks before closing',
  async ({ app, page }) => {
    await page.addInitScript(() => {
      const denied = {
        get() {
          throw new DOMException('The user denied permission to access the database.', 'SecurityError')
        },
      }
      Object.defineProperty(window, 'indexedDB', denied)
      Object.defineProperty(window, 'localStorage', denied)
    })
    await openEmpty(app, page)
    await expect(page.getByTestId('unsaved')).toBeHidden()
    await page.keyboard.type('# only here')
    await expect(page.getByTestId('unsaved')).toBeVisible()
    const asked = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    expect(await app.editorText()).toContain('# only here')
  },
)

/** The longest time, in ms, in which the page does not answer while `act` runs. */
async function longestPause(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    let [last, longest] = [performance.now(), 0]
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }, 20)
    Object.assign(window, { pause: () => (clearInterval(timer), longest) })
  })
  await act()
  return page.evaluate(() => (window as unknown as { pause(): number }).pause())
}

test('a full storage is named until there is room again; 61,000 characters, pasted or typed by a tool, and 300 workspaces are no work', async ({
  app,
  page,
  context,
  baseURL,
}) => {
  await openEmpty(app, page)
  const client = await context.newCDPSession(page)
  const { origin } = new URL(baseURL!)
  await client.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1000 })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate((text) => navigator.clipboard.writeText(text), `# waits ${'x'.repeat(61_000)}`)
  expect(await longestPause(page, () => page.keyboard.press('ControlOrMeta+v'))).toBeLessThan(2000)
  const typed = () => page.keyboard.insertText('# typed by a tool\n'.repeat(3400))
  expect(await longestPause(page, typed)).toBeLessThan(2000)
  await expect(page.getByTestId('unsaved')).toContainText('storage is full')
  await client.send('Storage.overrideQuotaForOrigin', { origin })
  await expect(page.getByTestId('unsaved')).toBeHidden()
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const open = indexedDB.open('fusescope')
        open.onsuccess = () => {
          const at = open.result.transaction(['workspaces', 'bodies'], 'readwrite')
          for (let i = 0; i < 300; i++) {
            const id = `own:many${i}`
            at.objectStore('workspaces').put({ id, name: `Work ${i}`, at: i + 1, stamp: 's:1' })
            at.objectStore('bodies').put({ foreign: null, workspace: {} }, id)
          }
          at.oncomplete = () => (open.result.close(), resolve())
        }
      }),
  )
  await page.reload()
  await expect.poll(() => app.editorText()).toContain('# waits')
  const list = async (): Promise<void> => {
    await page.locator('body').press('a')
    await expect(page.getByRole('dialog')).toContainText('Work 299')
  }
  expect(await longestPause(page, list)).toBeLessThan(2000)
})

withoutPython('an example that loads slowly does not take what is typed meanwhile', async ({ app, page }) => {
  await openEmpty(app, page)
  let release = (): void => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/examples/*/workspace.json', async (route) => {
    await held
    await route.continue()
  })
  await page.getByTestId('example-picker').selectOption({ index: 1 })
  await editor(page).click()
  await page.keyboard.type('# meanwhile')
  release()
  const toast = page.getByRole('button', { name: 'Open it' })
  await expect(toast).toBeVisible()
  expect(await app.editorText()).toContain('# meanwhile')
  await toast.click()
  await expect.poll(() => app.editorText()).not.toContain('# meanwhile')
  await page.getByTestId('example-picker').selectOption({ label: await optionOf(page, /^Untitled,/) })
  await expect.poll(() => app.editorText()).toContain('# meanwhile')
})

withoutPython(
  'workspaces are renamed, duplicated, deleted and restored; versions are shown and returned to',
  async ({ app, page }) => {
    await openEmpty(app, page)
    await page.keyboard.type('# one')
    const picker = page.getByTestId('example-picker')
    const dialog = page.getByRole('dialog', { name: 'Workspaces' })
    await picker.selectOption({ label: 'All workspaces…' })
    await dialog.getByRole('button', { name: 'Rename Untitled' }).click()
    await page.keyboard.type('My pass')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Duplicate My pass' }).click()
    await expect(picker.locator('option:checked')).toHaveText(/^My pass \(copy\),/)

    await page.keyboard.press('a')
    await dialog.getByRole('button', { name: 'Delete My pass (copy)' }).click()
    await dialog.getByRole('button', { name: 'Restore My pass (copy)' }).click()
    await dialog.getByRole('button', { name: 'My pass', exact: true }).click()
    await expect(picker.locator('option:checked')).toHaveText(/^My pass,/)

    const versions = page.getByRole('dialog', { name: 'Versions' })
    await page.keyboard.press('v')
    await versions.getByRole('textbox', { name: 'Name of a new version' }).fill('it works')
    await versions.getByRole('button', { name: 'Keep this version' }).click()
    await expect(versions.getByTestId('versions')).toContainText('it works')
    await versions.getByRole('button', { name: 'Close' }).click()
    await app.openFile(/patterns/)
    await app.typeAtEnd(' more')
    await expect.poll(() => app.editorText()).toBe('# one more')

    // Undo goes on after another workspace was open.
    await picker.selectOption({ index: 1 })
    await expect(app.status).toContainText(/match/)
    await picker.selectOption({ label: await optionOf(page, /^My pass,/) })
    await expect.poll(() => app.editorText()).toBe('# one more')
    await editor(page).click()
    await page.keyboard.press('ControlOrMeta+z')
    await expect.poll(() => app.editorText()).toBe('# one')
    await page.keyboard.press('ControlOrMeta+Shift+z')
    await expect.poll(() => app.editorText()).toBe('# one more')

    await page.getByTestId('status').click()
    await page.keyboard.press('v')
    await versions.getByRole('button', { name: /^it works/ }).click()
    await expect(versions.getByTestId('version-text')).toHaveText('# one')
    await versions.getByRole('button', { name: 'Return to this version' }).click()
    await expect.poll(() => app.editorText()).toBe('# one')
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await expect.poll(() => app.editorText()).toBe('# one more')
  },
)

onePage('a file and a graph of one name are two texts', async ({ app, page }) => {
  await app.open(SMALL)
  const texts = await page.evaluate(async () => {
    const pages = window as unknown as {
      fusescope: { open(w: object): Promise<unknown> }
      __fusescope: { getState(): { workspace: { workspace: { graph: object; files: object[] } } } }
    }
    await pages.fusescope.open({
      name: 'One name',
      graph: { name: 'a.py', text: 'graph():\n    return ()\n' },
      files: [{ name: 'a.py', text: '# code' }],
      options: { timeLimitS: 60 },
    })
    const { graph, files } = pages.__fusescope.getState().workspace.workspace
    return { graph, files }
  })
  expect(texts).toEqual({
    graph: { name: 'a_2.py', text: 'graph():\n    return ()\n' },
    files: [{ name: 'a.py', text: '# code' }],
  })
})
