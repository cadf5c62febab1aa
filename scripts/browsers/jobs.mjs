// @ts-check
/**
 * What every browser must do, in this order on one page: the rows of docs/browsers.md. The same code runs in each browser.
 * Evaluated functions have no variables of this file, and no names of their own inside.
 */
import assert from 'node:assert/strict'

/** @typedef {import('./driver.mjs').Page} Page */
/**
 * @typedef {object} Job
 * @property {string} id
 * @property {string} title the row
 * @property {boolean} [long] only with `--all`: most start the engine once more, which takes most of a job's time
 * @property {(at: Opened) => Promise<string | void>} run what the browser has; nothing: a plain yes
 */

/** Long enough for a busy machine, in ms. */
const PATIENCE = 240_000
export const EXAMPLE = 'rms-norm-int8'
const START = `?example=${EXAMPLE}`
const TAG = '<img src=x onerror=pwned()>'
const GRAPH = `graph():
    %x : [num_users=1] = placeholder[target=x]
    # File: ${TAG}
    %y : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})
    return (y,)
`

/** The page and its server, as the jobs use them. */
export class Opened {
  /** @param {Page} page @param {string} url @param {readonly string[]} asked addresses that the server was asked for */
  constructor(page, url, asked) {
    this.page = page
    this.url = url
    this.asked = asked
  }

  /** @param {string} address after the page's */
  goto(address) {
    return this.page.goto(address.startsWith('http') ? address : this.url + address)
  }

  /**
   * Waits in this process: the page's policy forbids the expressions with which clients wait in the page.
   * @template T
   * @param {() => Promise<T>} read @param {(value: T) => boolean} isSo @param {string} what
   */
  async until(read, isSo, what) {
    const end = Date.now() + PATIENCE
    for (;;) {
      const value = await read()
      if (isSo(value)) return value
      assert.ok(Date.now() < end, `${what}; found ${JSON.stringify(value)?.slice(0, 400)}`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }

  /** @param {string} selector @returns {Promise<string>} the text and the value of the first */
  text(selector) {
    return this.page.evaluate((s) => {
      const found = document.querySelector(s)
      return found ? (found.textContent ?? '') + (found instanceof HTMLInputElement ? found.value : '') : ''
    }, selector)
  }

  /** @param {string} selector @param {string} text */
  shows(selector, text) {
    return this.until(
      () => this.text(selector),
      (found) => found.includes(text),
      `“${text}” expected in ${selector}`,
    )
  }

  /** Presses the first element whose text contains `text`, once it is there and not disabled. @param {string} selector @param {string} [text] */
  click(selector, text = '') {
    return this.until(
      () =>
        this.page.evaluate(
          (s, t) => {
            const all = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(s)])
            const found = all.find((e) => e.textContent?.includes(t) && !e.matches(':disabled'))
            // Tabs of Radix listen to the pointer.
            if (found?.role === 'tab') found.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }))
            found?.click()
            return found !== undefined
          },
          selector,
          text,
        ),
      Boolean,
      `${selector} “${text}” expected`,
    )
  }

  state() {
    return this.page.evaluate(() => {
      const { run } = /** @type {any} */ (window).__fusescope?.getState() ?? {}
      const readyMs = run?.engine.readyMs ?? null
      const failure = run?.outcome.value.failure ?? null
      const running = run?.running !== null
      const consent = run?.consent ?? ''
      const stored = (run?.result.state ?? 'stored') === 'stored'
      return { readyMs, running, failure, stored, consent, nodes: run?.graphRead.value?.nodes.length ?? 0 }
    })
  }

  /** Waits for the first report of the engine; that of an example is stored. */
  async live() {
    const { failure } = await this.until(
      () => this.state(),
      (s) => s.failure !== null || (s.readyMs > 0 && !s.running && !s.stored),
      'the engine does not start',
    )
    assert.equal(failure, null)
  }

  /** @param {string} find @param {string} replacement */
  async replaceInEditor(find, replacement) {
    await this.page.evaluate((text) => void (/** @type {any} */ (window).__fusescope.editor.select(text)), find)
    await this.until(
      () => this.page.evaluate(() => document.activeElement?.closest('.monaco-editor') !== null),
      Boolean,
      'the editor takes no focus',
    )
    await this.page.type(replacement)
  }
}

