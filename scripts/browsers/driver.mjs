// @ts-check
/**
 * One page of a browser, as the jobs of all browsers use it: Puppeteer speaks WebDriver BiDi with Firefox and CDP with Chromium,
 * Selenium speaks WebDriver with WebKitGTK, whose BiDi lacks what Puppeteer asks for. Scripts are evaluated at once, and waiting is done in this
 * process: the page's policy forbids the expressions with which clients wait in the page.
 */
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { CHROMIUM_FLAGS } from '../chromium.mjs'
import { onPath } from '../lib.mjs'
import { listen } from '../serve.mjs'

/**
 * @typedef {object} Page
 * @property {string} version
 * @property {(url: string) => Promise<unknown>} goto
 * @property {<T>(f: (...args: string[]) => T, ...args: string[]) => Promise<T>} evaluate a function without variables of its file
 * @property {(keys: string) => Promise<unknown>} press one key, after `Control+` or `Shift+` where they are held
 * @property {(text: string) => Promise<unknown>} type
 * @property {() => Promise<Buffer>} screenshot
 * @property {() => Promise<unknown>} close ends a browser that does not answer, too
 */

/** Long enough for a busy machine, in ms. */
const PATIENCE = 120_000
/** A browser that has not closed after this time is ended, in ms. */
const CLOSING = 10_000
const SIZE = { width: 1440, height: 900 }

/** @param {'chromium' | 'firefox' | 'webkit'} name @param {string} path @returns {Promise<Page>} */
export const openPage = (name, path) => (name === 'webkit' ? openWebKit(path) : openPuppeteer(name, path))

/**
 * @template T
 * @param {Promise<T>} promise @param {number} ms @param {string} late the error after that time
 * @returns {Promise<T>}
 */
export function within(promise, ms, late) {
  /** @type {ReturnType<typeof setTimeout>} */
  let timer
  const limit = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error(late)), ms)))
  return Promise.race([promise, limit]).finally(() => clearTimeout(timer))
}

/** @param {Promise<unknown>} closing @param {() => void} end */
const closeOrEnd = (closing, end) => within(closing, CLOSING, '').then(end, end)

/** @param {'chromium' | 'firefox'} name @param {string} executablePath @returns {Promise<Page>} */
async function openPuppeteer(name, executablePath) {
  const { default: puppeteer } = await import('puppeteer-core')
  const ending = new AbortController()
  const browser = await puppeteer.launch({
    ...(name === 'firefox'
      ? { browser: 'firefox', args: [`--width=${SIZE.width}`, `--height=${SIZE.height}`] }
      : { browser: 'chrome', args: [...CHROMIUM_FLAGS, `--window-size=${SIZE.width},${SIZE.height}`] }),
    executablePath,
    headless: true,
    // Puppeteer sets a viewport together with the orientation of the screen, a command that Firefox 140 lacks.
    defaultViewport: null,
    timeout: PATIENCE,
    signal: ending.signal,
  })
  const page = await browser.newPage()
  page.setDefaultNavigationTimeout(PATIENCE)
  return {
    // Builds of Chromium call themselves Chrome or HeadlessChrome.
    version: `${name === 'firefox' ? 'Firefox' : 'Chromium'} ${(await browser.version()).split('/').at(-1)}`,
    goto: (url) => page.goto(url),
    evaluate: /** @type {Page['evaluate']} */ ((f, ...args) => page.evaluate(f, ...args)),
    async press(keys) {
      const held = keys.split('+')
      const key = /** @type {import('puppeteer-core').KeyInput} */ (held.pop())
      for (const k of held) await page.keyboard.down(/** @type {import('puppeteer-core').KeyInput} */ (k))
      await page.keyboard.press(key)
      for (const k of held) await page.keyboard.up(/** @type {import('puppeteer-core').KeyInput} */ (k))
    },
    type: (text) => page.keyboard.type(text),
    screenshot: async () => Buffer.from(await page.screenshot()),
    close: () => closeOrEnd(browser.close(), () => ending.abort()),
  }
}

/** @param {string} binary @returns {Promise<Page>} */
async function openWebKit(binary) {
  // @ts-expect-error Selenium brings no types
  const { Builder, Key } = await import('selenium-webdriver')
  // An inherited display may be of a session that has ended.
  const display = onPath('Xvfb') ? await startDisplay() : null
  const probe = createServer()
  const port = await listen(probe, 0)
  await new Promise((done) => probe.close(done))
  const service = spawn('WebKitWebDriver', [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, ...(display && { DISPLAY: display.name, GDK_BACKEND: 'x11' }) },
  })
  const end = () => [service, display?.process].forEach((p) => p?.kill())
  process.once('exit', end)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1))
  try {
    await untilListens(port)
    const builder = new Builder()
      .disableEnvironmentOverrides()
      .usingServer(`http://127.0.0.1:${port}`)
      .withCapabilities({
        browserName: 'MiniBrowser',
        'webkitgtk:browserOptions': { binary, args: ['--automation'] },
      })
    const driver = await within(builder.build(), PATIENCE, 'WebKitGTK does not start')
    await driver
      .manage()
      .window()
      .setRect({ x: 0, y: 0, ...SIZE })
    const version = (await driver.getCapabilities()).get('browserVersion')
    /** @type {Readonly<Record<string, string>>} */
    const names = Key
    return {
      version: `WebKitGTK ${version}`,
      goto: (url) => driver.get(url),
      evaluate: (f, ...args) => driver.executeScript(`return (${f}).apply(null, arguments)`, ...args),
      async press(keys) {
        const held = keys.split('+').map((key) => names[key.replace('Arrow', '').toUpperCase()] ?? key)
        const key = /** @type {string} */ (held.pop())
        let actions = driver.actions()
        for (const k of held) actions = actions.keyDown(k)
        actions = actions.keyDown(key).keyUp(key)
        for (const k of held) actions = actions.keyUp(k)
        await actions.perform()
      },
      type: (text) => driver.actions().sendKeys(text).perform(),
      screenshot: async () => Buffer.from(await driver.takeScreenshot(), 'base64'),
      async close() {
        process.off('exit', end)
        await closeOrEnd(driver.quit(), end)
      },
    }
  } catch (e) {
    end()
    throw e
  }
}

/** A virtual display with the first free number, which Xvfb writes to descriptor 3. */
async function startDisplay() {
  const screen = ['-screen', '0', `${SIZE.width}x${SIZE.height + 100}x24`]
  const process = spawn('Xvfb', ['-displayfd', '3', ...screen, '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const number = await new Promise((resolve, reject) => {
    process.stdio[3]?.once('data', (data) => resolve(String(data).trim()))
    process.once('error', reject)
    process.once('exit', () => reject(new Error('Xvfb ended')))
  })
  return { name: `:${number}`, process }
}

/** @param {number} port */
async function untilListens(port) {
  for (let i = 0; i < PATIENCE / 100; i++) {
    const answer = await fetch(`http://127.0.0.1:${port}/status`).catch(() => null)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('WebKitWebDriver did not start')
}
