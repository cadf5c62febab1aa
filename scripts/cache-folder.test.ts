import { chmodSync, lstatSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { cacheFolder } from './cache-folder.mjs'

const made: string[] = []
function folder(): string {
  const name = mkdtempSync(join(tmpdir(), 'fusescope-cache-'))
  made.push(name)
  return name
}
afterAll(() => made.forEach((name) => rmSync(name, { recursive: true })))

/** A path that nobody can make a folder of, whatever their rights. */
function unwritable(): string {
  const file = join(folder(), 'file')
  writeFileSync(file, '')
  return join(file, '.cache')
}

test('is the usual folder if it can be written', () => {
  const usual = join(folder(), '.cache')
  expect(cacheFolder(usual, folder())).toBe(usual)
})

test.skipIf(process.platform === 'win32')('is else a folder of the user alone', () => {
  const private_ = cacheFolder(unwritable(), folder())!
  expect(lstatSync(private_).mode & 0o777).toBe(0o700)
})

test.skipIf(process.platform === 'win32')('is no folder that others can write, and no link', () => {
  const temporary = folder()
  const first = cacheFolder(unwritable(), temporary)!
  chmodSync(first, 0o777)
  expect(cacheFolder(unwritable(), temporary)).toBeNull()
  const elsewhere = folder()
  rmSync(first, { recursive: true })
  symlinkSync(elsewhere, first)
  expect(cacheFolder(unwritable(), temporary)).toBeNull()
})

test('is none if nothing can be written', () => {
  expect(cacheFolder(unwritable(), unwritable())).toBeNull()
})
