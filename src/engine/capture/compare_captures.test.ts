/** Captures of one model (conformance/captures/two_versions.py): the change of the model or of the pass is named. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { compareCaptures } from './compare_captures'
import { readCapture } from './read'

function side(version: string, name = `versions-${version}`) {
  const file = new URL(`../../../conformance/captures/${name}.fusescope.gz`, import.meta.url)
  const read = readCapture(gunzipSync(readFileSync(file)).toString(), version)
  if (!read.ok) throw new Error(read.error.message)
  return { name: version, capture: read.value, run: 0 }
}

function compared(old: string, now: string) {
  const { patterns, lost, won, kept } = compareCaptures(side(old), side(now))
  const found = (list: typeof lost) => list.map((m) => [m.how, m.title, m.places.map((p) => p.node).join(), m.sentence])
  return { patterns, lost: found(lost), won: found(won), kept: kept.reduce((n, k) => n + k.count, 0) }
}

const CHANGED = 'aten.relu.default (relu) became aten.clamp_min.default, aten.clamp_max.default (clamp_min, clamp_max)'

it('finds nothing in two captures of one run', () => {
  expect(compared('first', 'first')).toEqual({ patterns: [], lost: [], won: [], kept: 3 })
})

it('names what changed in a pattern', () => {
  expect(compared('first', 'pattern')).toEqual({
    patterns: [`relu_search changed: ${CHANGED}.`],
    lost: [
      [
        'pattern',
        'relu_search',
        'relu_1,relu',
        `The pattern changed: ${CHANGED}. With the old pattern, the match is back.`,
      ],
    ],
    won: [],
    kept: 1,
  })
})

it('names an extra_check that decides otherwise', () => {
  const { patterns, lost } = compared('first', 'check')
  expect(patterns).toEqual([])
  expect(lost).toEqual([
    [
      'pattern',
      'relu_search',
      'relu_1',
      'extra_check (LinearPass.__init__.<locals>.small, conformance/captures/two_versions.py:35) returned False at relu_1 in check, and True in first.',
    ],
  ])
})

it('names the change of the graph', () => {
  const sentence = 'aten.mul.Tensor (mul) is inserted before relu_1: undone in the new graph, the match is back.'
  expect(compared('first', 'model').lost).toEqual([['undone', 'relu_search', 'relu_1', sentence]])
  expect(compared('model', 'first').won).toEqual([
    [
      'undone',
      'relu_search',
      'relu_1',
      'aten.mul.Tensor (mul) is removed before relu_1: alone in the old graph, the match appears there.',
    ],
  ])
})

it('names patterns that only one capture has', () => {
  const { patterns, lost } = compared('first', 'unregistered')
  expect(patterns).toEqual(['tanh_search is not registered any more.'])
  expect(lost).toEqual([['pattern', 'tanh_search', 'tanh', 'unregistered does not register this pattern.']])
  expect(compared('unregistered', 'first').won).toMatchObject([
    ['pattern', 'tanh_search', 'tanh', 'Only first registers this pattern.'],
  ])
})
