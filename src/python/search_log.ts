/**
 * Records the searches of SubgraphMatcher (by replace_pattern) while a stage runs: the pattern, the graph at that time, its
 * matches, and their replacements.
 */
import { clone, type Graph } from '../fx'
import { nameClasses } from '../matcher/expr/module_class'
import type { CallableId } from '../matcher/types'
import type { EngineHandlers } from './calls/table'
import type { OpenGraphs } from './open_graphs'
import { sourceRef, type SearchJson } from './registration'
import type { Search, SearchMatch } from './pass_call'

/** Maximum number of recorded searches of a stage: each search that finds something holds a copy of the graph. */
const MAX_SEARCHES = 200

/** No function. */
const NONE: CallableId = -1

export class SearchLog {
  private searches: Search[] | null = null
  private leftOut = 0
  private copy: { of: Graph; edits: number; made: Graph } | null = null

  /** @param edits the number of edits of the present stage so far */
  constructor(
    private readonly graphs: OpenGraphs,
    private readonly edits: () => number,
  ) {}

  /** Records the searches of `body` in `last`. */
  during<T>(body: () => T): T {
    const before = { searches: this.searches, leftOut: this.leftOut }
    const searches: Search[] = (this.searches = [])
    this.leftOut = 0
    this.copy = null
    try {
      return body()
    } finally {
      this.last = { searches, leftOut: this.leftOut }
      Object.assign(this, before)
      this.copy = null
    }
  }

  /** The searches of the last stage, also of one that raised. */
  last: { searches: readonly Search[]; leftOut: number } = { searches: [], leftOut: 0 }

  /** The handlers of Python's calls about searches. */
  readonly handlers: Pick<EngineHandlers, 'searched' | 'search_refused' | 'search_replacement' | 'search_replaced'> = {
    searched: (pattern, graph, search) => this.add(pattern, graph, search),
    search_refused: (at, match, reads, returned) => {
      const found = this.searches![at]!.found[match]!
      found.drop = { kind: 'match-filter' }
      if (reads.length > 0) found.reads = reads
      if (returned) found.returned = returned
    },
    search_replacement: (at, number, fn) => {
      const search = this.searches![at]!
      const replacement = clone(this.graphs.current(number)).graph
      const { subgraph } = search.registration
      const replaceArgNames = [...replacement.nodes()].filter((n) => n.op === 'placeholder').map((n) => n.target)
      search.registration = {
        ...search.registration,
        replace: fn ?? NONE,
        replaceArgNames,
        subgraph: { ...subgraph!, replacement },
      }
    },
    search_replaced: (at, match, added, by) => {
      const nameOf = (key: string): string => this.graphs.node(key).name
      Object.assign(this.searches![at]!.found[match]!, {
        added: added.map(nameOf),
        replacedBy: by.map((key) => key && nameOf(key)),
      })
    },
  }

  /** The number of the search; -1 if it is not recorded. */
  private add(number: number, shown: number | null, json: SearchJson): number {
    if (!this.searches) return -1
    if (this.searches.length === MAX_SEARCHES) {
      this.leftOut++
      return -1
    }
    const { graphs } = this
    const { source, search, ignoreLiterals, found, classes, ...facts } = json
    const { graph: pattern, map } = clone(graphs.current(number))
    nameClasses(pattern, classes[0])
    const index = new Map([...pattern.nodes()].map((n, i) => [n, i]))
    const placeholders = [...pattern.nodes()].filter((n) => n.op === 'placeholder')
    const matchOf = ([pairs, outputs, dropped]: SearchJson['found'][number]): SearchMatch => {
      const named = pairs.map(([p, g, text]) => ({
        p: map.get(graphs.node(p))!,
        g: g === null ? null : graphs.node(g),
        text,
      }))
      const calls = named.filter(({ p, g }) => g !== null && p.op !== 'placeholder' && p.op !== 'output')
      const matched = calls.map(({ g }) => g!).sort((a, b) => a.sortKey - b.sortKey)
      const returned = outputs.map((key) => graphs.node(key))
      return {
        node: (returned[0] ?? matched.at(-1))?.name ?? '',
        nodes: matched.map((n) => n.name),
        outputs: returned.map((n) => n.name),
        args: [],
        kwargs: Object.fromEntries(
          named.flatMap(({ p, g, text }) => (p.op === 'placeholder' ? [[p.target, g?.name ?? text]] : [])),
        ),
        map: named.flatMap(({ p, g }) => (g ? [[index.get(p)!, g.name]] : [])),
        added: [],
        replacedBy: returned.map(() => null),
        ...(dropped !== null && { drop: { kind: dropped } }),
      }
    }
    const searched = graphs.current(shown)
    nameClasses(searched, classes[1])
    this.searches.push({
      registration: {
        ...facts,
        source: sourceRef(source) ?? null,
        search: search ?? NONE,
        replace: NONE,
        argNames: placeholders.map((n) => n.target),
        exampleInputs: [],
        extraCheck: null,
        scalarWorkaround: null,
        exclusiveArgNames: [],
        searchFnPattern: null,
        skipDuplicates: false,
        subgraph: { ignoreLiterals, replacement: null },
      },
      pattern,
      searched: this.copyOf(searched),
      found: found.map(matchOf),
    })
    return this.searches.length - 1
  }

  private copyOf(graph: Graph): Graph {
    const edits = this.edits()
    if (this.copy?.of !== graph || this.copy.edits !== edits) this.copy = { of: graph, edits, made: clone(graph).graph }
    return this.copy.made
  }
}
