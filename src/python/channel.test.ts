import { expect, it } from 'vitest'
import { Channel } from './channel'
import type { PythonCall } from './calls/table'

/** User code can replace the Python functions that answer. */
it.each<[kind: PythonCall, right: unknown, wrong: unknown]>([
  ['trace', [7, []], 7],
  [
    'trace',
    [null, [['m', 'a', ['f.py', 1, 'fn', 'code'], 'True', 'trace']]],
    [7, [['m', 'a', 'f.py', 'True', 'trace']]],
  ],
  ['extra_check', [true, [['n', 'key', null]], []], [true, [{ node: 'n' }], []]],
  ['extra_check', [{ text: 'object', true: true }, [], []], [true, [], 'x'.repeat(9)]],
  ['handle', null, [7]],
  ['call_pass', [2, ['m.f at p.py:3'], []], [2, ['m.f at p.py:3'], [{ file: 'p.py' }]]],
  ['callable_position', ['f.py', 3, 'f'], ['f.py', '3', 'f']],
  ['trace_by', 1, null],
])('an answer to %s has its form, or is an exception', (kind, right, wrong) => {
  const channel = new Channel(() => null)
  channel.toPython = () => JSON.stringify({ ok: right })
  const call = channel.call.bind(channel) as (kind: PythonCall) => unknown
  expect(call(kind)).toEqual(right)
  channel.toPython = () => JSON.stringify({ ok: wrong })
  expect(() => call(kind)).toThrow('the code changed Python itself: an answer does not have the expected form')
})
