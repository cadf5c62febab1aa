// @ts-check
/** Opens an address in the user's browser. */
import { spawn } from 'node:child_process'

/** True in a local interactive terminal with a display. `BROWSER=none` turns it off, as in other tools. */
function hasScreen() {
  const { env, platform, stdout } = process
  if (!stdout.isTTY || env.BROWSER === 'none' || env.CI || env.SSH_CONNECTION) return false
  return platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
}

/** @param {string} url */
export function openBrowser(url) {
  if (!hasScreen()) return
  const commands = /** @type {Record<string, string[]>} */ ({
    darwin: ['open'],
    win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  })
  const [command, ...args] = commands[process.platform] ?? ['xdg-open']
  // The address is printed on the terminal too.
  spawn(/** @type {string} */ (command), [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}
