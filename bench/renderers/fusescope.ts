/**
 * Measures Fusescope: a graph's text is dropped over the example of a first visit, which it replaces at once, or over another example,
 * whose patterns then run on it.
 */
import type { Browser, JSHandle, Page } from '@playwright/test'
import { dropGraph, readyToDrop } from '../drop_graph'
import type { BenchGraph } from './drawing'
import { heapOf } from './library'
import { PAN_MS, type Measured } from './measured'

export async function measureFusescope(
  browser: Browser,
  url: string,
  { text, nodes }: BenchGraph,
  { limitMs, patterns }: { limitMs: number; patterns: boolean },
): Promise<Measured> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  page.setDefaultTimeout(limitMs)
  await page.goto(patterns ? `${url}?example=silu-mul-block-quant` : url)
  await page.evaluate(() => (window as unknown as { __fusescope: { ready: Promise<void> } }).__fusescope.ready)
  const begin = patterns ? await replacing(page, text) : await readyToDrop(page, text)
  const paintMs = await begin.evaluate(
    async (act, [count, limit]) => {
      const started = performance.now()
      act()
      for (;;) {
        const canvas = document.querySelector('[data-canvas]')
        if (canvas?.getAttribute('aria-label')?.includes(`${count} nodes`) && !canvas.hasAttribute('data-pending'))
          break
        if (performance.now() - started > limit) throw new Error(`nothing after ${limit / 1000} s`)
        await new Promise((done) => requestAnimationFrame(done))
      }
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
      return performance.now() - started
    },
    [nodes, limitMs] as const,
  )
  const box = (await page.getByTestId('canvas-before').boundingBox())!
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  const counted = page.evaluate(async (ms) => {
    const started = performance.now()
    let frames = 0
    while (performance.now() - started < ms) {
      await new Promise((done) => requestAnimationFrame(done))
      frames++
    }
    return (frames * 1000) / (performance.now() - started)
  }, PAN_MS)
  const until = performance.now() + PAN_MS
  for (let i = 0; performance.now() < until; i++)
    await page.mouse.move(box.x + box.width / 2 + (i % 40 < 20 ? i % 20 : 20 - (i % 20)) * 12, box.y + box.height / 2)
  const framesPerSecond = await counted
  await page.mouse.up()
  return { paintMs, framesPerSecond, heapMB: await heapOf(page) }
}

/** @returns a function of the page that answers the question after the drop */
async function replacing(page: Page, text: string): Promise<JSHandle<() => void>> {
  const button = await (await dropGraph(page, text)).elementHandle()
  return page.evaluateHandle((b) => () => (b as HTMLElement).click(), button)
}
