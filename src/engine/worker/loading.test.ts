import { afterEach, expect, it, vi } from 'vitest'
import { LoadingBytes } from './loading'

afterEach(() => void vi.useRealTimers())

const response = (bytes: number, headers: Record<string, string> = {}): Response =>
  new Response(new Uint8Array(bytes), { headers: { 'content-length': String(bytes), ...headers } })

it('tells what has arrived after a second, and counts no file whose size here is not what is sent', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const heard: [number, number][] = []
  const bytes = new LoadingBytes((received, total) => heard.push([received, total]))
  expect((await bytes.counted(response(10)).arrayBuffer()).byteLength).toBe(10)
  expect(heard).toEqual([])
  vi.advanceTimersByTime(1001)
  const wasm = response(100, { 'content-encoding': 'br' })
  expect(bytes.begin(wasm)).toBe(100)
  await bytes.counted(response(20)).arrayBuffer()
  await bytes.counted(response(7, { 'content-encoding': 'br' })).arrayBuffer()
  await bytes.counted(new Response('no size')).arrayBuffer()
  expect(heard).toEqual([[30, 130]])
  bytes.add(100)
  expect(heard.at(-1)).toEqual([130, 130])
})
