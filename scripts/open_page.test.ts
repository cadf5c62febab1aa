/** public/open.js, run with stand-ins for the window that another page opened. */
import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { STEADY_MS } from '../src/app/session/question/steady'
import { HIDDEN } from '../src/base/escapes'

it('opens the graph of the newest message, whichever is packed last', async () => {
  const elements: Record<string, { textContent?: string; press?: () => void }> = {}
  const element = (id: string) =>
    (elements[id] ??= { addEventListener: (_: string, press: () => void) => (elements[id]!.press = press) } as object)
  const packed: (() => void)[] = []
  const opened: string[] = []
  const answers: object[] = []
  const opener = { postMessage: (said: object) => answers.push(said) }
  let hear: (event: object) => Promise<void> = async () => undefined
  runInNewContext(readFileSync('public/open.js', 'utf8'), {
    ...{ opener, btoa, clearTimeout, setTimeout: () => 0, navigator: { userAgent: '' } },
    document: { querySelector: () => element('status'), getElementById: element },
    location: { replace: (link: string) => opened.push(link) },
    addEventListener: (type: string, handler: typeof hear) => type === 'message' && (hear = handler),
    Blob: function (this: object, [json]: string[]) {
      return { stream: () => ({ pipeThrough: () => json }) }
    },
    CompressionStream: Object,
    // Each call waits until the test lets it finish.
    Response: function (this: object, json: string) {
      const bytes = Uint8Array.from(json, (c) => c.charCodeAt(0))
      return { arrayBuffer: () => new Promise((done) => packed.push(() => done(bytes))) }
    },
  })
  const send = (id: number, name: string) =>
    hear({ source: opener, origin: 'https://a.example', data: { fusescope: 1, id, call: 'open', name, graph: 'g' } })
  const both = [send(1, 'old'), send(2, 'new\u202e')]
  for (const pack of packed.toReversed()) {
    pack()
    await new Promise((done) => setTimeout(done))
  }
  await Promise.all(both)
  elements.open!.press!()
  expect(atob(opened[0]!.slice('./#v1.'.length).replaceAll('-', '+').replaceAll('_', '/'))).toContain('"new')
  expect(elements.status!.textContent).toContain('“new\\u{202e}”')
  expect(answers).toMatchObject([{ event: 'ready' }, { id: 2, result: 'asked' }, { id: 1, error: expect.any(String) }])
})

it('begins the second again at a press during it, and at what a held key repeats', async () => {
  const open = { disabled: true, addEventListener: () => undefined }
  const listeners: Record<string, (event: object) => unknown> = {}
  const timers = new Map<number, () => void>()
  const opener = { postMessage: () => undefined }
  runInNewContext(readFileSync('public/open.js', 'utf8'), {
    ...{ opener, btoa, Blob, Response, CompressionStream, Uint8Array, navigator: { userAgent: '' } },
    setTimeout: (call: () => void) => (timers.set(timers.size, call), timers.size - 1),
    clearTimeout: (id: number) => timers.set(id, () => undefined),
    document: { querySelector: () => ({}), getElementById: () => open },
    addEventListener: (type: string, handler: (event: object) => unknown) => (listeners[type] = handler),
  })
  const data = { fusescope: 1, id: 1, call: 'open', name: 'n', graph: 'g' }
  await listeners.message!({ source: opener, origin: 'https://a.example', data })
  const [early] = [...timers.keys()].slice(-1)
  listeners.pointerdown!({})
  timers.get(early!)!()
  expect(open.disabled).toBe(true)
  timers.get(timers.size - 1)!()
  expect(open.disabled).toBe(false)
  listeners.pointerdown!({})
  expect(open.disabled).toBe(false)
  listeners.keydown!({ repeat: true })
  expect(open.disabled).toBe(true)
})

it('escapes what a terminal’s line does, and waits as long as the page', () => {
  const script = readFileSync('public/open.js', 'utf8')
  expect(/HIDDEN = \/(.*)\/gu/.exec(script)![1]).toBe(HIDDEN.source)
  expect(Number(/STEADY_MS = (\d+)/.exec(script)![1])).toBe(STEADY_MS)
})
