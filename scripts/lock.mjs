// @ts-check
/** A lock between processes of one machine: a file with the holder's process id and the time of its last sign of life. */
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** The holder touches the file this often; a file that nobody touched for STALE_MS belongs to nobody. In ms. */
const BEAT_MS = 2000
export const STALE_MS = 15_000
const POLL_MS = 100

/**
 * Runs `work` while no other process holds the lock. A lock is taken over if its process has ended, or if its file was
 * not touched for STALE_MS (a process of another container, whose id means nothing here).
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @param {string} [waiting] printed on stderr if another process holds the lock
 * @returns {Promise<T>}
 */
export async function withLock(file, work, waiting) {
  mkdirSync(dirname(file), { recursive: true })
  let told = false
  while (!take(file)) {
    if (isStale(file)) discard(file)
    else {
      if (!told && waiting) console.error(waiting)
      told = true
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }
  const beat = setInterval(() => touch(file), BEAT_MS)
  const release = () => rmSync(file, { force: true })
  process.once('exit', release)
  try {
    return await work()
  } finally {
    clearInterval(beat)
    process.off('exit', release)
    release()
  }
}

/** @param {string} file @returns {boolean} true if this process has created the file */
function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (e) {
    if (/** @type {NodeJS.ErrnoException} */ (e).code === 'EEXIST') return false
    throw e
  }
}

/** @param {string} file */
function touch(file) {
  try {
    const now = new Date()
    utimesSync(file, now, now)
  } catch {
    // Another process took the lock over, because this one slept for longer than STALE_MS.
  }
}

/** @param {string} file @returns {boolean} */
function isStale(file) {
  try {
    const old = Date.now() - statSync(file).mtimeMs
    if (old > STALE_MS) return true
    const holder = Number(readFileSync(file, 'utf8'))
    // A file without an id is being written.
    return holder > 0 ? !isRunning(holder) : old > BEAT_MS
  } catch {
    // The holder has released it.
    return false
  }
}

/**
 * Removes a stale lock. Of two processes that see it, the slower one may find the other's new lock instead: that goes back.
 * @param {string} file
 */
function discard(file) {
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
    if (!isStale(aside)) linkSync(aside, file)
  } catch {
    // Another process was faster.
  }
  rmSync(aside, { force: true })
}

/** @param {number} pid @returns {boolean} */
function isRunning(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (e) {
    return /** @type {NodeJS.ErrnoException} */ (e).code === 'EPERM'
  }
}
