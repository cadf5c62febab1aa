// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest'
import { keepText, keptJson, keptText } from './kept_text'
import { perPage } from './scope'
import { perSession, replaceSession } from './session'

afterEach(() => {
  vi.restoreAllMocks()
  localStorage.clear()
})

it('the page keeps its state over sessions, a session only its own', () => {
  const [page, session] = [perPage(() => ({ n: 0 })), perSession(() => ({ n: 0 }))]
  page().n++
  session().n++
  expect([page().n, session().n]).toEqual([1, 1])
  replaceSession(() => {})
  expect([page().n, session().n]).toEqual([1, 0])
})

it('a storage that refuses has nothing, and what it holds may be of any kind', () => {
  keepText('k', '{')
  expect([keptText('k'), keptJson('k'), keptJson('none')]).toEqual(['{', null, null])
  keepText('k', null)
  expect(keptText('k')).toBeNull()
  vi.spyOn(globalThis, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('denied', 'SecurityError')
  })
  keepText('k', 'x')
  expect([keptText('k'), keptJson('k')]).toEqual([null, null])
})
