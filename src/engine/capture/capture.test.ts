/** Captures of real PyTorch 2.14.1 (conformance/captures): the engine's verdict is PyTorch's, node by node. */
import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { EXAMPLE_IDS } from '../../../scripts/examples'
import { createTracer } from '../../trace'
import { schemasOf } from '../run/registering'
import { readCapture } from './read'
import { replay } from './replay'
import { runsOf } from './runs'
import type { Capture } from './records'

const folder = new URL('../../../conformance/captures/', import.meta.url)
const names = readdirSync(folder).filter((f) => f.endsWith('.fusescope.gz'))
const textOf = (file: string): string => gunzipSync(readFileSync(new URL(file, folder))).toString()

function captured(file: string): Capture {
  const read = readCapture(textOf(file), file)
  if (!read.ok) throw new Error(read.error.message)
  return read.value
}

describe('captures of PyTorch', () => {
  it('has one of each example', () => {
    expect(names).toEqual(expect.arrayContaining(EXAMPLE_IDS.map((id) => `${id}.fusescope.gz`)))
  })

  it.each(names)('%s', (file) => {
    const capture = captured(file)
    expect(capture.problems).toEqual([])
    expect(capture.notes).toEqual([])
    let passes = 0
    for (const { run } of runsOf(capture)) {
      const tracer = createTracer()
      const { pipeline, verdicts, problems } = replay(capture, run, {
        tracer,
        schemaOf: schemasOf(tracer),
        detail: 'attempts',
      })
      expect(problems).toEqual([])
      for (const [i, v] of verdicts.entries()) {
        expect({ pass: pipeline.passes[i]!.key, differences: v.differences }).toEqual({
          pass: pipeline.passes[i]!.key,
          differences: [],
        })
        expect(pipeline.passes[i]!.count).toBe(v.count)
        passes++
      }
    }
    expect(passes).toBe(capture.applications.length)
  })
})
