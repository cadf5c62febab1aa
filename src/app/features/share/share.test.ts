import { describe, expect, it } from 'vitest'
import { cutBy, judge } from './share'

describe('a link’s length', () => {
  it('has no warning while every browser accepts the link, warns for Firefox, and rejects beyond 2 MiB', () => {
    expect(judge(65_536)).toEqual({ warning: null, tooLong: false })
    expect(judge(65_537)).toMatchObject({ tooLong: false, warning: expect.stringContaining('Firefox') })
    expect(judge(2 * 1024 * 1024 + 1)).toMatchObject({ tooLong: true })
  })

  it('names what cuts it, so that the file is sent there', () => {
    expect(cutBy(2_000)).toEqual([])
    expect(cutBy(2_001)).toEqual(['Discord (2,000 characters a message)'])
    expect(cutBy(70_000).map((s) => s.split(' (')[0])).toEqual(['Discord', 'Slack', 'GitHub comments'])
  })
})
