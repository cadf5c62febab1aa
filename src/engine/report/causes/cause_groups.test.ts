import { describe, expect, it } from 'vitest'
import { causeGroups } from './cause_groups'
import type { DiagnosedCause, Diagnosis } from '../diagnoses'
import { headlineOf } from './headline'

const cause = (kind: DiagnosedCause['kind'], message: string, facts: Partial<DiagnosedCause> = {}): DiagnosedCause => ({
  kind,
  pattern_node: null,
  source: null,
  graph_node: null,
  argument: null,
  expected: null,
  found: null,
  message,
  parts: [message],
  reason: null,
  fixes: [],
  ...facts,
})

const factory = (anchor: string): DiagnosedCause =>
  cause('factory', `${anchor} is empty_strided`, { expected: 'aten.empty', found: 'aten.empty_strided' })
const constant = (found: string): DiagnosedCause => cause('constant', `group is ${found}`, { argument: 'group', found })

const miss = (entry: number, title: string, causes: DiagnosedCause[], facts: Partial<Diagnosis> = {}): Diagnosis => ({
  pass: 'p',
  entry,
  title,
  anchor: 'q',
  aligned: 4,
  of: 5,
  times: 1,
  causes,
  ...facts,
})

describe('causes over patterns and places', () => {
  it('are one group where patterns of several classes share one, the closest first', () => {
    const groups = causeGroups([
      miss(0, 'Add', [cause('missing-node', 'no add'), factory('a')], { anchor: 'a', aligned: 2 }),
      miss(1, 'Norm', [factory('b')], { anchor: 'b' }),
      miss(2, 'Other', [cause('inserted-node', 'a view')], { anchor: 'c', aligned: 1 }),
    ])
    expect(groups.map((g) => [g.cause.kind, g.closest.title, g.patterns])).toEqual([
      ['factory', 'Norm', 2],
      ['inserted-node', 'Other', 1],
    ])
    expect(groups[0]!.classes.map((c) => c.title)).toEqual(['Norm', 'Add'])
  })

  it('hold the variants of a class that miss at the same place for other constants', () => {
    const [group, ...others] = causeGroups([
      miss(0, 'Quant', [constant('64'), cause('kwarg-order', 'order')]),
      miss(1, 'Quant', [cause('kwarg-order', 'order')], { aligned: 5 }),
      miss(2, 'Quant', [cause('arity', 'three arguments')]),
    ])
    expect(others).toEqual([])
    expect(group).toMatchObject({ patterns: 3, closest: { entry: 1 }, classes: [{ title: 'Quant', patterns: 3 }] })
  })

  it('begin with what prevents every match, and end with nodes that another match took', () => {
    const groups = causeGroups([
      miss(0, 'Norm', [cause('taken', 'taken by Add')], { aligned: 5 }),
      miss(1, 'Add', [factory('a')], { aligned: 1 }),
      miss(0, 'Norm', [cause('root-absent', 'no rms_norm')], { times: 0 }),
      miss(0, 'Norm', [cause('graph-level', 'the graph is of Dynamo')], { times: 0 }),
    ])
    expect(groups.map((g) => g.cause.kind)).toEqual(['graph-level', 'factory', 'taken', 'root-absent'])
  })
})

describe('the headline', () => {
  const shared = [miss(0, 'Norm', [factory('b')]), miss(1, 'Add', [factory('b')], { anchor: 'c' })]
  it('is the closest cause with its patterns, and the number of files that raised', () => {
    expect(headlineOf(causeGroups(shared)[0], 2)).toBe(
      '2 patterns miss for one cause: b is empty_strided; 2 files raised',
    )
    expect(headlineOf(causeGroups(shared.slice(0, 1))[0], 0)).toBe('b is empty_strided')
  })

  it('is left to the files that raised where the closest pattern is another fusion, or far', () => {
    const other = cause('wrong-operator', 'x', { expected: '_C.silu.default', found: '_C.norm.default' })
    expect(headlineOf(causeGroups([miss(0, 'Norm', [other])])[0], 1)).toBeNull()
    expect(headlineOf(causeGroups([miss(0, 'Norm', [factory('b')], { aligned: 1 })])[0], 1)).toBeNull()
    expect(headlineOf(undefined, 1)).toBeNull()
  })
})
