/** The drawing of a hand-written pattern: one node per object, inputs first. */
import { PatternExpr } from '../../matcher/expr/pattern_expr'
import { TargetExpr } from '../../matcher/expr/target'
import { labelOf, kindOf } from './sentences'
import { wrappedBy, type Piece } from './pieces'
import type { DrawnExpression } from './types'

/** @returns the nodes, and the position of each object among them */
export function drawingOf(pieces: readonly Piece[]): { nodes: DrawnExpression[]; at: Map<unknown, number> } {
  const children = new Map<Piece, Piece[]>()
  for (const piece of pieces) {
    if (!piece.parent) continue
    const list = children.get(piece.parent)
    if (list) list.push(piece)
    else children.set(piece.parent, [piece])
  }
  const nodes: DrawnExpression[] = []
  const at = new Map<unknown, number>()
  /** The drawn nodes of a piece; a container is drawn as its items, a constant not at all. */
  const draw = (piece: Piece): number[] => {
    const { arg } = piece
    const known = at.get(arg)
    if (arg instanceof PatternExpr && known !== undefined) return [known]
    const inputs = (children.get(piece) ?? []).flatMap(draw)
    if (!(arg instanceof PatternExpr)) return inputs
    const index = nodes.push({ ...textsOf(piece, arg), inputs: [...new Set(inputs)] }) - 1
    at.set(arg, index)
    return [index]
  }
  const [root] = pieces
  if (root) draw(root)
  return { nodes, at }
}

function textsOf(piece: Piece, arg: PatternExpr): Pick<DrawnExpression, 'label' | 'detail' | 'kind'> {
  const kind = kindOf(piece)
  if (arg instanceof TargetExpr) return { label: wrappedBy(arg) ?? arg.fns[0] ?? '[]', detail: kind, kind: 'call' }
  if ('name' in arg) return { label: String(arg.name), detail: kind, kind: 'input' }
  const isLeaf = kind === 'Arg' || kind === 'Ignored'
  return { label: isLeaf ? labelOf(piece) : kind, detail: kind, kind: isLeaf ? 'input' : 'call' }
}
