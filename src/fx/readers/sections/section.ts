/** The parts of a text that hold graphs. */
import type { TextRange } from '../read_graph_text'

export type SectionForm = 'fx' | 'readable' | 'tabular' | 'dot' | 'fragments'

/** The part of a text that holds a graph. */
export interface Section extends TextRange {
  form: SectionForm
  /** The class's name, `graph`, or the function's name. */
  name: string
  /** The graph's title in the log lines above it: `__compiled_fn_1`, `AFTER POST GRAD`. */
  title: string | null
  open: boolean
  headless: boolean
  /** Lines that replace lines that were cut. */
  cuts: number[]
  /** Offset after the last `return`; null while there is none. */
  returned: number | null
}

/** The lines of a section up to its last `return`. */
export const bodyOf = (text: string, { start, end, returned }: Section): string => text.slice(start, returned ?? end)
