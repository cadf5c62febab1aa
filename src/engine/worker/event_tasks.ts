/** Handles the worker's events in order; one with a large graph in several tasks, between which the page answers. */
import type { GraphView } from '../protocol'
import type { WireEvent, WireGraph } from './wire'

/** Nodes of a graph whose unpacking and preparation are tasks of their own. */
const LARGE = 10_000

interface Handlers {
  handle(event: WireEvent): void
  unpack(graph: WireGraph): GraphView
  /** Computes what the page needs of each graph. */
  prepare?: ((graph: GraphView) => void) | undefined
  /** False: the page does not read the nodes of a graph that a report brings until somebody looks at it. */
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
      // The nodes are made when they are first read.
      if (event.kind === 'graph' || wantsAhead())
        this.tasks.push(
          () => void view.nodes,
          () => prepare?.(view),
        )
      this.tasks.push(() => handle({ ...event, graph: { key: graph.key, view: null } }))
    } else if (this.tasks.length > 0) this.tasks.push(() => handle(event))
    else return handle(event)
    this.schedule()
  }

  /** Drops what waits. */
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