/** @type {readonly Job[]} */
export const JOBS = [
  {
    id: 'engine',
    title: 'The engine starts; its report takes the place of the stored one',
    async run(at) {
      await at.goto(START)
      await at.live()
      await at.shows('[data-testid=status]', '1 match')
    },
  },
  {
    id: 'keyboard',
    title: 'The keyboard opens the commands, runs one and closes dialogs',
    async run(at) {
      const { page } = at
      await page.press('Control+k')
      await at.until(
        () => page.evaluate(() => document.activeElement?.getAttribute('role') ?? ''),
        (role) => role === 'combobox',
        'the commands take no focus',
      )
      await page.type('pipel')
      await at.shows('[role=option]', 'Pipeline')
      await page.press('Enter')
      await at.until(
        () =>
          page.evaluate(
            () => document.querySelector('[data-testid=panel-tab-pipeline]')?.getAttribute('aria-expanded') ?? '',
          ),
        (expanded) => expanded === 'true',
        'the panel does not open',
      )
      await page.press('?')
      await at.shows('[role=dialog]', 'Help')
      await page.press('Escape')
      await at.until(
        () => page.evaluate(() => document.querySelectorAll('[role=dialog]').length),
        (dialogs) => dialogs === 0,
        'the dialog does not close',
      )
    },
  },
  {
    id: 'run',
    title: 'Run compares the two sides of a match',
    async run(at) {
      await at.click('[data-testid=panel-tab-run]')
      await at.click('[data-testid=run-button]')
      await at.until(
        () => at.text('[data-testid=run-verdict]'),
        (text) => text !== '',
        'a verdict of Run expected',
      )
      const said = await at.page.evaluate(() => document.body.textContent ?? '')
      if (!/only the reference \(CPU\) results are shown/.test(said)) return 'on WebGPU'
      assert.match(said, /by definition|exactly|Equal|Close|differ/i)
      return 'by the reference device (no WebGPU), and says so'
    },
  },
  {
    id: 'edit',
    title: 'An edit changes the number of matches, and the cause is named',
    async run(at) {
      await at.click('[role=tab]', 'fusion.py')
      await at.replaceInEditor('1e-6', '1e-5')
      await at.shows('[data-testid=status]', '0 matches')
      await at.shows('[data-testid=verdict]', '1e-06 in the graph, 1e-05 in the pattern')
    },
  },
  {
    id: 'kept',
    title: 'Edits are in IndexedDB, and there after a reload',
    async run(at) {
      await at.until(
        () =>
          at.page.evaluate(() => Object.keys(localStorage).filter((k) => k.startsWith('fusescope:journal:')).length),
        (waiting) => waiting === 0,
        'the edit stays in the journal',
      )
      await at.goto(START)
      await at.until(
        () =>
          at.page.evaluate(
            () => /** @type {any} */ (window).__fusescope?.getState().workspace.workspace.files[0]?.text ?? '',
          ),
        (text) => text.includes('EPSILON = 1e-5'),
        'the edit is lost',
      )
    },
  },
  {
    id: 'link',
    title: 'A link opens the same workspace; its code waits for consent',
    long: true,
    async run(at) {
      await at.click('[data-testid=share-button]')
      const link = await at.until(
        () => at.text('[data-testid=share-link]'),
        (text) => text.includes('#v2.'),
        'a link expected',
      )
      await at.goto(link)
      await at.until(
        () => at.state(),
        (s) => s.consent === 'pending' && !s.running,
        'the code of a link must wait',
      )
      await at.click('[data-testid=consent-button]')
      await at.live()
      await at.shows('[data-testid=status]', '0 matches')
    },
  },
  {
    id: 'drop',
    title: 'A dropped file opens; a tag in it stays text',
    async run(at) {
      await at.page.evaluate((text) => {
        const transfer = new DataTransfer()
        transfer.items.add(new File([text], 'dropped.txt'))
        for (const type of ['dragenter', 'dragover', 'drop'])
          document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: transfer }))
      }, GRAPH)
      await opensOver(at, 3)
      assert.equal(await at.page.evaluate(() => document.querySelectorAll('[src="x"], [onerror]').length), 0)
    },
  },
  {
    id: 'paste',
    title: 'A pasted text opens',
    async run(at) {
      await at.page.evaluate(
        (text) => {
          const data = new DataTransfer()
          data.setData('text/plain', text)
          const event = new ClipboardEvent('paste', { bubbles: true, cancelable: true })
          // Firefox does not take it from the initial values.
          Object.defineProperty(event, 'clipboardData', { value: data })
          document.body.dispatchEvent(event)
        },
        GRAPH.replace(
          'return (y,)',
          '%z : [num_users=1] = call_function[target=torch.ops.aten.neg.default](args = (%y,), kwargs = {})\n    return (z,)',
        ),
      )
      await opensOver(at, 4)
    },
  },
  {
    id: 'lesson',
    title: 'A lesson goes on, and its exercise is checked',
    long: true,
    async run(at) {
      await at.goto('?lesson=aten&step=3')
      const before = await at.until(
        () => at.text('[data-testid=lesson-step]'),
        (text) => text !== '',
        'a step expected',
      )
      await at.click('[data-testid=lesson-next]')
      await at.until(
        () => at.text('[data-testid=lesson-step]'),
        (text) => text !== before,
        'the next step expected',
      )
      await at.click('[data-testid=exercise] button', 'Show the solution')
      await at.click('[data-testid=apply-solution]')
      await at.shows('[data-testid=solved]', 'Solved')
    },
  },
  {
    id: 'embed',
    title: 'The embedded page draws a graph and runs nothing',
    long: true,
    async run(at) {
      await at.goto('embed.html?example=rms-norm-int8')
      await at.until(
        () => at.page.evaluate(() => document.querySelectorAll('[data-testid=canvas-before] [data-node]').length),
        (drawn) => drawn > 0,
        'nodes expected',
      )
      assert.equal((await at.state()).readyMs, null)
    },
  },
  {
    id: 'storage',
    title:
      'A page that ends while it saves loses nothing; damaged rows and settings leave it usable; a later database is only read',
    long: true,
    async run(at) {
      await at.goto(START)
      await at.live()
      await at.click('[role=tab]', 'fusion.py')
      await at.replaceInEditor('EPSILON', '# kept\nEPSILON')
      await holds(at, '# kept')
      await at.page.evaluate(() => {
        const open = indexedDB.open('fusescope')
        open.onsuccess = () => {
          const bodies = open.result.transaction('bodies', 'readwrite').objectStore('bodies')
          for (let i = 0; i < 50; i++) bodies.put('x'.repeat(100_000), `own:large${i}`)
          location.reload()
        }
      })
      await at.until(
        () => at.state(),
        (s) => s.nodes > 0 && !s.running,
        'the page does not open again',
      )
      await holds(at, '# kept')
      await at.page.evaluate(() => {
        for (const key of Object.keys(localStorage))
          if (!/:(?:last|journal|kept)/.test(key))
            localStorage.setItem(key, '{"__proto__":{"x":1},"list":5,"a":[null]}')
        const open = indexedDB.open('fusescope')
        open.onsuccess = () => {
          const rows = open.result.transaction(['workspaces', 'bodies'], 'readwrite')
          rows.objectStore('workspaces').put({ id: 'own:bad', name: { a: 1 }, at: 'x', stamp: 7 })
          rows.objectStore('workspaces').put({ id: 'own:none', name: 'Without text', at: 1, stamp: 's' })
          rows.objectStore('bodies').put('garbage', 'own:none')
          rows.oncomplete = () => {
            open.result.close()
            const later = indexedDB.open('fusescope', 99)
            later.onsuccess = () => (later.result.close(), location.reload())
          }
        }
      })
      await at.shows('[data-testid=unsaved]', 'A newer Fusescope has upgraded the workspaces of this browser')
      await at.live()
      await holds(at, '# kept')
    },
  },
  {
    id: 'box',
    title: 'User code meets the locked worker: connections, globals, intrinsics',
    long: true,
    async run(at) {
      await at.goto('e2e/pages/box.html')
      const text = await at.until(
        () => at.text('#result'),
        (found) => found.startsWith('{'),
        'a result of the box expected',
      )
      const { before, connected, globals, gained, inherited, error } = JSON.parse(text)
      assert.equal(error, undefined)
      assert.deepEqual({ connected, globals, gained }, { connected: [], globals: [], gained: [] })
      // Numbers of the platform, which cannot be deleted.
      assert.deepEqual(
        inherited.filter((/** @type {string} */ name) => name !== 'TEMPORARY' && name !== 'PERSISTENT'),
        [],
      )
      // Before the lock, most attacks gain something: they attack.
      assert.ok(before > 150, `${before} attacks gain something in an open worker`)
      // Firefox 140 and WebKitGTK 2.50 fetch a worker's font whatever the policy says. User code has no FontFace: the lock takes it away before.
      const past = at.page.version.startsWith('Chrom') ? [] : ['/leak.ttf']
      const left = at.asked.filter((address) => address.includes('leak'))
      assert.deepEqual(
        left.filter((address) => !past.includes(address)),
        [],
      )
      if (left.length > 0) return 'yes; against fonts the lock alone, because the policy lets FontFace ask'
    },
  },
  {
    id: 'escapes',
    title: 'The corpus of Python snippets gains nothing',
    long: true,
    async run(at) {
      const { tsImport } = await import('tsx/esm/api')
      const { ESCAPES, escapesFile } = await tsImport('../../src/python/testing/hostile/escapes.ts', import.meta.url)
      await at.goto(START)
      await at.live()
      await at.page.evaluate((text) => {
        const { fusescope, __fusescope } = /** @type {any} */ (window)
        const { workspace } = __fusescope.getState().workspace
        void fusescope.open({ ...workspace, files: [{ name: 'p.py', text }], options: { timeLimitS: 60 } })
      }, escapesFile())
      const printed = await at.until(
        () =>
          at.page.evaluate(() => {
            const { console, failure } = /** @type {any} */ (window).__fusescope.getState().run.outcome.value
            return console.map((/** @type {{ text: string }} */ c) => c.text).join('\n') + (failure ?? '')
          }),
        (text) => text.includes('ATTACKS'),
        'the corpus does not end',
      )
      assert.ok(printed.includes(`ATTACKS ${ESCAPES.length}`) && !printed.includes('GAIN'), printed.slice(0, 500))
    },
  },
]

/** @param {Opened} at @param {string} text */
const holds = (at, text) =>
  at.until(
    () =>
      at.page.evaluate(
        () => /** @type {any} */ (window).__fusescope?.getState().workspace.workspace.files[0]?.text ?? '',
      ),
    (found) => found.includes(text),
    `“${text}” is lost`,
  )

/** Replaces the open graph by the one that arrives. @param {Opened} at @param {number} nodes */
async function opensOver(at, nodes) {
  await at.click('[role=dialog] button', 'Replace')
  await at.until(
    () => at.state(),
    (s) => s.nodes === nodes,
    `a graph of ${nodes} nodes expected`,
  )
}
