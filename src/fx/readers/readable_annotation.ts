/** Reads the annotations of print_readable: `"bf16[4, 8]"`, `"Sym(s72)"`, or a Python type. */
import type { PythonValues } from './python_value'
import { ScanError, wordEnd } from './scan'
import type { Val } from '../value'
import { parseVal } from '../val_text'

/** The annotation of a name. */
export interface Annotation {
  val: Val | null
  type: string | null
}

/** Reads the annotations of one class at the cursor of `values`. */
export class Annotations {
  private readonly kept = new Map<string, Annotation>()

  /** @param vals cached meaning of each annotation text; graphs have thousands of annotations, but few distinct ones */
  constructor(
    private readonly text: string,
    private readonly values: PythonValues,
    private readonly vals: Map<string, Val | null>,
  ) {}

  /** Reads after a ":" either a string with dtype and shape, or a Python type up to "=", "," or ")". */
  read(): Annotation {
    const { values, text } = this
    const c = values.peek()
    if (c === 34 || c === 39) {
      const written = values.string()
      let val = this.vals.get(written)
      if (val === undefined) {
        val = parseVal(written)
        this.vals.set(written, val)
      }
      return { val, type: val ? null : written }
    }
    const start = values.pos
    let depth = 0
    for (; values.pos < values.end; values.pos++) {
      const d = text.charCodeAt(values.pos)
      if (d === 91 || d === 40) depth++
      else if (d === 93 || (d === 41 && depth > 0)) depth--
      else if (depth === 0 && (d === 61 || d === 44 || d === 41 || d === 59 || d === 10)) break
    }
    const type = text.slice(start, values.pos).trim()
    // torch 2.0 wrote `f32[4, 8]` without quotes.
    const val = type.endsWith(']') ? parseVal(type) : null
    return { val, type: val ? null : type }
  }

  /** Reads the rest of `x: "f32[3]"; y: "f32[4]";`: annotations of names that the next line unpacks. */
  keep(name: string, annotation: Annotation, end: number): void {
    const { values, text } = this
    this.kept.set(name, annotation)
    while (values.peek() === 59) {
      values.pos++
      const c = values.peek()
      if (c === -1) break
      const stop = wordEnd(text, values.pos, end)
      const next = text.slice(values.pos, stop)
      values.pos = stop
      values.expect(58, '":"')
      this.kept.set(next, this.read())
    }
    if (values.peek() !== -1) throw new ScanError(values.pos, '"=" or the end of the line')
  }

  /** The names that earlier lines annotated. */
  get names(): string[] {
    return [...this.kept.keys()]
  }

  /** The annotation that an earlier line gave to a name. */
  of(name: string): Annotation {
    return this.kept.get(name) ?? { val: null, type: null }
  }
}
