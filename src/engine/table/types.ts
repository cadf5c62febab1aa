/** Types of the table of pass folders by graphs. */

/** One pass of a folder on one graph. */
export interface PassCount {
  /** The variable of the pass, or `variable#2` for its second application; the name of another stage. */
  pass: string
  /** Number of registered patterns; 0 for a stage that is not a pattern pass. */
  patterns: number
  /** Number of replaced matches, or of nodes that another stage replaced or removed; null if unknown. */
  count: number | null
  /** Number of places where all nodes align and shapes are missing. */
  unshaped: number
  /** The exception that ended the pass, one sentence. */
  error: string | null
}

/** A folder on one graph. */
export interface FolderCounts {
  passes: PassCount[]
  /** One sentence: the code failed, it has no pass, or the graph cannot be read. The passes are then empty. */
  failure: string | null
  /** Files that failed beside others that ran, and the first problem of the graph's text; one sentence each. */
  notes: string[]
  /** Functions that register patterns and that no file calls, `MODULE.FUNCTION`. */
  uncalled: string[]
}

/** The counts of a folder; null for graphs that have not run. */
export interface FolderResult {
  folder: string
  counts: readonly (FolderCounts | null)[]
}

export interface TableCell {
  /** Null if the pass did not run, or its count is unknown. */
  count: number | null
  unshaped: number
  /** One sentence: why the count is missing. */
  failure: string | null
}

export interface TableRow {
  folder: string
  /** Null for a folder without a pass on any graph. */
  pass: string | null
  patterns: number
  /** One per graph; null if the folder has not run on it. */
  cells: (TableCell | null)[]
}

export interface TableChange {
  folder: string
  pass: string | null
  graph: string
  /** `failing`: the cell counted and now fails; `mended`: the reverse; `new` and `gone`: the pass is in one version only. */
  kind: 'count' | 'failing' | 'mended' | 'new' | 'gone'
  before: number | null
  after: number | null
}
