import { expect, it } from 'vitest'
import { WorkerCalls } from './worker_calls'

interface Reply {
  id: number
  text: string
}

it('resolves each request with its reply, once', async () => {
  const calls = new WorkerCalls<Reply>()
  const sent: number[] = []
  const [first, second] = [calls.newId(), calls.newId()]
  const a = calls.call(first, () => sent.push(first))
  const b = calls.call(second, () => sent.push(second))
  expect(sent).toEqual([first, second])
  expect(calls.settle({ id: second, text: 'b' })).toBe(true)
  expect(calls.settle({ id: second, text: 'again' })).toBe(false)
  expect(calls.isWaiting(first)).toBe(true)
  expect(calls.settle({ id: first, text: 'a' })).toBe(true)
  expect([(await a).text, (await b).text]).toEqual(['a', 'b'])
})

it('rejects pending requests when the worker ends', async () => {
  const calls = new WorkerCalls<Reply>()
  const waiting = [calls.newId(), calls.newId()].map((id) => calls.call(id, () => {}))
  calls.failAll(new Error('ended'))
  for (const call of waiting) await expect(call).rejects.toThrow('ended')
  expect(calls.fail(1, new Error('late'))).toBe(false)
})

it('rejects when the request cannot be sent', async () => {
  const calls = new WorkerCalls<Reply>()
  const send = (): void => {
    throw new TypeError('cannot be cloned')
  }
  await expect(calls.call(calls.newId(), send)).rejects.toThrow('cannot be cloned')
})
