/** Finds where graphs begin and end in a text, and the form of each. */
import type { CleanText } from '../clean/clean_text'
import { skipSpaces, wordEnd } from '../scan'
import { isCutMark } from './cut_text'
import type { Section } from './section'
import { startAt, type Line, type Start } from './section_starts'

/** Artifacts of torch's logs that quote programs: a model's source, bytecode, generated code. */
const PROGRAMS = /^(?:trace_(?:source|call|bytecode)|bytecode|guards|kernel_code|output_code)$/
/** The graph of a loop body in Inductor's debug log: its nodes call methods of `ops`. */
const LOOP_BODY = /^[^\n]*\n\s*%ops : .{0,40}= placeholder\[target=ops\]/

/** Title of a graph that is a loop body. */
export const LOOP_BODY_TITLE = 'loop body'

/** Finds the sections of a text, in order; some may be source code, which code_in_text.ts sorts out. */
export function findGraphs({ text, fences, artifacts }: CleanText): Section[] {
  return new Finder(text, fences)
    .find()
    .filter((s) => s.form !== 'readable' || !PROGRAMS.test(artifacts.get(s.line - 1) ?? ''))
    .filter(
      (s, _, all) =>
        s.form !== 'tabular' || all.length === 1 || /\n[\s|]*[a-z_]+[\s|]+\w/.test(text.slice(s.start, s.end)),
    )
    .map((s) =>
      s.form === 'fx' && LOOP_BODY.test(text.slice(s.start, s.start + 500)) ? { ...s, title: LOOP_BODY_TITLE } : s,
    )
}

const TITLE = /^=+ (.{1,200}?) =+$/
const STAGE = /^(TRACED GRAPH|(?:BEFORE|AFTER) [A-Z][A-Z ]{2,40})\b/

/** Text that no printed graph has at the left of its statements. */
const PROGRAM = /^(?:def (?!forward\()\w|class (?!.*Module\))\w|@\w)/

class Finder {
  private readonly sections: Section[] = []
  private current: Section | null = null
  /** Indent of the current readable section's class or def. */
  private indent = 0
  private title: string | null = null
  private line = 0
  /** Open graphs of delegates. */
  private lowered = 0

  constructor(
    private readonly text: string,
    private readonly fences: ReadonlySet<number>,
  ) {}

  find(): Section[] {
    const { text } = this
    for (let pos = 0; pos < text.length;) {
      let end = text.indexOf('\n', pos)
      if (end < 0) end = text.length
      this.line++
      const start = skipSpaces(text, pos, end)
      if (start < end) this.readLine(pos, { text, start, end, indent: start - pos })
      else if (this.fences.has(this.line - 1)) this.close(pos)
      pos = end + 1
    }
    this.close(text.length)
    return this.sections
  }

  private readLine(pos: number, line: Line): void {
    const { text, start, end } = line
    this.keepTitle(line)
    const { current } = this
    const begins = startAt(line, {
      form: current?.form ?? null,
      indent: this.indent,
      returned: current?.returned != null,
    })
    if (begins) return this.begin(begins, pos)
    if (!current) return
    // Statements without a header end where a program continues.
    if (current.headless && line.indent <= this.indent && PROGRAM.test(text.slice(start, Math.min(end, start + 120))))
      return this.close(pos)
    if (current.form === 'fx') this.followGraph(line)
    // A quote begins; cleanText has removed the marks if most lines had them.
    if (text.charCodeAt(start) === 62) return this.close(pos)
    if (end - start <= 100 && isCutMark(text.slice(start, end).trimEnd())) current.cuts.push(this.line)
    else if (current.form === 'readable' && this.endsReadable(line)) this.close(pos)
  }

  private keepTitle({ text, start, end }: Line): void {
    const c = text.charCodeAt(start)
    if ((c !== 61 && !(c >= 65 && c <= 90)) || this.current?.form === 'fragments') return
    const line = text.slice(start, Math.min(end, start + 240)).trimEnd()
    this.title = TITLE.exec(line)?.[1] ?? STAGE.exec(line)?.[1] ?? this.title
  }

  /** Notes the `return` that ends a print(graph), ignoring that of a delegate's graph inside it. */
  private followGraph({ text, start, end }: Line): void {
    if (text.startsWith('lowered graph(', start)) this.lowered++
    else if (text.slice(start, wordEnd(text, start, end)) !== 'return') return
    else if (this.lowered > 0) this.lowered--
    else this.current!.returned ??= end
  }

  /** A line left of a class's body ends the class: prose, a prompt, `Graph signature:`. Comments and brackets do not. */
  private endsReadable({ text, start, end, indent }: Line): boolean {
    const c = text.charCodeAt(start)
    if (c === 114 && text.slice(start, wordEnd(text, start, end)) === 'return') {
      this.current!.returned = end
      return false
    }
    if (this.current!.returned === null || indent > this.indent) return false
    // A comment; a bracket that closes parameters; a docstring; a statement of a text that lost its indents.
    if (c === 35 || c === 41 || c === 93 || c === 34 || text.startsWith('def forward', start)) return false
    return !/^\w+\s*(?::\s*"|[-+*/|&]?=)/.test(text.slice(start, Math.min(end, start + 200)))
  }

  private begin({ form, name, indent, open = false }: Start & Pick<Section, 'form'>, pos: number): void {
    this.close(pos)
    this.current = {
      form,
      name,
      start: pos,
      end: this.text.length,
      line: this.line,
      title: this.title,
      open,
      headless: open && form !== 'fx',
      cuts: [],
      returned: null,
    }
    this.indent = indent
    this.lowered = 0
    this.title = null
    this.sections.push(this.current)
  }

  private close(pos: number): void {
    if (this.current) this.current.end = pos
    this.current = null
  }
}
