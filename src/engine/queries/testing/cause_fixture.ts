/** Causes and near misses for tests. */
import { worded } from '../../../base/message'
import type { Cause, NearMiss } from '../../protocol'

/** A cause; by default of kind constant, with its sentence as the message. */
export const cause = (more: Partial<Cause>): Cause => ({
  kind: 'constant',
  patternNode: null,
  source: null,
  graphNode: null,
  argument: null,
  expected: null,
  found: null,
  stage: null,
  reason: { kind: 'no-pass' },
  ...worded([more.sentence ?? '']),
  ...more,
})

const words = ({ sentence = '', why }: Partial<NearMiss>) => worded(why ?? [sentence])

/** A near miss of entry `entryIndex` at relu that aligns 3 of 4 nodes. */
export const miss = (index: number, entryIndex: number, more: Partial<NearMiss> = {}): NearMiss => ({
  index,
  entry: entryIndex,
  phase: 'initial',
  count: 1,
  anchors: ['relu'],
  mismatch: null,
  reason: '',
  aligned: [],
  taken: false,
  ...worded([more.sentence ?? '']),
  why: [more.sentence ?? ''],
  score: 3,
  of: 4,
  causes: [cause({ kind: 'other', graphNode: more.anchors?.[0] ?? 'relu', ...words(more) })],
  ...more,
})
