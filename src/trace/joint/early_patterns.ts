/**
 * The early_patterns of torch/_inductor/fx_passes/joint_graph.py, which joint_fwd_bwd applies to its graph: a view to the
 * same sizes, two views and two permutations that cancel out are removed.
 */
import { isKind, Node, type Arg, type Dim, type Graph } from '../../fx'
import { sameDims } from '../../ops/sym'

const VIEW = 'aten.view.default'
const PERMUTE = 'aten.permute.default'

export function applyEarlyPatterns(graph: Graph): void {
  for (const node of [...graph.nodes()].reverse()) {
    if (node.op !== 'call_function') continue
    if (node.target === VIEW) {
      if (!sameView(graph, node, node.args[0]))
        pair(graph, node, (inner) => sameView(graph, node, inner.args[0], inner))
    } else if (node.target === PERMUTE) pair(graph, node, (inner) => samePermutation(graph, node, inner))
  }
}

/** Calls `edit` with the argument of `node` if it is the same operator without another user. */
function pair(graph: Graph, node: Node, edit: (inner: Node) => void): void {
  const inner = node.args[0]
  if (node.erased || !(inner instanceof Node) || inner.target !== node.target || inner.users.size !== 1) return
  edit(inner)
}

/** Removes `node` if it views `source` at its own sizes. */
function sameView(graph: Graph, node: Node, source: Arg | undefined, inner?: Node): boolean {
  const sizes = node.args[1]
  if (!(source instanceof Node) || source.meta.val?.kind !== 'tensor' || !Array.isArray(sizes)) return false
  if (!definitelyEqual(source.meta.val.shape, sizes as readonly Arg[])) return false
  replaced(graph, node, source, inner)
  return true
}

/** definitely_equal: one size may be -1, and a symbolic one may be a node. */
function definitelyEqual(shape: readonly Dim[], sizes: readonly Arg[]): boolean {
  const wanted = sizes.map((s) => {
    const value = s instanceof Node && s.meta.val?.kind === 'scalar' ? s.meta.val.value : s
    return typeof value === 'bigint' ? Number(value) : isKind(value, 'sym') ? value.expr : null
  })
  if (shape.length !== wanted.length) return false
  const others = wanted.filter((size, i) => size === null || !sameDims([shape[i]!], [size]))
  return others.length <= 1 && others.every((size) => size === -1)
}

function samePermutation(graph: Graph, node: Node, inner: Node): void {
  const [first, second] = [inner.args[1], node.args[1]] as [readonly Arg[], readonly Arg[]]
  const source = inner.args[0]
  if (!(source instanceof Node) || !second.every((d, i) => first.at(Number(d as bigint)) === BigInt(i))) return
  replaced(graph, node, source, inner)
}

function replaced(graph: Graph, node: Node, source: Node, inner?: Node): void {
  node.replaceAllUsesWith(source)
  for (const n of inner ? [node, inner] : [node]) if (n.users.size === 0) graph.eraseNode(n)
}
