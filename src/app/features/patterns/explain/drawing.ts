/** The drawing of a hand-written pattern as a graph of the small pattern graph. */
import { memoizeByObject } from '../../../../base/memoize'
import type { DrawnExpression, ExplainedStage, GraphView, NodeView } from '../../../../engine/protocol'

const nodeOf = ({ label, detail, kind, inputs }: DrawnExpression): NodeView => ({
  // The small graph shows an input by its name, and a call by its target above its name.
  name: kind === 'input' ? label : detail,
  op: kind === 'input' ? 'placeholder' : 'call_function',
  target: label,
  inner: null,
  family: 'other',
  dtype: null,
  shape: null,
  stride: null,
  device: null,
  args: [],
  kwargs: [],
  inputs: [...inputs],
  users: [],
  source: null,
  textLine: null,
})

/** Null for a traced pattern. */
export const drawingGraph = memoizeByObject((stage: ExplainedStage): GraphView | null => {
  if (!stage.drawing) return null
  const nodes = stage.drawing.map(nodeOf)
  nodes.forEach((n, i) => n.inputs.forEach((j) => nodes[j]?.users.push(i)))
  return { nodes, problems: [] }
})
