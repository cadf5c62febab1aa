/** Shapes of a graph whose text has no shapes, as plain data. */

/** A node that needs a shape from outside: an input, or a call whose operator has no shape rule. */
export interface ShapeRow {
  name: string
  kind: 'placeholder' | 'get_attr' | 'call'
  /** The target of a call. */
  target: string | null
  /** As given in the workspace or the shapes file; null if missing. */
  typed: string | null
  /** Why the given shape is not used, or why a call's operator computes none. */
  problem: string | null
  /** The likely shape, if anything in the graph or the patterns implies one; `?` stands for an unknown size. */
  guess: ShapeGuess | null
}

export interface ShapeGuess {
  /** `bf16[48, 256]`; `bf16[?, 256]` if only part of it is known. */
  text: string
  /** Where it comes from: "addmm_2 multiplies it by arg1_1", "example input x of Pattern". */
  source: string
  /** True if the graph is completed with it because nothing else can be known: the result of an undeclared operator. */
  used?: true
}

/** Present in a report if the text of the graph leaves out shapes. */
export interface GraphShapes {
  /** In graph order; those with a given shape included. */
  rows: ShapeRow[]
  /** How many rows have no shape. */
  without: number
  /** How many nodes have no shape because of them. */
  nodes: number
}

/** A place where all nodes of a pattern align, but stage two or an extra_check needs shapes that the graph lacks. */
export interface UnshapedPlace {
  entry: number
  /** Anchor node. */
  node: string
  nodes: string[]
  /** Nodes whose shape is needed. */
  needs: string[]
  /** Rows of GraphShapes that determine these shapes. */
  inputs: string[]
}
