import { describe, expect, it } from 'vitest'
import { judge } from './share'

describe('a link’s length', () => {
  it('has no warning while every browser accepts the link, warns for Firefox, and rejects beyond 2 MiB', () => {
    expect(judge(65_536)).toEqual({ warning: null, tooLong: false })
    expect(judge(65_537)).toMatchObject({ tooLong: false, warning: expect.stringContaining('Firefox') })
    expect(judge(2 * 1024 * 1024 + 1)).toMatchObject({ tooLong: true })
  })
})
