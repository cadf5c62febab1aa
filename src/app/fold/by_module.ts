/** The grouping of a graph by the modules of its model. */
import { memoizeByObject } from '../../base/memoize'
import type { GraphView } from '../../engine/protocol'
import { groupingOf, type GroupSource } from './grouping'
import { modulesOf } from './modules'
import { withOwnInputs } from './own_inputs'
import type { Grouping } from './types'

/** A module with the modules inside it. */
interface Module {
  path: string
  /** Nodes of the module and of those inside it, ascending. */
  nodes: number[]
  inner: Map<string, Module>
}

/** Null if the dump names no modules. */
export const groupingByModule = memoizeByObject((graph: GraphView): Grouping | null => {
  const paths = modulesOf(graph)
  if (!paths) return null
  const root: Module = { path: '', nodes: [], inner: new Map() }
  // A parameter that several modules use belongs to none.
  const isCall = (i: number): boolean => graph.nodes[i]!.op.startsWith('call')
  const own = withOwnInputs(graph, (i) => (isCall(i) ? (paths[i] ?? null) : null))
  own.forEach((path, i) => path !== null && insert(root, path, i))
  const sources: GroupSource[] = []
  addGroups(sources, null, [modulesIn(root)])
  return sources.length === 0 ? null : groupingOf(graph.nodes.length, sources)
})

function insert(root: Module, path: string, node: number): void {
  let module = root
  module.nodes.push(node)
  for (const part of path === '' ? [] : path.split('.')) {
    let inner = module.inner.get(part)
    if (!inner) {
      inner = { path: module.path === '' ? part : `${module.path}.${part}`, nodes: [], inner: new Map() }
      module.inner.set(part, inner)
    }
    inner.nodes.push(node)
    module = inner
  }
}

/** The modules directly inside. A module that contains only one other module is skipped: `model` contains only `model.layers`. */
function modulesIn({ inner }: Module): Module[] {
  return [...inner.values()].flatMap((m) => (m.nodes.length === sizeInside(m) ? modulesIn(m) : [m]))
}

/** Number of nodes in the single inner module, or in the numbered ones; -1 if the module has nodes or modules of its own. */
function sizeInside({ inner }: Module): number {
  const names = [...inner.keys()]
  const list = names.length > 0 && names.every((n) => /^\d+$/.test(n))
  if (names.length !== 1 && !list) return -1
  return [...inner.values()].reduce((n, m) => n + m.nodes.length, 0)
}

/** The label of `layers.3.mlp` is `mlp`, that of `layers.3` is `layers`. */
function labelOf(path: string): string {
  const parts = path.split('.')
  return (/^\d+$/.test(parts.at(-1)!) && parts.length > 1 ? parts.at(-2) : parts.at(-1))!
}

/** @param inside the modules inside each instance of the parent, by instance */
function addGroups(sources: GroupSource[], parent: number | null, inside: readonly (readonly Module[])[]): void {
  const byLabel = new Map<string, { module: Module; outer: number }[]>()
  inside.forEach((modules, outer) => {
    for (const module of modules) {
      const label = labelOf(module.path)
      const found = byLabel.get(label)
      if (found) found.push({ module, outer })
      else byLabel.set(label, [{ module, outer }])
    }
  })
  for (const [label, all] of byLabel) {
    const numbered = all.some(({ module }) => /\.\d+$/.test(module.path))
    const index = sources.length
    sources.push({
      key: parent === null ? label : `${sources[parent]!.key}.${label}`,
      ...{ label, parent, perParent: 0, runs: numbered, named: true, differs: [] },
      instances: all.map(({ module }) => module.nodes),
      parents: all.map(({ outer }) => outer),
      titles: all.map(({ module }) => (numbered || parent === null ? module.path : label)),
    })
    addGroups(
      sources,
      index,
      all.map(({ module }) => modulesIn(module)),
    )
  }
}
