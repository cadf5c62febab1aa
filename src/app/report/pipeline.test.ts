import { describe, expect, it } from 'vitest'
import type { Pipeline, PipelineStage } from '../../engine/pipeline/types'
import { changeText, invalidatedBy, movedBy, movedTo, sourceOnly, toggled } from './pipeline'

/** `a b -c`: c is off; hashes by pass and part. */
function pipeline(line: string, hashes: Record<string, string> = {}, environment = 'e'): Pipeline {
  let at = 0
  const stages = line.split(' ').map((word): PipelineStage => {
    const off = word.startsWith('-')
    const name = word.replace('-', '')
    if (!off) at++
    const part = (kind: 'file' | 'patterns' | 'environment', what: string, hash: string) => ({ kind, name: what, hash })
    const parts = [
      part('file', `${name}.py`, hashes[`${name}.py`] ?? '0'),
      part('patterns', 'the patterns as text', hashes[name] ?? '0'),
      part('environment', 'the environment', environment),
    ]
    return {
      kind: 'pass',
      name,
      at: off ? null : at,
      pass: off ? null : at - 1,
      off: off ? { why: 'not-listed', guards: [] } : null,
      entries: 1,
      nodes: off ? null : 3,
      added: 0,
      removed: 0,
      uuid: off ? null : { uuid: JSON.stringify(parts), parts },
    }
  })
  const end: PipelineStage = { ...stages[0]!, kind: 'dead-code', name: 'end', at: at + 1, pass: null, uuid: null }
  return {
    stages: [...stages, { ...end, off: null }],
    defined: ['a', 'b', 'c'],
    uuid: JSON.stringify(stages.map((s) => s.uuid?.uuid)) + environment,
  }
}

describe('the list of passes', () => {
  it('is edited in place, and is omitted when it equals the order in the code', () => {
    const all = pipeline('a b c')
    expect(toggled(all, all.stages[1]!)).toEqual(['a', 'c'])
    const two = pipeline('a -b c')
    expect(toggled(two, two.stages[1]!)).toBe(undefined)
    const one = pipeline('-a b -c')
    expect(toggled(one, one.stages[1]!)).toEqual([])
  })

  it('is reordered past inactive passes, within its bounds', () => {
    const p = pipeline('a -b c')
    expect(movedBy(p, p.stages[0]!, 1)).toEqual(['c', 'a'])
    expect(movedBy(p, p.stages[2]!, -1)).toEqual(['c', 'a'])
    expect(movedBy(p, p.stages[0]!, -1)).toBe(null)
    expect(movedBy(p, p.stages[2]!, 1)).toBe(null)
    expect(movedBy(p, p.stages[1]!, 1)).toBe(null)
    const all = pipeline('a b c')
    expect(movedTo(all, all.stages[2]!, 0)).toEqual(['c', 'a', 'b'])
    expect(movedTo(all, all.stages[0]!, 3)).toEqual(['b', 'c', 'a'])
    expect(movedTo(all, all.stages[0]!, 1)).toBe(null)
    const twice = pipeline('a b a')
    expect(movedBy(twice, twice.stages[2]!, -1)).toEqual(['a', 'a', 'b'])
    expect(toggled(twice, twice.stages[2]!)).toEqual(['a', 'b'])
  })
})

describe('compile-cache invalidation', () => {
  const base = pipeline('a b c')
  it('is empty while the uuids are equal', () => {
    expect(invalidatedBy(base, pipeline('a b c'))).toEqual([])
  })
  it('is reported by part, with the affected passes', () => {
    expect(invalidatedBy(base, pipeline('a b c', {}, 'other'))).toEqual([
      { what: 'the environment', passes: ['a', 'b', 'c'] },
    ])
    const source = invalidatedBy(base, pipeline('a b c', { 'b.py': '1' }))
    expect(source).toEqual([{ what: 'b.py', passes: ['b'] }])
    expect(sourceOnly(source)).toBe(true)
    const patterns = invalidatedBy(base, pipeline('a b c', { 'b.py': '1', b: '1' }))
    expect(patterns.map((f) => f.what)).toEqual(['b.py', 'the patterns as text'])
    expect(sourceOnly(patterns)).toBe(false)
  })
  it('includes added and removed passes, and another order', () => {
    expect(invalidatedBy(base, pipeline('a -b c'))).toEqual([
      { what: 'a pass that is no longer applied', passes: ['b'] },
    ])
    expect(invalidatedBy(pipeline('a -b c'), base)).toEqual([{ what: 'a pass that was not applied', passes: ['b'] }])
    expect(invalidatedBy(base, pipeline('b a c'))).toEqual([
      { what: 'the order of the passes', passes: ['b', 'a', 'c'] },
    ])
  })
})

it('formats the effect of a stage', () => {
  expect(changeText({ added: 32, removed: 96 })).toBe('+32 −96')
  expect(changeText({ added: 0, removed: 0 })).toBe('')
})
