/** The parts of a text that hold graphs. */
import type { TextRange } from '../read_graph_text'

export type SectionForm = 'fx' | 'readable' | 'tabular' | 'dot' | 'fragments'

/** A graph's part of the text. */
export interface Section extends TextRange {
  form: SectionForm
  /** The class's name, `graph`, or the function's name. */
  name: string
  /** What a log calls the graph in the lines above: `__compiled_fn_1`, `AFTER POST GRAD`. */
  title: string | null
  open: boolean
  headless: boolean
  /** Lines that stand for lines that were cut. */
  cuts: number[]
  /** Offset after the last `return`; null while there is none. */
  returned: number | null
}

/** The lines of a section up to its last `return`. */
export const bodyOf = (text: string, { start, end, returned }: Section): string => text.slice(start, returned ?? end)
