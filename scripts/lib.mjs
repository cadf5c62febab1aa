// @ts-check
/** Shared by start, test and build. Plain Node: it runs before node_modules exists. */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compressFiles } from './compress.mjs'
import { withLock } from './lock.mjs'
import { writeServiceWorker } from './offline.mjs'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** The file in which tsc keeps its state between runs. */
export const BUILD_INFO = join(root, '.cache', 'tsc.json')
/** The folder of Vitest's compiled files. */
export const COMPILED_TESTS = join(root, '.cache', 'vitest')

/** True in the installed package: it is built, and has no dependencies. `npm pack` leaves the lock file out. */
export const isPackage = !existsSync(join(root, 'package-lock.json'))

/** Exits with one sentence when Node is too old. */
export function requireNode20() {
  const major = Number(process.versions.node.split('.')[0])
  if (major >= 20) return
  console.error(`Fusescope needs Node 20 or later; this is Node ${process.versions.node}.`)
  process.exit(2)
}

/** @param {number} ms @returns {string} `0.4 s`, `1 min 12 s` */
export function duration(ms) {
  const s = ms / 1000
  return s < 60 ? `${s.toFixed(1)} s` : `${Math.floor(s / 60)} min ${Math.round(s % 60)} s`
}

/**
 * Runs a command in the repository and streams its output.
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env] added to this process's
 * @param {1 | 2} [out] file descriptor of its output: stdout or stderr
 * @returns {Promise<number>} the exit status; 127 if the command does not exist
 */
export function run(command, args, env = {}, out = 1) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['inherit', out, 2], env: { ...process.env, ...env } })
    // The child receives the signal; this process exits after it.
    const endings = Object.entries(ENDINGS).map(([signal, status]) => {
      const pass = () => {
        child.kill(/** @type {NodeJS.Signals} */ (signal))
        child.once('close', () => process.exit(status))
      }
      process.on(signal, pass)
      return () => process.off(signal, pass)
    })
    const done = (/** @type {number} */ status) => {
      for (const forget of endings) forget()
      resolve(status)
    }
    child.on('error', (error) => {
      console.error(`${command}: ${error.message}`)
      done(127)
    })
    child.on('close', (status, signal) => done(signal ? 128 : (status ?? 1)))
  })
}

/** Signals that end this process, with their exit status. */
const ENDINGS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }

/** The JavaScript file of an installed package's command, run by this Node: no shims, no shell. @param {string} path */
export const bin = (path) => join(root, 'node_modules', path)

/** @param {string} text @returns {string} */
const sha = (text) => createHash('sha256').update(text).digest('hex').slice(0, 24)

/** @param {string} file @returns {string | null} */
function readOrNull(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

/** npm's cache folder where the home folder cannot be written. @returns {NodeJS.ProcessEnv} */
export function npmCache() {
  if (process.platform === 'win32') return {}
  const home = homedir()
  // HOME may be empty, which names no folder.
  const usual = process.env.npm_config_cache ?? (home && join(home, '.npm'))
  try {
    mkdirSync(usual, { recursive: true })
    accessSync(usual, constants.W_OK)
    return {}
  } catch {
    return { npm_config_cache: join(root, '.cache', 'npm') }
  }
}

/**
 * Installs the dependencies if node_modules is missing or belongs to another package-lock.json.
 * @returns {Promise<boolean>} true if they are installed
 */
export async function ensureInstalled() {
  if (isPackage) return true
  const stamp = join(root, 'node_modules', '.fusescope-lock')
  const want = sha(readFileSync(join(root, 'package-lock.json'), 'utf8') + process.platform + process.arch)
  if (readOrNull(stamp) === want) return true
  // npm ci empties node_modules, under the feet of another command that installs or has just installed.
  const waiting = 'Another command is installing the dependencies: waiting for it …'
  const file = join(root, '.cache', 'install.lock')
  return withLock(file, async () => readOrNull(stamp) === want || install(stamp, want), waiting)
}

/** @param {string} stamp @param {string} want @returns {Promise<boolean>} */
async function install(stamp, want) {
  const fresh = !existsSync(join(root, 'node_modules'))
  // All on stderr: stdout is reserved for the CLI's output.
  console.error(fresh ? 'Installing dependencies (npm ci) …' : 'Dependencies are stale: installing (npm ci) …')
  const started = performance.now()
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const status = await run(
    npm,
    ['ci', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      // scripts/chromium.mjs finds or installs the Chromium for tests.
      PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1',
      ...npmCache(),
    },
    2,
  )
  if (status !== 0) {
    console.error('npm ci failed: see its message above. The usual cause is an unreachable npm registry.')
    return false
  }
  writeFileSync(stamp, want)
  console.error(`Dependencies installed in ${duration(performance.now() - started)}.`)
  return true
}

/** Inputs of a build. */
const SOURCES = [
  'src',
  'scripts/compress.mjs',
  'scripts/offline.mjs',
  'scripts/offline',
  'public',
  'index.html',
  'embed.html',
  'docs.html',
  // Pages of docs.html.
  'docs',
  'vite.config.ts',
  'scripts/vite',
  'package-lock.json',
]

/** @param {string} path @returns {string[]} files under a path, sorted, without tests */
function filesUnder(path) {
  const full = join(root, path)
  if (!existsSync(full)) return []
  return readdirSync(full, { recursive: true })
    .map((name) => join(path, String(name)))
    .filter((name) => !/\.test\.tsx?$/.test(name) && statSync(join(root, name)).isFile())
    .sort()
}

/** @returns {string} a hash of everything that goes into a build */
function sourcesHash() {
  const hash = createHash('sha256')
  for (const source of SOURCES) {
    const files = /\.\w+$/.test(source) ? [source] : filesUnder(source)
    for (const file of files) {
      hash.update(`${file}\0`)
      hash.update(readFileSync(join(root, file)))
    }
  }
  return hash.digest('hex').slice(0, 24)
}

/**
 * Builds dist if it is missing or older than its sources.
 * @param {{ force?: boolean }} [options]
 * @returns {Promise<boolean>} true if dist is up to date
 */
export async function ensureBuilt({ force = false } = {}) {
  if (isPackage) return true
  const stamp = join(root, 'dist', '.fusescope-build')
  const want = sourcesHash()
  if (!force && readOrNull(stamp) === want) return true
  console.log('Building dist …')
  const started = performance.now()
  // As compressFiles: the best form of Python's pack takes 10 seconds more.
  const form = force ? {} : { FUSESCOPE_QUICK_PACK: '1' }
  const status = await run(process.execPath, [bin('vite/bin/vite.js'), 'build', '--logLevel', 'warn'], form)
  if (status !== 0) {
    console.error('The build failed: see the message above.')
    return false
  }
  const built = performance.now()
  writeServiceWorker(join(root, 'dist'))
  await compressFiles(join(root, 'dist'), join(root, '.cache', 'brotli'), force)
  console.log(`Compressed in ${duration(performance.now() - built)}.`)
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, want)
  console.log(`Built in ${duration(performance.now() - started)}.`)
  return true
}

/** @param {string} command @returns {boolean} true if it is on the PATH */
export function onPath(command) {
  return spawnSync(process.platform === 'win32' ? 'where' : 'which', [command], { stdio: 'ignore' }).status === 0
}
