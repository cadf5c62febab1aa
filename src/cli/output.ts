/** Writes synchronously to the terminal or a pipe: process.exit would drop bytes that a pipe has not accepted yet. */
import { writeSync } from 'node:fs'

/** Writes all of a text to stdout (1) or stderr (2), waiting for a slow reader. Ignores a closed pipe. */
export function write(fd: 1 | 2, text: string): void {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(fd, bytes, at, Math.min(bytes.length - at, 65_536))
    } catch (e) {
      const code = (e as NodeJS.ErrnoException).code
      if (code === 'EPIPE') return
      if (code !== 'EAGAIN') throw e
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}

/** One line on stderr. */
export function complain(text: string): void {
  write(2, `${text.replace(/\s*\n\s*/g, ' ').trim()}\n`)
}
