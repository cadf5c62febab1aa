/** A picture of a graph. */
export interface Picture {
  svg: string
  /** In CSS pixels. */
  width: number
  height: number
  /** Number of nodes in it. */
  nodes: number
}
