import { expect, test, vi } from 'vitest'
import { lazyField, withFields } from './lazy_field'

test('a lazy field is computed once, on the first read of it or of a copy', () => {
  const make = vi.fn(() => [1, 2])
  const first = lazyField({ name: 'a', done: false }, 'rows', make)
  const second = withFields(first, { done: true })
  expect(make).not.toHaveBeenCalled()
  expect(second).toEqual({ name: 'a', done: true, rows: [1, 2] })
  expect(second.rows).toBe(first.rows)
  expect(JSON.parse(JSON.stringify(first))).toEqual({ name: 'a', done: false, rows: [1, 2] })
  expect(make).toHaveBeenCalledOnce()
})
