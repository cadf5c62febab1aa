import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { alikeRuns, whoOf, type CaptureRuns } from './alike'
import { readCapture } from './read'
import { runsOf } from './runs'

function captured(name: string, rank: number): CaptureRuns {
  const file = new URL(`../../../conformance/captures/${name}.fusescope.gz`, import.meta.url)
  const text = gunzipSync(readFileSync(file))
    .toString()
    .replace('{"record":"capture",', `{"record":"capture","rank":${rank},`)
  const read = readCapture(text, `${name}.fusescope`)
  if (!read.ok) throw new Error(read.error.message)
  return { capture: read.value, runs: runsOf(read.value) }
}

it('has one row for ranks that agree, and one for each outcome where they differ', () => {
  const [zero, one, other] = [
    captured('versions-first', 0),
    captured('versions-first', 1),
    captured('versions-pattern', 2),
  ]
  expect([zero, one, other].map((c) => whoOf(c.capture))).toEqual(['rank 0', 'rank 1', 'rank 2'])
  const rows = (...all: CaptureRuns[]) => alikeRuns(all).map((r) => [r.run.replaced, r.captures, r.differs])
  expect(rows(zero)).toEqual([[3, [0], false]])
  expect(rows(zero, one)).toEqual([[3, [0, 1], false]])
  expect(rows(zero, other, one)).toEqual([
    [3, [0, 2], true],
    [1, [1], true],
  ])
})
