/** Handles the worker's events in order. An event with a large graph takes several tasks, between which the page stays responsive. */
import type { GraphView } from '../protocol'
import { nodeSteps } from './packed_view'
import type { WireEvent, WireGraph } from './wire'

/** Number of nodes from which a graph's unpacking and preparation are separate tasks. */
export const LARGE = 10_000

/** Maximum number of nodes created in one task: for more, garbage collection alone would take 50 ms. */
const SLICE = 12_500

type ReportEvent = Extract<WireEvent, { kind: 'report' }>

interface Handlers {
  handle(event: WireEvent): void
  unpack(graph: WireGraph): GraphView
  /** The page's computations on a graph before it gets the event: each is a task. */
  prepare(graph: GraphView): readonly (() => void)[]
  /** Like `prepare`, for a report on a large graph. */
  prepareReport(event: ReportEvent): readonly (() => void)[]
  isLargeReport(event: ReportEvent): boolean
  /** False: the page does not read a report's graph until somebody looks at it. */
  wantsAhead(): boolean
}

export class EventTasks {
  private tasks: (() => void)[] = []
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly handlers: Handlers) {}

  take(event: WireEvent): void {
    const { handle, unpack, prepare, wantsAhead } = this.handlers
    if ((event.kind === 'graph' || event.kind === 'ahead') && isLarge(event.graph)) {
      const { graph } = event
      let view: GraphView
      this.tasks.push(() => (view = unpack(graph)))
      // The nodes are created when they are first read.
      if (event.kind === 'graph' || wantsAhead())
        this.tasks.push(
          () => void this.tasks.unshift(...nodeSteps(view, SLICE)),
          () => void view.nodes,
          () => void this.tasks.unshift(...prepare(view)),
        )
      this.tasks.push(() => handle({ ...event, graph: { key: graph.key, view: null } }))
    } else if (event.kind === 'report' && this.handlers.isLargeReport(event))
      this.tasks.push(
        () => void this.tasks.unshift(...this.handlers.prepareReport(event)),
        () => handle(event),
      )
    else if (this.tasks.length > 0) this.tasks.push(() => handle(event))
    else return handle(event)
    this.schedule()
  }

  /** Drops the waiting events. */
  clear(): void {
    this.tasks = []
    clearTimeout(this.timer)
    this.timer = undefined
  }

  private schedule(): void {
    if (this.tasks.length === 0) return
    this.timer ??= setTimeout(() => {
      this.timer = undefined
      try {
        this.tasks.shift()?.()
      } finally {
        this.schedule()
      }
    })
  }
}

const isLarge = ({ view }: WireGraph): boolean => view !== null && view.textLines.length > LARGE
