import { expect, test } from 'vitest'
import type { Attempt } from '../../matcher'
import { packAttempts, unpackAttempts } from './packed_attempts'

const failed = (node: string): Attempt => ({
  ...{ entry: 3, phase: 'initial', node, ok: false, reason: 'function_mismatch: node=a', nodes: null },
  mismatch: {
    ...{ kind: 'function_mismatch', graphNode: 'a', patternNode: 6, argument: null, expected: 'aten.mm', found: null },
  },
})

test('unpacks what was packed, with one object for equal mismatches', () => {
  const attempts: Attempt[] = [
    failed('a'),
    {
      entry: 0,
      phase: 'specific',
      node: 'b',
      ok: true,
      reason: null,
      nodes: ['b', 'a'],
      dropped: 'extra_check returned False',
    },
    failed('c'),
    { entry: 1, phase: 'initial', node: 'b', ok: true, reason: null, nodes: null, stubs: [] },
  ]
  const sent = unpackAttempts(structuredClone(packAttempts(attempts)))
  expect(sent).toEqual(attempts)
  expect(sent[0]!.mismatch).toBe(sent[2]!.mismatch)
  expect(unpackAttempts(packAttempts([]))).toEqual([])
})
