/** The client against a port that the test plays. Reason for length: one state machine, whose states are reached by long ways. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Workspace } from '../../workspace/types'
import { createClient, type EnginePort } from './client'
import type { EngineEvent } from '../protocol'
import type { WireEvent, WireReport, WireRequest } from './wire'
import { packAttempts } from './packed_attempts'
import { packView } from './packed_view'

const workspace = (text: string): Workspace => ({
  name: 'w',
  graph: { name: 'g', text },
  files: [],
  options: { timeLimitS: 2 },
})

class FakePort implements EnginePort {
  sent: WireRequest[] = []
  ended = false
  onmessage: EnginePort['onmessage'] = null
  onerror: EnginePort['onerror'] = null
  postMessage(m: WireRequest): void {
    this.sent.push(m)
  }
  terminate(): void {
    this.ended = true
  }
  say(e: WireEvent): void {
    this.onmessage?.({ data: e })
  }
}

function setup(): { ports: FakePort[]; client: ReturnType<typeof createClient> } {
  const ports: FakePort[] = []
  const client = createClient({
    files: { indexURL: 'x/', packs: null },
    start: () => (ports.push(new FakePort()), ports.at(-1)!),
  })
  return { ports, client }
}

const graphEvent = (id: number, key: string): WireEvent => ({
  id,
  kind: 'graph',
  graph: { key, view: packView({ nodes: [], problems: [] }) },
})

const report = (id: number): WireEvent => ({
  id,
  kind: 'report',
  report: {
    graph: { key: 'k', view: packView({ nodes: [], problems: [] }) },
    after: null,
    passes: [{}, {}],
    attempts: [packAttempts([]), packAttempts([])],
  } as unknown as WireReport,
})

describe('engine client', () => {
  afterEach(() => void vi.useRealTimers())

  it('starts no further worker by itself if the script cannot be loaded; the next request tries again', () => {
    const { ports, client } = setup()
    const events: EngineEvent[] = []
    client.analyze(workspace('a'), (e) => events.push(e))
    ports[0]!.onerror?.({ message: '' })
    expect([ports.length, events.at(-1)]).toEqual([
      1,
      expect.objectContaining({ kind: 'failed', message: expect.stringMatching(/^The engine could not be loaded: /) }),
    ])
    client.analyze(workspace('b'), (e) => events.push(e))
    expect([ports.length, ports[1]!.sent.map((m) => m.kind)]).toEqual([2, ['init', 'analyze']])
  })

  it('tells a new worker which graph the page has, and takes a report that names it', () => {
    const { ports, client } = setup()
    const shown = { nodes: [], problems: [] }
    const events: EngineEvent[] = []
    client.analyze(workspace('a'), (e) => events.push(e), shown)
    const request = ports[0]!.sent.at(-1) as { kind: string; id: number; held?: string }
    expect(request).toMatchObject({ kind: 'analyze', held: expect.any(String) })
    ports[0]!.say({ id: request.id, kind: 'graph', graph: { key: request.held!, view: null } })
    expect((events[0] as { graph?: object }).graph).toBe(shown)
    ports[0]!.say(report(request.id))
    client.analyze(workspace('b'), () => {}, shown)
    expect(ports[0]!.sent.at(-1)).not.toHaveProperty('held')
  })

  it('runs one analysis at a time, then only the newest waiting one', () => {
    const { ports, client } = setup()
    const seen: string[] = []
    for (const text of ['a', 'b', 'c']) client.analyze(workspace(text), (e) => seen.push(`${text} ${e.kind}`))
    const texts = (): string[] => ports[0]!.sent.flatMap((m) => (m.kind === 'analyze' ? [m.workspace.graph.text] : []))
    expect(texts()).toEqual(['a'])
    ports[0]!.say(report(1))
    expect(texts()).toEqual(['a', 'c'])
    ports[0]!.say(report(3))
    expect(seen).toContain('c report')
    expect(seen.some((s) => s.startsWith('b'))).toBe(false)
  })

  it('takes a second report of a run, which replaces the answer to an edit, and expects no run to be as fast as that', () => {
    vi.useFakeTimers()
    const { ports, client } = setup()
    const kinds: string[] = []
    const begin = (id: number): void =>
      ports[0]!.say({ id, kind: 'progress', stage: 'run', text: 'running', fraction: null })
    const patient = (text: string): Workspace => ({ ...workspace(text), options: { timeLimitS: 60 } })
    client.analyze(patient('a'), () => {})
    begin(1)
    vi.advanceTimersByTime(4000)
    ports[0]!.say(report(1))
    client.analyze(patient('b'), (e) => kinds.push(e.kind))
    begin(2)
    ports[0]!.say({ ...report(2), unconfirmed: true } as WireEvent)
    begin(2)
    ports[0]!.say(report(2))
    expect(kinds).toEqual(['progress', 'report', 'report'])
    client.analyze(patient('c'), () => {})
    begin(3)
    client.analyze(patient('d'), () => {})
    vi.advanceTimersByTime(13_000)
    expect(ports[0]!.ended).toBe(false)
  })

  it('replaces a run that takes far longer than the last one while a newer one waits', () => {
    vi.useFakeTimers()
    const { ports, client } = setup()
    const begin = (id: number): void =>
      ports[0]!.say({ id, kind: 'progress', stage: 'run', text: 'running', fraction: null })
    const patient = (text: string): Workspace => ({ ...workspace(text), options: { timeLimitS: 60 } })
    client.analyze(patient('a'), () => {})
    begin(1)
    vi.advanceTimersByTime(500)
    ports[0]!.say(report(1))
    client.analyze(patient('loop'), () => {})
    begin(2)
    vi.advanceTimersByTime(3000)
    client.analyze(patient('mended'), () => {})
    vi.advanceTimersByTime(400)
    expect(ports[0]!.ended).toBe(false)
    vi.advanceTimersByTime(200)
    expect(ports[0]!.ended).toBe(true)
    expect(ports[1]!.sent.flatMap((m) => (m.kind === 'analyze' ? [m.workspace.graph.text] : []))).toEqual(['mended'])
  })

  it('ends a run over the time limit and reports the restart; loading Python does not count', () => {
    vi.useFakeTimers()
    const { ports, client } = setup()
    const seen: EngineEvent[] = []
    client.analyze(workspace('a'), (e) => seen.push(e))
    vi.advanceTimersByTime(60_000)
    expect(ports).toHaveLength(1)
    ports[0]!.say({ id: 1, kind: 'progress', stage: 'run', text: 'running', fraction: null })
    vi.advanceTimersByTime(2001)
    expect(ports[0]!.ended).toBe(true)
    expect(ports).toHaveLength(2)
    expect(seen.at(-1)).toMatchObject({ kind: 'failed', message: expect.stringContaining('Stopped after 2 s') })
    client.analyze(workspace('b'), () => {})
    expect(ports[1]!.sent.map((m) => m.kind)).toEqual(['init', 'analyze'])
  })

  it('returns the same object for a graph that was sent before', () => {
    const { ports, client } = setup()
    const graphs: unknown[] = []
    const keep = (e: EngineEvent): void => void (e.kind === 'graph' && graphs.push(e.graph))
    client.read(workspace('a'), keep)
    ports[0]!.say(graphEvent(1, 'k'))
    client.read(workspace('a'), keep)
    ports[0]!.say({ id: 2, kind: 'graph', graph: { key: 'k', view: null } })
    expect(graphs[1]).toBe(graphs[0])
  })

  it('replaces a worker whose Python is unusable, and runs waiting calls in the new one', () => {
    const { ports, client } = setup()
    client.analyze(workspace('a'), () => {})
    client.analyze(workspace('b'), () => {})
    ports[0]!.say({ id: 1, kind: 'failed', message: 'x' })
    ports[0]!.say({ id: 0, kind: 'broken' })
    expect(ports[0]!.ended).toBe(true)
    expect(ports[1]!.sent.map((m) => m.kind)).toEqual(['init', 'analyze'])
  })

  it('replaces the worker of an internal failure; the waiting call runs in the new one', () => {
    const { ports, client } = setup()
    const seen: string[] = []
    for (const text of ['a', 'b']) client.analyze(workspace(text), (e) => seen.push(`${text} ${e.kind}`))
    ports[0]!.say({ id: 1, kind: 'failed', message: 'no' })
    expect(ports[0]!.ended).toBe(true)
    expect(ports[1]!.sent.map((m) => m.kind)).toEqual(['init', 'analyze'])
    expect(seen).toEqual(['a failed'])
  })

  it('runs another workspace in a new worker, unless no code has run', () => {
    const { ports, client } = setup()
    const seen: string[] = []
    client.read(workspace('a'), () => {})
    ports[0]!.say(graphEvent(1, 'k'))
    client.renew()
    expect(ports).toHaveLength(1)
    client.analyze(workspace('a'), (e) => seen.push(e.kind))
    client.renew()
    expect(ports[0]!.ended).toBe(true)
    client.renew()
    expect(ports.map((p) => p.sent.map((m) => m.kind))).toEqual([['init', 'read', 'analyze'], ['init']])
    expect(seen).toEqual([])
  })

  it('forwards explanations of a report until a newer run starts, without waiting for them', () => {
    const { ports, client } = setup()
    const seen: string[] = []
    client.analyze(workspace('a'), (e) => seen.push(`a ${e.kind}`))
    ports[0]!.say(report(1))
    ports[0]!.say({ id: 1, kind: 'explained', passes: [] })
    ports[0]!.say({ id: 1, kind: 'column', column: { graph: 'g', fired: [[1]], problem: null } })
    ports[0]!.say({ id: 1, kind: 'fixes', found: [], done: false })
    client.analyze(workspace('b'), (e) => seen.push(`b ${e.kind}`))
    expect(ports[0]!.sent.at(-1)).toMatchObject({ kind: 'analyze', id: 2 })
    ports[0]!.say({ id: 1, kind: 'fixes', found: [], done: true })
    expect(seen).toEqual(['a report', 'a explained', 'a column', 'a fixes'])
  })

  it('runs a call that a hanging explanation blocks in a new worker', () => {
    vi.useFakeTimers()
    const { ports, client } = setup()
    client.analyze(workspace('a'), () => {})
    ports[0]!.say({ id: 0, kind: 'ready', ms: 1 })
    ports[0]!.say(report(1))
    client.analyze(workspace('b'), () => {})
    vi.advanceTimersByTime(2001)
    expect(ports[0]!.ended).toBe(true)
    expect(ports[1]!.sent.map((m) => m.kind)).toEqual(['init', 'analyze'])
  })

  it('replaces a worker that falls silent while explaining, and keeps one that gives signs or is done', () => {
    vi.useFakeTimers()
    const { ports, client } = setup()
    client.analyze(workspace('a'), () => {})
    ports[0]!.say(report(1))
    ports[0]!.say({ id: 1, kind: 'fixes', found: [], done: true })
    vi.advanceTimersByTime(120_000)
    expect(ports).toHaveLength(1)
    client.analyze(workspace('b'), () => {})
    ports[0]!.say(report(2))
    for (let i = 0; i < 4; i++) {
      vi.advanceTimersByTime(20_000)
      ports[0]!.say({ id: 2, kind: 'progress', stage: 'apply', text: 'Explaining', fraction: null })
    }
    expect(ports).toHaveLength(1)
    vi.advanceTimersByTime(31_000)
    expect(ports).toHaveLength(2)
  })

  it('ends the wait for explanations and fixes once if their worker hangs', () => {
    vi.useFakeTimers()
    const { ports, client } = setup()
    const seen: EngineEvent[] = []
    client.analyze(workspace('a'), (e) => seen.push(e))
    ports[0]!.say(report(1))
    vi.advanceTimersByTime(31_000)
    expect(ports[0]!.ended).toBe(true)
    expect(seen.map((e) => e.kind)).toEqual(['report', 'off', 'explained', 'fixes'])
    expect(seen[2]).toMatchObject({ passes: [{ pass: 0, leftOut: expect.any(String) }, { pass: 1 }] })
    expect(seen[3]).toMatchObject({ id: 1, done: true, cut: true })

    client.analyze(workspace('b'), (e) => seen.push(e))
    ports[1]!.say(report(2))
    ports[1]!.say({ id: 2, kind: 'off', off: [] })
    ports[1]!.say({ id: 2, kind: 'explained', passes: [] })
    ports[1]!.say({ id: 0, kind: 'broken' })
    expect(seen.slice(4).map((e) => e.kind)).toEqual(['report', 'off', 'explained', 'fixes'])
    client.stop()
    expect(seen).toHaveLength(8)
  })

  it('answers requests to a worker that is replaced', async () => {
    vi.useFakeTimers()
    const { ports, client } = setup()
    client.analyze(workspace('a'), () => {})
    ports[0]!.say(report(1))
    const steps = expect(client.steps('patterns', null, 'mm')).rejects.toThrow('restarted')
    vi.advanceTimersByTime(31_000)
    await steps
  })

  it('analyzes the reported run again in a new worker before a call on it, once, and explains nothing', async () => {
    vi.useFakeTimers()
    const { ports, client } = setup()
    const seen: EngineEvent[] = []
    client.analyze(workspace('a'), (e) => seen.push(e))
    ports[0]!.say(report(1))
    vi.advanceTimersByTime(31_000)
    const calls = [client.lower(), client.lower()]
    void client.language().catch(() => {})
    const kinds = (): string[] => ports[1]!.sent.map((m) => (m.kind === 'call' ? m.name : m.kind))
    expect(kinds()).toEqual(['init', 'analyze', 'language'])
    expect(ports[1]!.sent[1]).toMatchObject({ workspace: { graph: { text: 'a' } }, again: true })
    ports[1]!.say(report(ports[1]!.sent[1]!.id))
    await vi.advanceTimersByTimeAsync(60_000)
    expect([kinds().slice(3), ports.length, seen.length]).toEqual([['lower', 'lower'], 2, 4])
    for (const { id } of ports[1]!.sent.slice(3)) ports[1]!.say({ id, kind: 'answer', name: 'lower', answer: 'g' })
    expect(await Promise.all(calls)).toEqual(['g', 'g'])
    client.renew()
    void client.lower().catch(() => {})
    expect(ports[2]!.sent.map((m) => m.kind)).toEqual(['init', 'call'])
  })

  it('limits the run of a capture’s files after its report by the workspace’s limit, and not the loading of Python', () => {
    vi.useFakeTimers()
    const { ports, client } = setup()
    const seen: string[] = []
    client.analyze(workspace('a'), (e) => seen.push(e.kind))
    ports[0]!.say(report(1))
    const says = (stage: 'python' | 'run' | 'apply'): void =>
      ports[0]!.say({ id: 1, kind: 'progress', stage, text: '', fraction: null })
    says('python')
    vi.advanceTimersByTime(300_000)
    says('run')
    vi.advanceTimersByTime(1900)
    says('apply')
    vi.advanceTimersByTime(29_000)
    expect([ports.length, seen]).toEqual([1, ['report']])
    says('run')
    vi.advanceTimersByTime(2001)
    expect([ports.length, seen]).toEqual([2, ['report', 'off', 'explained', 'fixes']])
  })

  it('tells the worker of a call that is cancelled, and unpacks its late answer: the worker counts on its graphs', async () => {
    const { ports, client } = setup()
    const packed = packView({ nodes: [], problems: [] })
    const ends = new AbortController()
    const first = expect(client.stage(1, ends.signal)).rejects.toThrow('aborted')
    const { id } = ports[0]!.sent.at(-1)!
    expect(ports[0]!.sent.at(-1)).toEqual({ id, kind: 'call', name: 'stage', args: [1] })
    ends.abort()
    await first
    expect(ports[0]!.sent.at(-1)).toEqual({ id, kind: 'cancel' })
    const answer = (of: number, view: typeof packed | null): WireEvent => ({
      id: of,
      kind: 'answer',
      name: 'stage',
      answer: { at: 1, before: null, graph: { key: 'after', view } },
    })
    ports[0]!.say(answer(id, packed))
    const second = client.stage(1)
    ports[0]!.say(answer(ports[0]!.sent.at(-1)!.id, null))
    expect((await second).graph.nodes).toEqual([])
    await expect(client.pin('patterns', 0, 'mm', ends.signal)).rejects.toThrow('aborted')
    expect(ports[0]!.sent.filter((m) => m.kind === 'call')).toHaveLength(2)
  })
})
