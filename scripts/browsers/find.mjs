// @ts-check
/** Finds the system's browsers for `npm run e2e -- --browser NAME`. */
import { existsSync, readdirSync } from 'node:fs'
import { findChromium, starts } from '../chromium.mjs'
import { onPath } from '../lib.mjs'

/** @typedef {'chromium' | 'firefox' | 'webkit'} Name */

const FIREFOX = [
  '/usr/bin/firefox-esr',
  '/usr/bin/firefox',
  '/Applications/Firefox.app/Contents/MacOS/firefox',
  'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
]

function findFirefox() {
  const named = process.env.FUSESCOPE_FIREFOX
  return [...(named ? [named] : FIREFOX)].find((path) => existsSync(path) && starts(path)) ?? null
}

/** WebKitGTK's browser, if its driver and a display exist: it has no headless mode, and prints its version only on a display. */
function findWebKit() {
  if (!onPath('WebKitWebDriver') || !(process.env.DISPLAY || onPath('Xvfb'))) return null
  const libraries = ['/usr/lib', ...folders('/usr/lib', /-linux-gnu/), '/usr/libexec']
  const found = libraries.flatMap((at) => folders(at, /^webkit2?gtk-/)).map((at) => `${at}/MiniBrowser`)
  return found.find((path) => existsSync(path)) ?? null
}

/** @param {string} at @param {RegExp} name */
const folders = (at, name) =>
  existsSync(at)
    ? readdirSync(at)
        .filter((n) => name.test(n))
        .map((n) => `${at}/${n}`)
    : []

/** @type {Readonly<Record<Name, { title: string, find: () => string | null, install: string }>>} */
export const BROWSERS = {
  chromium: { title: 'Chromium', find: findChromium, install: 'Debian: chromium; or set FUSESCOPE_CHROMIUM' },
  firefox: { title: 'Firefox', find: findFirefox, install: 'Debian: firefox-esr; or set FUSESCOPE_FIREFOX' },
  webkit: { title: 'WebKit', find: findWebKit, install: 'Debian: webkit2gtk-driver and xvfb' },
}

/** @param {string | undefined} name @returns {name is Name} */
export const isBrowser = (name) => name !== undefined && Object.hasOwn(BROWSERS, name)
