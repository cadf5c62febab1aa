/** Measures Fusescope: a graph's text is dropped over the example of a first visit, which it replaces at once. */
import type { Browser } from '@playwright/test'
import { readyToDrop } from '../drop_graph'
import type { BenchGraph } from './drawing'
import { heapOf } from './library'
import { PAN_MS, type Measured } from './measured'

export async function measureFusescope(
  browser: Browser,
  url: string,
  { text, nodes }: BenchGraph,
  limitMs: number,
): Promise<Measured> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  page.setDefaultTimeout(limitMs)
  await page.goto(url)
  await page.evaluate(() => (window as unknown as { __fusescope: { ready: Promise<void> } }).__fusescope.ready)
  const drop = await readyToDrop(page, text)
  const paintMs = await drop.evaluate(
    async (dropped, [count, limit]) => {
      const started = performance.now()
      dropped()
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
