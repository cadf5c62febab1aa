/** The requests that begin before the page shows its first verdict, for the budget (smoke.spec.ts) and bench/network.ts. */
import type { Page, Request } from '@playwright/test'

/** A file that was sent. */
export interface Sent {
  path: string
  /** Bytes as sent: compressed, without headers. */
  bytes: number
  /** Milliseconds from the navigation. */
  start: number
}

export interface FirstScreen {
  /** Milliseconds from the navigation. */
  verdict: number
  /** All requests so far, by their start. */
  all: Sent[]
  /** The requests that began before the verdict. */
  before: Sent[]
}

/** A string, because a TypeScript loader may add calls to functions. */
const MARK_VERDICT = `{
  const look = () => {
    const status = document.querySelector('[data-testid=status]')?.textContent ?? ''
    if (/\\bmatch(es)?\\b/.test(status)) performance.mark('verdict')
    else requestAnimationFrame(look)
  }
  if (window === window.top) requestAnimationFrame(look)
}`

/** Watches a page that has not been opened. @returns the requests so far; waits for the verdict */
export async function watchFirstScreen(page: Page): Promise<() => Promise<FirstScreen>> {
  const sent: Promise<Sent>[] = []
  page.on('requestfinished', (request) => {
    if (request.url().startsWith('http')) sent.push(sentBy(request))
  })
  await page.addInitScript(MARK_VERDICT)
  return async () => {
    await page.waitForFunction(() => performance.getEntriesByName('verdict').length > 0)
    const [verdict, origin] = await page.evaluate(() => [
      performance.getEntriesByName('verdict')[0]!.startTime,
      performance.timeOrigin,
    ])
    const all = (await Promise.all(sent))
      .map((s) => ({ ...s, start: s.start - origin! }))
      .sort((a, b) => a.start - b.start)
    return { verdict: verdict!, all, before: all.filter((s) => s.start < verdict!) }
  }
}

async function sentBy(request: Request): Promise<Sent> {
  const sizes = await request.sizes().catch(() => null)
  const path = new URL(request.url()).pathname.slice(1) || 'index.html'
  return { path, bytes: sizes?.responseBodySize ?? 0, start: request.timing().startTime }
}

export const bytesOf = (sent: readonly Sent[]): number => sent.reduce((n, s) => n + s.bytes, 0)

/** `  256.0 kB  assets/view-CTVV1Xq2.js`, a line for each file, the largest first. */
export const linesOf = (sent: readonly Sent[]): string =>
  [...sent]
    .sort((a, b) => b.bytes - a.bytes)
    .map(({ path, bytes }) => `${kB(bytes)}  ${path}`)
    .join('\n')

export const kB = (bytes: number): string => `${(bytes / 1000).toFixed(1).padStart(8)} kB`
