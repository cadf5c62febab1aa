import { describe, expect, it } from 'vitest'
import type { Step, Timeline } from '../../../engine/session/steps_types'
import {
  boundAt,
  moved,
  nextBreakpoint,
  nextMismatch,
  out,
  over,
  placeOf,
  rowOf,
  toneOf,
  indexTimeline,
  type Breakpoint,
  type IndexedTimeline,
} from './timeline'

/** `kind depth [ok|bad] [node] [>restores]` a line. */
function timeline(text: string): Timeline {
  const coarse = /^(candidate|entry|attempt|verdict|barrier|retrace|done)$/
  const steps = text
    .trim()
    .split('\n')
    .map((line, index): Step => {
      const [kind, depth, ...rest] = line.trim().split(/\s+/) as [Step['kind'], string, ...string[]]
      const node = rest.find((r) => /^[a-z]+_\d/.test(r)) ?? null
      const restores = rest.find((r) => r.startsWith('>'))?.slice(1)
      return {
        index,
        kind,
        level: coarse.test(kind) ? 'coarse' : 'fine',
        depth: Number(depth),
        entry: kind === 'candidate' || kind === 'done' ? null : 0,
        phase: null,
        patternNode: node ? Number(node.replace(/\D/g, '')) : null,
        graphNode: node,
        source: null,
        ok: rest.includes('ok') ? true : rest.includes('bad') ? false : null,
        expected: null,
        found: node,
        text: line.trim(),
        ...(restores !== undefined ? { restores: Number(restores) } : {}),
      }
    })
  return { pass: 'patterns', node: 'mul_1', entry: null, steps, cut: false }
}

/** Two outputs: the second is tried at a wrong node, then at the right one, which has a different constant. */
const TWO_TRIES = `
  candidate 0
  entry 0
  attempt 1
  expression 2 mul_1
  comparison 3 ok mul_1
  binding 3 ok mul_1
  expression 2 sub_2
  comparison 3 bad sub_2
  revert 2 >5
  expression 2 sub_3
  binding 3 ok neg_4
  comparison 3 bad sub_3
  revert 2 >5
  comparison 2 bad sub_3
  verdict 1 bad sub_3
  done 0 bad`

const names = (indexed: IndexedTimeline, at: number): (string | null)[] => boundAt(indexed, at).map((s) => s.graphNode)

describe('an indexed timeline', () => {
  const indexed = indexTimeline(timeline(TWO_TRIES))

  it('has the bindings of each step, without those of a rejected candidate', () => {
    expect(names(indexed, 4)).toEqual([])
    expect(names(indexed, 8)).toEqual(['mul_1'])
    expect(names(indexed, 10)).toEqual(['mul_1', 'neg_4'])
    expect(names(indexed, 12)).toEqual(['mul_1'])
  })

  it('assigns a wildcard’s step to the expression that has it as an argument', () => {
    const own = indexTimeline(
      timeline(
        `attempt 1\nexpression 2 mul_1\nexpression 3 neg_2\nbinding 4 ok x_3\nbinding 3 ok neg_2\nargument 3 ok`,
      ),
    )
    expect(placeOf(own, 5).graphNode).toBe('mul_1')
    expect(placeOf(own, 5).patternNode).toBe(1)
    expect(placeOf(own, 3).graphNode).toBe('x_3')
  })

  it('runs to the deciding mismatch once, and skips rejected candidates', () => {
    expect(nextMismatch(indexed, 'fine', 0, 1)).toBe(11)
    expect(nextMismatch(indexed, 'fine', 11, 1)).toBeNull()
    expect(nextMismatch(indexed, 'fine', 15, -1)).toBe(11)
    expect(toneOf(indexed, indexed.steps[7]!)).toBe('passing')
    expect(toneOf(indexed, indexed.steps[11]!)).toBe('bad')
  })

  it('moves among coarse steps, and from a fine step to the surrounding coarse ones', () => {
    expect(nextMismatch(indexed, 'coarse', 0, 1)).toBe(14)
    expect(moved(indexed, 'coarse', 2, 1)).toBe(14)
    expect(moved(indexed, 'coarse', 7, 1)).toBe(14)
    expect(moved(indexed, 'coarse', 7, -1)).toBe(2)
    expect(rowOf(indexed, 'coarse', 7)).toBe(2)
    expect(moved(indexed, 'fine', 15, 1)).toBeNull()
    expect(moved(indexed, 'fine', 0, -1)).toBeNull()
  })

  it('steps over nested steps, and out of them', () => {
    expect(over(indexed, 'fine', 3)).toBe(6)
    expect(out(indexed, 'fine', 5)).toBe(3)
    expect(out(indexed, 'fine', 3)).toBe(2)
    expect(over(indexed, 'fine', 15)).toBeNull()
  })

  it('stops at a breakpoint once per visit', () => {
    const graph: Breakpoint = { kind: 'graph', node: 'sub_3' }
    expect(nextBreakpoint(indexed, 'fine', 0, 1, [graph])).toBe(9)
    expect(nextBreakpoint(indexed, 'fine', 9, 1, [graph])).toBe(11)
    const pattern: Breakpoint = { kind: 'pattern', pass: 'patterns', entry: 0, index: 4, name: 'neg' }
    expect(nextBreakpoint(indexed, 'fine', 0, 1, [pattern])).toBe(10)
    expect(nextBreakpoint(indexed, 'fine', 15, -1, [pattern])).toBe(10)
    expect(nextBreakpoint(indexed, 'fine', 0, 1, [{ ...pattern, pass: 'other' }])).toBeNull()
  })
})
