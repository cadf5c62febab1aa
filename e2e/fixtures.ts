/** User actions in the app, as methods for the specs. */
import { test as base, expect, type Browser, type BrowserContext, type Locator, type Page } from '@playwright/test'

export { expect }

/** For tests that bring their own graph: it has 13 nodes, the flagship 1,552. */
export const SMALL = './?example=rms-norm-int8'

export class App {
  readonly status: Locator
  private before = ''
  /** `ready` refers to the page's first run, which was in an earlier test. */
  private isReopened = false

  constructor(private readonly page: Page) {
    this.status = page.getByTestId('status')
  }

  /** @param path the flagship; `./` opens the small example of a first visit */
  async open(path = './?example=silu-mul-block-quant'): Promise<void> {
    const [, example] = /\?example=([\w-]+)$/.exec(path) ?? []
    const isOpen = (await this.page.getByTestId('example-picker').count()) > 0
    if (example && isOpen) await this.openPublished(example)
    else await this.page.goto(path)
    await expect(this.status).toContainText(/\bmatch(es)?\b/)
  }

  /** Opens the test's own workspace, as another page does. */
  async openWorkspace(workspace: object): Promise<void> {
    await this.page.evaluate(
      (w) => (window as unknown as { fusescope: { open(w: unknown): Promise<unknown> } }).fusescope.open(w),
      workspace,
    )
  }

  /** Waits until Python has loaded and the first live report is in. */
  async pythonReady(): Promise<void> {
    await this.page.evaluate(() => (window as unknown as { __fusescope: { ready: Promise<void> } }).__fusescope.ready)
    if (this.isReopened) await expect.poll(() => this.hasRun()).toBe(true)
  }

  /** The report on screen is from a run of this page, and no run is in progress. */
  private hasRun(): Promise<boolean> {
    return this.page.evaluate(() => {
      type State = { run: { running: object | null; result: { state: string } } }
      const { run } = (window as unknown as { __fusescope: { getState(): State } }).__fusescope.getState()
      return !run.running && run.result.state !== 'stored'
    })
  }

  /** Opens an example as published, in the page of an earlier test: its Python has started. */
  private async openPublished(example: string): Promise<void> {
    this.isReopened = true
    const picker = this.page.getByTestId('example-picker')
    const opened = (): Promise<{ origin: string; times: number }> =>
      this.page.evaluate(() => {
        type State = { workspace: { origin: string }; view: { firsts: number } }
        const state = (window as unknown as { __fusescope: { getState(): State } }).__fusescope.getState()
        return { origin: state.workspace.origin, times: state.view.firsts }
      })
    for (let i = 0; i < 3; i++) await this.page.keyboard.press('Escape')
    const { origin, times } = await opened()
    if (origin === example) {
      await this.page.keyboard.press('ControlOrMeta+k')
      await this.page.getByPlaceholder('What do you want to do?').fill('Reset the example')
      await this.page.keyboard.press('Enter')
    } else {
      await this.forgetOthers(origin)
      await picker.selectOption(example)
    }
    // Does not wait for its message: an earlier test's message is still there, and actions before the example opens are lost.
    await expect.poll(async () => (await opened()).times).toBeGreaterThan(times)
    expect((await opened()).origin).toBe(example)
    await this.forgetOthers(example)
    // As after a load: the panels outlive a workspace, and keys are shortcuts.
    await this.page.evaluate(() => {
      interface View {
        setMode(mode: 'before'): void
        closePlace(place: 'drawer' | 'graph'): void
        setPanel(panel: 'matches'): void
        setPane(pane: 'graph'): void
        setSearch(search: { open: false; query: '' }): void
      }
      const { view } = (window as unknown as { __fusescope: { getState(): { view: View } } }).__fusescope.getState()
      view.setMode('before')
      for (const place of ['drawer', 'graph'] as const) view.closePlace(place)
      view.setPanel('matches')
      view.setPane('graph')
      view.setSearch({ open: false, query: '' })
      ;(document.activeElement as HTMLElement | null)?.blur()
    })
  }

  /** Deletes the edits of the other workspaces, as earlier tests left them. */
  private async forgetOthers(origin: string): Promise<void> {
    await this.page.evaluate(
      (open) =>
        new Promise<void>((resolve, reject) => {
          const request = indexedDB.open('fusescope')
          request.onerror = () => reject(request.error)
          request.onsuccess = () => {
            const at = request.result.transaction(['workspaces', 'bodies'], 'readwrite')
            const keys = at.objectStore('workspaces').getAllKeys()
            keys.onsuccess = () => {
              for (const id of keys.result.filter((key) => key !== open))
                for (const store of ['workspaces', 'bodies']) at.objectStore(store).delete(id)
            }
            at.oncomplete = () => (request.result.close(), resolve())
          }
        }),
      origin,
    )
  }

  async panel(id: string): Promise<void> {
    if (id === 'inspector') return this.page.getByRole('button', { name: 'All facts' }).click()
    const opens = this.page.getByTestId(`panel-tab-${id}`)
    if ((await opens.getAttribute('aria-expanded')) !== 'true') await opens.click()
  }

  /** Shows the matches of a pattern, which are folded where they are many, and selects one. */
  async selectMatch(at = 0): Promise<void> {
    const show = this.page.getByRole('button', { name: 'Show the matches' })
    if ((await show.count()) > 0) await show.first().click()
    await this.page.getByTestId('match-item').nth(at).click()
  }

  async openFile(name: RegExp): Promise<void> {
    await this.page.getByRole('tab', { name }).click()
  }

