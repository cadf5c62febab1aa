import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { sha256 } from './sha256'

it('equals SHA-256 at every length around its block size, and for any text', () => {
  for (let n = 0; n < 200; n++) {
    const text =
      'aü😀'
        .repeat(n)
        .slice(0, n)
        .replace(/[\ud800-\udfff]/g, 'x') + (n % 7 === 0 ? '😀' : '')
    expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'))
  }
})
