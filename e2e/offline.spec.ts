/**
 * The build works from the browser's own copy: after one visit without its server, one version at a time, with an offer of the next.
 * Each step waits for a state of the service worker or the page, because filling the cache takes a second or a minute.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { writeServiceWorker } from '../scripts/offline.mjs'
import { createStaticServer, listen } from '../scripts/serve.mjs'
import { App, expect, test } from './fixtures'

const SECRET = 'secret_of_the_user'
const LESSON = 'lessons/by-hand/lesson.md'

/** A host whose files are replaced while it serves. */
class Host {
  readonly asked: string[] = []
  private answer: RequestListener
  private readonly server = createServer((request, response) => {
    this.asked.push(request.url!.slice(1))
    this.answer(request, response)
  })

  constructor(dir: string) {
    this.answer = this.serving(dir)
  }

  private serving(dir: string): RequestListener {
    const from = createStaticServer([dir])
    return (request, response) => void from.emit('request', request, response)
  }

  replaceBy(dir: string): void {
    this.answer = this.serving(dir)
  }

  async open(): Promise<string> {
    return `http://127.0.0.1:${await listen(this.server, 0)}/`
  }

  end(): void {
    this.server.close()
    this.server.closeAllConnections()
  }
}

/** The page's service workers by state. */
const workers = (page: Page) =>
  page.evaluate(async () => {
    const found = await navigator.serviceWorker.getRegistration()
    return { active: found?.active?.state, waiting: found?.waiting?.state, installing: found?.installing?.state }
  })

/** Asks the host for a newer version, and waits until it is kept or refused. */
const update = (page: Page) =>
  page.evaluate(async () => {
    const registration = (await navigator.serviceWorker.getRegistration())!
    await registration.update()
    const worker = registration.installing
    if (!worker) return
    await new Promise<void>((resolve) => {
      const look = () => worker.state !== 'installing' && resolve()
      worker.addEventListener('statechange', look)
      look()
    })
  })

interface Kept {
  /**
   * The names of the page's caches that contain files. Chromium makes an empty one again when it stores compiled code of the
   * version before late.
   */
  versions: string[]
  /** Addresses whose bytes differ from the build that their keys name. */
  others: string[]
  files: number
}

/** Reads Cache Storage whole. */
const kept = (page: Page) =>
  page.evaluate(async () => {
    const found: Kept = { versions: [], others: [], files: 0 }
    for (const name of (await caches.keys()).filter((n) => n.startsWith('fusescope-page '))) {
      const cache = await caches.open(name)
      const files = await cache.keys()
      if (files.length > 0) found.versions.push(name)
      for (const { url } of files) {
        const bytes = await (await cache.match(url))!.arrayBuffer()
        const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
        const hash = [...digest].map((b) => b.toString(16).padStart(2, '0')).join('')
        found.files++
        if (url.split('?')[1]!.split('-')[0] !== hash) found.others.push(url)
      }
    }
    return found
  })

const textOf = (page: Page, path: string) => page.evaluate(async (p) => (await fetch(p)).text(), path)
const shownVersion = (page: Page) => page.locator('meta[name=tested-version]').getAttribute('content')

/** A copy of the build in dist with another page and another lesson. */
function writeVersion(folder: string, version: string): string {
  const dir = join(folder, version)
  cpSync('dist', dir, { recursive: true, filter: (from) => !/\.(?:br|gz)$/.test(from) })
  const page = readFileSync(join(dir, 'index.html'), 'utf8')
  writeFileSync(
    join(dir, 'index.html'),
    page.replace('<head>', `<head><meta name="tested-version" content="${version}">`),
  )
  writeFileSync(join(dir, LESSON), `${readFileSync(join(dir, LESSON), 'utf8')}\n${version}\n`)
  writeServiceWorker(dir)
  return dir
}

test('after one visit the page works without its server, one version at a time', async ({ page }) => {
  // Three fills of the cache: minutes on a machine that does much else.
  test.slow()
  const folder = mkdtempSync(join(tmpdir(), 'fusescope-offline-'))
  const host = new Host(writeVersion(folder, 'one'))
  const url = await host.open()
  const app = new App(page)

  await test.step('the command keeps the build, and nothing of the user', async () => {
    await app.open(`${url}?example=rms-norm-int8`)
    await app.openFile(/fusion\.py/)
    await app.replaceInEditor('1e-6', `1e-5  # ${SECRET}`)
    await page.keyboard.press('ControlOrMeta+k')
    await page.keyboard.type('without a network')
    await page.getByRole('option', { name: 'Keep Fusescope for use without a network' }).click()
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    await expect.poll(() => workers(page)).toEqual({ active: 'activated' })
    // An address with the user's work is no key.
    await page.goto(`${url}?example=rms-norm-int8&opened=${SECRET}`)
    await expect(app.status).toContainText('0 matches')
    const { others, files } = await kept(page)
    expect(others).toEqual([])
    // The data of examples and lessons is one file.
    expect(files).toBeGreaterThan(50)
    expect(files).toBeLessThan(150)
  })

  await test.step('a version that the host does not hold whole is not kept', async () => {
    const broken = writeVersion(folder, 'broken')
    writeFileSync(join(broken, 'kept.txt'), 'of another day')
    host.replaceBy(broken)
    await update(page)
    expect(await workers(page)).toEqual({ active: 'activated' })
    expect((await kept(page)).versions).toHaveLength(1)
    await expect(page.getByTestId('update-banner')).toHaveCount(0)
  })

  await test.step('a new version is fetched as far as it changed, offered, and not mixed in', async () => {
    host.replaceBy(writeVersion(folder, 'two'))
    host.asked.length = 0
    await update(page)
    expect([...new Set(host.asked)].filter((path) => path !== 'sw.js').sort()).toEqual(['', 'kept.txt'])
    await expect(page.getByTestId('update-banner')).toContainText('A new version of Fusescope is ready.')
    await page.reload()
    expect(await shownVersion(page)).toBe('one')
    expect(await textOf(page, LESSON)).toContain('\none\n')
  })

  await test.step('the user takes it whole', async () => {
    await page.getByTestId('update-banner').getByRole('button', { name: 'Use it now' }).click()
    await expect(page.locator('meta[name=tested-version][content=two]')).toHaveCount(1)
    expect(await textOf(page, LESSON)).toContain('\ntwo\n')
    await expect.poll(() => workers(page)).toEqual({ active: 'activated' })
    const { versions, others } = await kept(page)
    expect(versions).toHaveLength(1)
    expect(others).toEqual([])
  })

  await test.step('without the server, the page, Python, other examples and the documentation work', async () => {
    host.end()
    await page.goto(`${url}?example=rms-norm-int8`)
    await app.pythonReady()
    await expect(app.status).toContainText('0 matches')
    await app.openFile(/fusion\.py/)
    await app.replaceInEditor('1e-5', '1e-6')
    await expect(app.status).toContainText('1 match')
    const policy = await page.evaluate(async () => (await fetch('box.html')).headers.get('content-security-policy'))
    expect(policy).toContain("default-src 'none'")
    await app.open(`${url}?example=vllm-rms-norm-quant`)
    await page.goto(`${url}docs.html`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })
  rmSync(folder, { recursive: true, force: true })
})
