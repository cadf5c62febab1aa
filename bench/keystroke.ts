/**
 * Measures the time from keystroke to highlight in a real browser: presses one key in the flagship example's pattern and
 * waits for the first frame after the new report is in the stores. The key replaces a digit, which decides whether the
 * patterns fire. Needs a build (`npm run build`). Prints p50 and p95.
 *
 *   npx tsx bench/keystroke.ts [--copies=7]     on chained copies of the example's graph (1,388 nodes more each)
 */
import { chromium } from '@playwright/test'
import { findChromium } from '../scripts/chromium.mjs'
import { serveDist } from '../scripts/serve.mjs'
import { printReadable } from '../src/fx'
import { dropGraph } from './drop_graph'
import { chain, vllmLike32 } from './graphs'
import { ms, quantile } from './stats'

const KEYSTROKES = 46
// One digit decides whether the block patterns fire.
const FIRES = 'eps=1e-10'
const FAILS = 'eps=1e-11'

interface Hooks {
  __fusescope: {
    ready: Promise<void>
    editor: { select(text: string): void }
    getState(): { run: { python: object | null; report: { graph: { nodes: object[] } } | null } }
  }
  __frame: Promise<number>
}

const copies = Number(process.argv.find((a) => a.startsWith('--copies='))?.slice('--copies='.length) ?? 1)

const server = await serveDist()
const browser = await chromium.launch({ executablePath: findChromium() ?? undefined, args: ['--no-sandbox'] })
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
await page.goto(`${server.url}?example=silu-mul-block-quant`)
await page.evaluate(() => (window as unknown as Hooks).__fusescope.ready)
if (copies > 1) {
  await (await dropGraph(page, printReadable(chain(vllmLike32().graph, copies)))).click()
  await page.waitForFunction((nodes) => {
    const { report } = (window as unknown as Hooks).__fusescope.getState().run
    return report?.graph.nodes.length === nodes
  }, chain(vllmLike32().graph, copies).size)
}
await page.getByRole('tab', { name: /activation_quant_fusion/ }).click()

const samples: number[] = []
for (let i = 0; i < KEYSTROKES; i++) {
  const [from, to] = i % 2 === 0 ? [FIRES, FAILS] : [FAILS, FIRES]
  await page.evaluate((text) => {
    const w = window as unknown as Hooks
    w.__fusescope.editor.select(text)
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
  }, from)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press(to.at(-1)!)
  samples.push(
    await page.evaluate(async () => {
      const w = window as unknown as Hooks
      const end = await w.__frame
      const edits = performance.getEntriesByName('fusescope:edit').length
      if (edits !== 1) throw new Error(`one key made ${edits} edits`)
      if (w.__fusescope.getState().run.python) throw new Error('the edit raises an exception, so no pattern has run')
      return end - performance.getEntriesByName('fusescope:edit')[0]!.startTime
    }),
  )
}
const warm = samples.slice(6)
console.log(
  `keystroke to highlight: p50 ${ms(quantile(warm, 0.5))}  p95 ${ms(quantile(warm, 0.95))}  (${warm.length} edits)`,
)
await browser.close()
await server.close()
