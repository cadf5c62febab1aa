/**
 * Measures later visits in one browser profile: the times from the navigation to Python's start and to the first report
 * of the example of a first visit, with their ratio to those of the first visit and to a bare start of Pyodide. Needs a build (`npm run build`).
 *
 *   npx tsx bench/second_visit.ts [--dir=DIST …]     other builds, visited in turns: figures before and after a change
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type BrowserContext } from '@playwright/test'
import { findChromium } from '../scripts/chromium.mjs'
import { serveDist } from '../scripts/serve.mjs'
import { bareStart } from './bare_start'
import { median, ms } from './stats'

const ROUNDS = 7
/** The time after the first report in which the page keeps what later visits start from. */
const KEEP_MS = 9000

interface Hooks {
  __fusescope: { ready: Promise<void>; getState(): { run: { engine: { readyMs: number | null } } } }
}

interface Visit {
  /** Milliseconds from the navigation. */
  python: number
  report: number
}

/** A build with a browser of its own. */
interface Site {
  name: string
  url: string
  profile: string
  context: BrowserContext
  first: Visit
  again: Visit[]
  restarted: Visit[]
  close(): void
}

const open = (profile: string): Promise<BrowserContext> =>
  chromium.launchPersistentContext(profile, {
    executablePath: findChromium() ?? undefined,
    args: ['--no-sandbox'],
    viewport: { width: 1440, height: 900 },
  })

async function siteOf(dir: string | undefined): Promise<Site> {
  const { url, close } = await serveDist(dir)
  const profile = mkdtempSync(join(tmpdir(), 'fusescope-visits-'))
  const context = await open(profile)
  const first = await visit(context, url, KEEP_MS)
  return { name: dir ?? 'dist', url, profile, context, first, again: [], restarted: [], close }
}

async function visit(context: BrowserContext, url: string, stay: number): Promise<Visit> {
  const page = await context.newPage()
  await page.goto(url, { waitUntil: 'commit' })
  await page.waitForFunction(() => '__fusescope' in window)
  const times = await page.evaluate(async () => {
    const { __fusescope: app } = window as unknown as Hooks
    const python = new Promise<number>((resolve) => {
      const timer = setInterval(() => {
        if (app.getState().run.engine.readyMs === null) return
        clearInterval(timer)
        resolve(performance.now())
      }, 5)
    })
    await app.ready
    return { report: performance.now(), python: await python }
  })
  await page.waitForTimeout(stay)
  await page.close()
  return times
}

const figure = ({ first }: Site, visits: readonly Visit[], of: keyof Visit): string => {
  const time = median(visits.map((v) => v[of]))
  return `${ms(time)} (${(time / first[of]).toFixed(2)} × first, ${(time / bare).toFixed(2)} × bare)`
}

const figures = (site: Site, name: string, visits: readonly Visit[]): string =>
  `${name.padEnd(34)} Python ${figure(site, visits, 'python')}  first report ${figure(site, visits, 'report')}`

const bare = median([bareStart(), bareStart(), bareStart()])
console.log(`bare start of Pyodide ${ms(bare)}, load ${loadavg()[0]!.toFixed(1)}`)
const dirs = process.argv.filter((a) => a.startsWith('--dir=')).map((a) => a.slice('--dir='.length))
const sites: Site[] = []
for (const dir of dirs.length > 0 ? dirs : [undefined]) sites.push(await siteOf(dir))
for (let i = 0; i < ROUNDS; i++) for (const s of sites) s.again.push(await visit(s.context, s.url, 500))
for (let i = 0; i < ROUNDS; i++)
  for (const s of sites) {
    await s.context.close()
    s.context = await open(s.profile)
    s.restarted.push(await visit(s.context, s.url, 500))
  }
for (const s of sites) {
  await s.context.close()
  rmSync(s.profile, { recursive: true, force: true })
  s.close()
  console.log(s.name)
  console.log(figures(s, 'first visit', [s.first]))
  console.log(figures(s, 'later visits, same browser', s.again))
  console.log(figures(s, 'later visits, browser started anew', s.restarted))
}
