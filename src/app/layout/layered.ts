/** One column as a layered graph: rows of vertices, links between neighboring rows only. */
export interface Vertex {
  /** Index into LayoutInput.nodes of the value's producer. */
  node: number
  kind: 'node' | 'dummy' | 'entry' | 'exit'
  row: number
  /** From the vertex's axis (where links meet it) to its left and right edges. */
  left: number
  right: number
  up: number[]
  down: number[]
}

export interface Layered {
  vertices: Vertex[]
  /** Vertex indices by row, left to right. */
  rows: number[][]
}

export function addVertex(g: Layered, v: Omit<Vertex, 'up' | 'down'>): number {
  const id = g.vertices.length
  g.vertices.push({ ...v, up: [], down: [] })
  while (g.rows.length <= v.row) g.rows.push([])
  g.rows[v.row]!.push(id)
  return id
}

export function connect(g: Layered, upper: number, lower: number): void {
  g.vertices[upper]!.down.push(lower)
  g.vertices[lower]!.up.push(upper)
}
