import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { lazyField } from '../../base/lazy_field'
import type { GraphView } from '../protocol'
import { emptyNode } from '../report/empty'
import { EventTasks } from './event_tasks'
import { packView, unpackView } from './packed_view'
import type { WireEvent } from './wire'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const node = (name: string) => emptyNode(name, 'placeholder', name)

const graph = (id: number, size: number): WireEvent => {
  const view: GraphView = { nodes: Array.from({ length: size }, (_, i) => node(`n${i}`)), problems: [] }
  return { id, kind: 'graph', graph: { key: `k${id}`, view: packView(view) } }
}

function tasks(wantsAhead = true): { events: EventTasks; seen: string[] } {
  const seen: string[] = []
  const events = new EventTasks({
    handle: (e) => void seen.push(`${e.kind} ${e.id}${e.kind === 'graph' && e.graph.view ? ' packed' : ''}`),
    unpack: (g) => {
      seen.push(`unpack ${g.key}`)
      return lazyField({ problems: [] }, 'nodes', () => (seen.push('nodes'), []))
    },
    prepare: () => [1, 2].map((n) => () => void seen.push(`prepare ${n}`)),
    wantsAhead: () => wantsAhead,
    isLargeReport: ({ id }) => id > 100,
    prepareReport: ({ id }) => [() => void seen.push(`prepare report ${id}`)],
  })
  return { events, seen }
}

const ready: WireEvent = { id: 0, kind: 'ready', ms: 1 }

it('handles small graphs at once, and large ones in several tasks, in order', () => {
  const { events, seen } = tasks()
  events.take(graph(1, 5))
  expect(seen.splice(0)).toEqual(['graph 1 packed'])
  events.take(graph(2, 10_001))
  events.take(ready)
  expect(seen).toEqual([])
  vi.advanceTimersToNextTimer()
  expect(seen).toEqual(['unpack k2'])
  vi.runAllTimers()
  expect(seen).toEqual(['unpack k2', 'nodes', 'prepare 1', 'prepare 2', 'graph 2', 'ready 0'])
})

it('makes the nodes of a large graph in several tasks', () => {
  let [view, shown] = [null as GraphView | null, false]
  const none = { prepare: () => [], wantsAhead: () => true, isLargeReport: () => false, prepareReport: () => [] }
  const events = new EventTasks({
    ...none,
    handle: () => (shown = true),
    unpack: (g) => (view = unpackView(g.view!)),
  })
  events.take(graph(1, 30_000))
  let count = 0
  for (; !shown; count++) vi.advanceTimersToNextTimer()
  // Unpacking, the list of steps, the texts, 3 slices, what is left, the list of preparations, the event.
  expect(count).toBe(9)
  expect(view!.nodes).toHaveLength(30_000)
})

it('prepares the report on a large graph in a task before it', () => {
  const { events, seen } = tasks()
  for (const id of [1, 101]) events.take({ id, kind: 'report' } as WireEvent)
  expect(seen).toEqual(['report 1'])
  vi.advanceTimersToNextTimer()
  vi.advanceTimersToNextTimer()
  expect(seen.splice(0)).toEqual(['report 1', 'prepare report 101'])
  vi.runAllTimers()
  expect(seen).toEqual(['report 101'])
})

it('makes the nodes of a graph that a report brings only where they are shown', () => {
  const ahead = (events: EventTasks): void => events.take({ ...graph(0, 10_001), kind: 'ahead' } as WireEvent)
  for (const shown of [false, true]) {
    const { events, seen } = tasks(shown)
    ahead(events)
    vi.runAllTimers()
    expect(seen).toEqual(['unpack k0', ...(shown ? ['nodes', 'prepare 1', 'prepare 2'] : []), 'ahead 0'])
  }
})

it('drops what waits for a worker that was replaced', () => {
  const { events, seen } = tasks()
  events.take(graph(1, 10_001))
  events.clear()
  events.take(ready)
  vi.runAllTimers()
  expect(seen).toEqual(['ready 0'])
})