  /** The text of the open file, from the editor's model: Monaco draws only the lines in view. */
  editorText(): Promise<string> {
    return this.page.evaluate(() =>
      (window as unknown as { __fusescope: { editor: { text(): string } } }).__fusescope.editor.text(),
    )
  }

  /** Selects the first occurrence in the open file and types over it. */
  async replaceInEditor(find: string, replacement: string): Promise<void> {
    this.before = await this.editorText()
    await this.page.evaluate(
      ([f]) =>
        (
          window as unknown as { __fusescope: { editor: { select(text: string): Promise<boolean> } } }
        ).__fusescope.editor.select(f!),
      [find],
    )
    await this.page.keyboard.insertText(replacement)
    await expect.poll(() => this.editorText()).toBe(this.before.replace(find, replacement))
  }

  async typeAtEnd(text: string): Promise<void> {
    this.before = await this.editorText()
    await this.page.getByTestId('editor').locator('.view-lines').click()
    await this.page.keyboard.press('ControlOrMeta+End')
    await this.page.keyboard.insertText(text)
  }

  /** Presses undo until the text before the last edit is back. */
  async undo(): Promise<void> {
    await this.page.getByTestId('editor').locator('.view-lines').click()
    for (let i = 0; i < 12 && (await this.editorText()) !== this.before; i++)
      await this.page.keyboard.press('ControlOrMeta+z')
    expect(await this.editorText()).toBe(this.before)
  }

  async share(): Promise<string> {
    await this.page.getByTestId('share-button').click()
    return this.page.getByTestId('share-link').inputValue()
  }

  /** Pastes a text outside any text field. */
  async paste(text: string): Promise<void> {
    await this.page.evaluate((t) => {
      const data = new DataTransfer()
      data.setData('text/plain', t)
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }))
    }, text)
  }

  /** Drops a graph's text over the graph on screen, and replaces it. */
  async dropGraph(name: string, text: string): Promise<void> {
    await this.drop(name, text)
    await this.page.getByRole('dialog', { name: 'A graph is open' }).getByRole('button', { name: 'Replace' }).click()
  }

  /** Drops folders: a real drop's entries cannot be made by a script. */
  async dropFolders(folders: Tree): Promise<void> {
    await this.page.evaluate((tree) => {
      const entry = (name: string, held: string | Tree): object => {
        if (typeof held === 'string')
          return { name, isDirectory: false, file: (done: (f: File) => void) => done(new File([held], name)) }
        const createReader = () => {
          const batches = [Object.entries(held).map(([n, h]) => entry(n, h))]
          return { readEntries: (done: (e: object[]) => void) => done(batches.shift() ?? []) }
        }
        const getFile = (n: string, _: object, done: (e: object) => void, none: (e: Error) => void) => {
          const file = held[n]
          if (typeof file === 'string') done(entry(n, file))
          else none(new DOMException(`${n} is not there`, 'NotFoundError'))
        }
        return { name, isDirectory: true, createReader, getFile }
      }
      const items = Object.entries(tree).map(([n, h]) => ({ webkitGetAsEntry: () => entry(n, h) }))
      const drop = new DragEvent('drop', { bubbles: true, cancelable: true })
      Object.defineProperty(drop, 'dataTransfer', { value: { types: ['Files'], files: [], items } })
      document.body.dispatchEvent(drop)
    }, folders)
  }

  async drop(name: string, text: string): Promise<void> {
    const data = await this.page.evaluateHandle(
      ([n, t]) => {
        const transfer = new DataTransfer()
        transfer.items.add(new File([t!], n!))
        return transfer
      },
      [name, text],
    )
    for (const type of ['dragenter', 'dragover', 'drop'])
      await this.page.dispatchEvent('body', type, { dataTransfer: data })
  }
}

/** A folder's entries: a text or another folder by name. */
export interface Tree {
  [name: string]: string | Tree
}

export const test = base.extend<{ app: App }>({
  app: async ({ page }, use) => use(new App(page)),
})

/** Files with which Python starts, which is half of the work of each load. */
const PYTHON = /\.wasm$|\/python-\w+\.bin$/

/** From now on Python arrives in no page that loads. @returns lets it arrive again */
export async function holdPython(at: BrowserContext | Page): Promise<() => Promise<void>> {
  await at.route(PYTHON, () => {})
  return () => at.unroute(PYTHON)
}

/** For tests of the page without Python: Python never arrives. */
export const withoutPython = test.extend({
  context: async ({ context }, use) => {
    await holdPython(context)
    await use(context)
  },
})

/** The page that the tests of a worker share. */
class SharedPage {
  private page: Page | null = null

  constructor(private readonly browser: Browser) {}

  async get(): Promise<Page> {
    if (!this.page || this.page.isClosed()) this.page = await (await this.browser.newContext()).newPage()
    return this.page
  }

  async close(): Promise<void> {
    await this.page?.context().close()
    this.page = null
  }
}

/**
 * Tests that share one page with those of other files, one after the other: half of the work of a test is to start the page and
 * its Python. Each begins with `app.open()`, which puts an example back as published, and the panels back as in a new page. Options
 * of the user, versions and deleted workspaces stay. After a failure the next test gets a new page.
 */
export const onePage = test.extend<object, { sharedPage: SharedPage }>({
  sharedPage: [
    async ({ browser }, use) => {
      const shared = new SharedPage(browser)
      await use(shared)
      await shared.close()
    },
    { scope: 'worker' },
  ],
  page: async ({ sharedPage, viewport }, use) => {
    const page = await sharedPage.get()
    await page.setViewportSize(viewport!)
    await page.emulateMedia({ colorScheme: null, reducedMotion: null })
    await use(page)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  },
  context: async ({ page }, use) => use(page.context()),
})
