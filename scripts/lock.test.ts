import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { STALE_MS, withLock } from './lock.mjs'

const folder = mkdtempSync(join(tmpdir(), 'fusescope-lock-'))
const file = join(folder, 'sub', 'install.lock')
const log = join(folder, 'log')
afterAll(() => rmSync(folder, { recursive: true }))

/** A process that writes begin and end of its work to the log. */
const worker = `
import { appendFileSync } from 'node:fs'
import { withLock } from ${JSON.stringify(new URL('lock.mjs', import.meta.url).href)}
await withLock(${JSON.stringify(file)}, async () => {
  appendFileSync(${JSON.stringify(log)}, 'begin ')
  await new Promise((resolve) => setTimeout(resolve, 150))
  appendFileSync(${JSON.stringify(log)}, 'end ')
})`
const started = (): Promise<number | null> =>
  new Promise((resolve) => {
    spawn(process.execPath, ['--input-type=module', '--eval', worker], { stdio: 'ignore' }).on('close', resolve)
  })

it('is held by one process at a time', async () => {
  expect(await Promise.all([started(), started(), started()])).toEqual([0, 0, 0])
  expect(readFileSync(log, 'utf8')).toBe('begin end '.repeat(3))
  expect(existsSync(file)).toBe(false)
})

it('is taken over from a process that has ended, and from a file that nobody touches', async () => {
  // No process has this id: they end at 2^22 on Linux.
  writeFileSync(file, '99999999')
  expect(await withLock(file, async () => 'taken')).toBe('taken')
  writeFileSync(file, String(process.pid))
  const old = new Date(Date.now() - STALE_MS - 1000)
  utimesSync(file, old, old)
  expect(await withLock(file, async () => 'taken')).toBe('taken')
})

it('is released when the work fails', async () => {
  await expect(withLock(file, () => Promise.reject(new Error('no registry')))).rejects.toThrow('no registry')
  expect(existsSync(file)).toBe(false)
})
