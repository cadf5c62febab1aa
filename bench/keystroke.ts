/**
 * Measures the time from keystroke to highlight in a real browser: presses one key in the flagship example's pattern and
 * waits for the first frame after the new report is in the stores. The key replaces a digit, which decides whether the
 * patterns fire. Then types a comment and blank lines, which change no registration. Needs a build (`npm run build`). Prints p50
 * and p95 with their ratio to a bare start of Pyodide, and the load of the machine.
 *
 *   npx tsx bench/keystroke.ts [--copies=7] [--dir=DIST] [--pauses=6]     on chained copies of the example's graph (1,388 nodes more each); of another
 *                                                            build, for figures before and after a change; with keys after pauses
 */
import { loadavg } from 'node:os'
import { chromium } from '@playwright/test'
import { findChromium } from '../scripts/chromium.mjs'
import { serveDist } from '../scripts/serve.mjs'
import { printReadable } from '../src/fx'
import { bareStart } from './bare_start'
import { dropGraph } from './drop_graph'
import { chain, vllmLike32 } from './graphs'
import { median, ms, quantile } from './stats'

const KEYSTROKES = 34
const WARM_UP = 6
// One digit decides whether the block patterns fire.
const FIRES = 'eps=1e-10'
const FAILS = 'eps=1e-11'

interface Hooks {
  __fusescope: {
    ready: Promise<void>
    editor: { select(text: string): void }
    getState(): {
      run: {
        running: object | null
        outcome: { value: { python: object | null } }
        result: { fixes: string; value: { graph: { nodes: object[] } } | null }
      }
    }
  }
  __frame: Promise<number>
}

const pauses = Number(process.argv.find((a) => a.startsWith('--pauses='))?.slice('--pauses='.length) ?? 0)
const copies = Number(process.argv.find((a) => a.startsWith('--copies='))?.slice('--copies='.length) ?? 1)

const server = await serveDist(process.argv.find((a) => a.startsWith('--dir='))?.slice('--dir='.length))
const browser = await chromium.launch({ executablePath: findChromium() ?? undefined, args: ['--no-sandbox'] })
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
await page.goto(`${server.url}?example=silu-mul-block-quant`)
await page.evaluate(() => (window as unknown as Hooks).__fusescope.ready)
if (copies > 1) {
  await (await dropGraph(page, printReadable(chain(vllmLike32().graph, copies)))).click()
  await page.waitForFunction((nodes) => {
    const { result } = (window as unknown as Hooks).__fusescope.getState().run
    return result.value?.graph.nodes.length === nodes
  }, chain(vllmLike32().graph, copies).size)
}
await page.getByRole('tab', { name: /activation_quant_fusion/ }).click()

/** Times from the edit that `press` makes, in ms: to the answer in the stores, and to a frame with it. */
async function sample(press: () => Promise<void>): Promise<{ answer: number; frame: number }> {
  await page.waitForFunction(() => (window as unknown as Hooks).__fusescope.getState().run.running === null)
  await page.evaluate(() => {
    const w = window as unknown as Hooks
    performance.clearMarks()
    // The time of the first frame after the report's arrival.
    w.__frame = new Promise((resolve) => {
      const seen = new PerformanceObserver((list) => {
        if (!list.getEntriesByName('fusescope:report').length) return
        seen.disconnect()
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now())))
      })
      seen.observe({ entryTypes: ['mark'] })
    })
  })
  await press()
  return page.evaluate(async () => {
    const w = window as unknown as Hooks
    const end = await w.__frame
    const edits = performance.getEntriesByName('fusescope:edit').map((e) => e.startTime)
    if (edits.length !== 1) throw new Error(`one key made ${edits.length} edits`)
    if (w.__fusescope.getState().run.outcome.value.python)
      throw new Error('the edit raises an exception, so no pattern has run')
    return {
      answer: performance.getEntriesByName('fusescope:report')[0]!.startTime - edits[0]!,
      frame: end - edits[0]!,
    }
  })
}

const select = (text: string): Promise<void> =>
  page.evaluate((wanted) => (window as unknown as Hooks).__fusescope.editor.select(wanted), text)

/** Typed at intervals, as a person does. */
const typing = (): Promise<void> => page.waitForTimeout(60)

/** After the explanation and the search for fixes. */
async function paused(): Promise<void> {
  await page.waitForTimeout(1500)
  await page.waitForFunction(() => (window as unknown as Hooks).__fusescope.getState().run.result.fixes !== 'running')
  await page.waitForTimeout(1000)
}

async function measure(
  what: string,
  times: number,
  press: (i: number) => Promise<() => Promise<void>>,
  wait = typing,
): Promise<void> {
  const samples: { answer: number; frame: number }[] = []
  const warmUp = wait === typing ? WARM_UP : 0
  for (let i = 0; i < times + warmUp; i++) {
    await wait()
    const made = await sample(await press(i))
    if (i >= warmUp) samples.push(made)
  }
  const figures = (['answer', 'frame'] as const).map((to) => {
    const values = samples.map((s) => s[to])
    const [p50, p95] = [quantile(values, 0.5), quantile(values, 0.95)]
    return `${to} p50 ${ms(p50)} p95 ${ms(p95)} (${(p95 / bare).toFixed(3)} × bare)`
  })
  console.log(`${what.padEnd(26)} ${figures.join('  ')}`)
}

const bare = median([bareStart(), bareStart(), bareStart()])
console.log(`bare start of Pyodide ${ms(bare)}, load ${loadavg()[0]!.toFixed(1)}`)

const digit = async (i: number): Promise<() => Promise<void>> => {
  const [from, to] = i % 2 === 0 ? [FIRES, FAILS] : [FAILS, FIRES]
  await select(from)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+ArrowLeft')
  return () => page.keyboard.press(to.at(-1)!)
}
await measure('a digit that decides', KEYSTROKES, digit)
if (pauses > 0) await measure('the same after a pause', pauses, digit, paused)
await select(FIRES)
await page.keyboard.press('End')
await page.keyboard.type('  # one')
await measure('a letter of a comment', KEYSTROKES, async () => () => page.keyboard.press('x'))
await measure('a line', KEYSTROKES, async () => () => page.keyboard.press('Enter'))
await browser.close()
await server.close()
