// @ts-check
/**
 * The jobs of docs/browsers.md in the system's browsers:
 * `npm run e2e -- --browser chromium|firefox|webkit [--all] [--write]`. `--all`: the long ones too; `--write`: writes the table.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { duration, root } from '../lib.mjs'
import { createStaticServer, listen } from '../serve.mjs'
import { openPage, within } from './driver.mjs'
import { BROWSERS } from './find.mjs'
import { EXAMPLE, JOBS, Opened } from './jobs.mjs'
import { writeColumn } from './table.mjs'

/** For the jobs of a browser together, in ms, on a busy machine; the long jobs have minutes each. */
const LIMIT = 6 * 60_000
const LIMIT_ALL = 30 * 60_000

/**
 * Stops at the first job that fails, because later jobs depend on the page that it leaves.
 * @param {import('./find.mjs').Name} name
 * @param {{ all?: boolean, write?: boolean }} [options]
 * @returns {Promise<boolean>} true if all jobs are done; prints what was seen
 */
export async function runBrowser(name, { all = false, write = false } = {}) {
  const { title, find, install } = BROWSERS[name]
  const path = find()
  if (!path) {
    console.error(`There is no ${title}: install it (${install}).`)
    return false
  }
  // The long jobs alone open pages of the tests, which are built beside the others.
  const server = createStaticServer([patientExample(), 'dist', ...(all ? ['.cache/test-pages'] : [])])
  /** @type {string[]} */
  const asked = []
  server.on('request', ({ url = '' }) => asked.push(url))
  const url = `http://127.0.0.1:${await listen(server, 4400)}/`
  const started = performance.now()
  /** @type {import('./driver.mjs').Page | null} */
  let page = null
  /** @type {Map<string, string>} */
  const done = new Map()
  let doing = 'start'
  try {
    page = await openPage(name, path)
    const at = new Opened(page, url, asked)
    for (const job of JOBS.filter((j) => all || !j.long)) {
      doing = job.id
      const begun = performance.now()
      const left = (all ? LIMIT_ALL : LIMIT) - (begun - started)
      done.set(job.id, (await within(job.run(at), left, 'all jobs together take too long')) ?? 'yes')
      console.log(`  ${job.title}: ${done.get(job.id)}, ${duration(performance.now() - begun)}`)
    }
    console.log(`ok  ${done.size} jobs in ${page.version}, ${duration(performance.now() - started)}`)
    if (write) writeColumn(name, page.version, done)
    return true
  } catch (e) {
    console.error(`FAILED  ${page?.version ?? path}, ${doing}: ${/** @type {Error} */ (e).message}`)
    if (page) await keepScreenshot(page, `${name}-${doing}`)
    return false
  } finally {
    await page?.close()
    server.close()
    server.closeAllConnections()
  }
}

/** @param {import('./driver.mjs').Page} page @param {string} name */
async function keepScreenshot(page, name) {
  try {
    const image = await within(page.screenshot(), 10_000, 'no answer')
    mkdirSync(join(root, 'test-results'), { recursive: true })
    writeFileSync(join(root, 'test-results', `${name}.png`), image)
  } catch (e) {
    console.error(`No screenshot: ${/** @type {Error} */ (e).message}`)
  }
}

/** A folder with the example of the jobs, whose time limit is long enough for a busy machine. */
function patientExample() {
  const folder = join(root, '.cache', 'browsers')
  const path = join('examples', EXAMPLE, 'workspace.json')
  const workspace = JSON.parse(readFileSync(join(root, 'dist', path), 'utf8'))
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(
    join(folder, path),
    JSON.stringify({ ...workspace, options: { ...workspace.options, timeLimitS: 120 } }),
  )
  return folder
}
