import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { unzipped } from './read_file'

it('a gzipped file is unpacked up to a limit, so that a bomb does not end the page', async () => {
  const text = '{"record":"capture"}\n'
  expect(new TextDecoder().decode(await unzipped(new Blob([gzipSync(text)])))).toBe(text)
  expect(new TextDecoder().decode(await unzipped(new Blob([text])))).toBe(text)
  const bomb = new Blob([gzipSync(Buffer.alloc(3 << 20))])
  expect(bomb.size).toBeLessThan(10_000)
  await expect(unzipped(bomb, 1 << 20)).rejects.toThrow('unpacked, it has more than 1 MiB')
  await expect(unzipped(bomb.slice(0, 100))).rejects.toThrow()
})
