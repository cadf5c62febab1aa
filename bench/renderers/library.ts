/** Measures a library that draws the graph in an empty page. */
import type { Browser } from '@playwright/test'
import type { BenchGraph } from './drawing'
import { PAN_MS, type Measured } from './measured'

export type Library = 'graphviz' | 'cytoscape' | 'sigma' | 'sigmaGiven'

interface PageGlobals {
  renderers: Record<Library, (text: string) => Promise<(pixels: number) => void>>
  prepare(text: string): unknown
  move: (pixels: number) => void
}

export interface LibraryRun {
  /** Sets `window.renderers`. */
  script: string
  library: Library
  graph: BenchGraph
  limitMs: number
}

export async function measureLibrary(
  browser: Browser,
  { script, library, graph, limitMs }: LibraryRun,
): Promise<Measured> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.setContent('<div id="root" style="width: 1440px; height: 900px"></div>')
  await page.addScriptTag({ content: script })
  if (library === 'sigmaGiven')
    await page.evaluate((text) => void (window as unknown as PageGlobals).prepare(text), graph.text)
  const drawn = page.evaluate(
    async ([name, text]) => {
      const started = performance.now()
      const w = window as unknown as PageGlobals
      try {
        w.move = await w.renderers[name](text)
      } catch (e) {
        // Graphviz throws objects that are no errors.
        const frames = e instanceof Error ? [...new Set(e.stack?.match(/at (\S+)/g))].slice(0, 4).join(' ') : ''
        throw new Error(`${e instanceof Error ? e.message : JSON.stringify(e)} ${frames}`)
      }
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
      return performance.now() - started
    },
    [library, graph.text] as const,
  )
  const late = new Promise<null>((done) => setTimeout(() => done(null), limitMs).unref())
  const paintMs = await Promise.race([drawn, late])
  if (paintMs === null) {
    drawn.catch(() => {})
    return { failed: `nothing after ${limitMs / 1000} s` }
  }
  const panned = await Promise.race([
    page.evaluate(async (ms) => {
      const { move } = window as unknown as PageGlobals
      const started = performance.now()
      let frames = 0
      while (performance.now() - started < ms) {
        move(frames % 40 < 20 ? 12 : -12)
        await new Promise((done) => requestAnimationFrame(done))
        frames++
      }
      return (frames * 1000) / (performance.now() - started)
    }, PAN_MS),
    late,
  ])
  if (panned === null)
    return { failed: `no end of a pan after ${limitMs / 1000} s; painted after ${Math.round(paintMs)} ms` }
  return { paintMs, framesPerSecond: panned, heapMB: await heapOf(page) }
}

/** MB after a garbage collection. */
export async function heapOf(page: import('@playwright/test').Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize / 1e6
}
