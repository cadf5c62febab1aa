/** Finds where graphs begin and end in a text, and in which form each is. */
import type { CleanText } from './clean/clean_text'
import { isCutMark } from './cut_text'
import type { TextRange } from './read_graph_text'
import { classOfLine } from './read_readable'
import { skipSpaces, wordEnd } from './scan'

export type SectionForm = 'fx' | 'readable' | 'tabular' | 'dot' | 'fragments'

/** A graph's part of the text. */
export interface Section extends TextRange {
  form: SectionForm
  /** The class's name, or `graph`. */
  name: string
  /** What a log calls the graph in the lines above: `__compiled_fn_1`, `AFTER POST GRAD`. */
  title: string | null
  open: boolean
  headless: boolean
  /** Lines that stand for lines that were cut. */
  cuts: number[]
}

/** Artifacts of torch's logs that quote programs: a model's source, bytecode, generated code. */
const PROGRAMS = /^(?:trace_(?:source|call|bytecode)|bytecode|guards|kernel_code|output_code)$/
/** The graph of a loop's body in Inductor's debug log: its nodes call methods of `ops`. */
const LOOP_BODY = /^[^\n]*\n\s*%ops : .{0,40}= placeholder\[target=ops\]/

/** Title of a graph that is a loop's body. */
export const LOOP_BODY_TITLE = 'loop body'

/** Finds the sections of a text, in order. */
export function findGraphs({ text, fences, artifacts }: CleanText): Section[] {
  return new Finder(text, fences)
    .find()
    .filter((s) => s.form !== 'readable' || !PROGRAMS.test(artifacts.get(s.line - 1) ?? ''))
    .map((s) =>
      s.form === 'fx' && LOOP_BODY.test(text.slice(s.start, s.start + 500)) ? { ...s, title: LOOP_BODY_TITLE } : s,
    )
}

const TITLE = /^=+ (.{1,200}?) =+$/
const STAGE = /^(TRACED GRAPH|(?:BEFORE|AFTER) [A-Z][A-Z ]{2,40})\b/
/** `add: "f32[4]" = torch.ops.aten.add.Tensor(…`, `add: f32[4] = …`, `add = torch.ops.…`: FX code without its def. */
const STATEMENT =
  /^\w+(?:\s*:\s*(?:"[^"]{1,200}"|[\w.]{1,40}(?:\[[^\]]{0,100}\]){0,2}[\w:]{0,12}))?\s*=\s*torch\.ops\.\w+\.\w+[.(]/
const HEADER = /^opcode[\s|]+name[\s|]+target[\s|]+args[\s|]+kwargs/
/** `%add : [num_users=1] = call_function[target=`. */
const NODE = '[target='

class Finder {
  private readonly sections: Section[] = []
  private current: Section | null = null
  /** Indent of the current readable section's class or def. */
  private indent = 0
  private title: string | null = null
  private line = 0

  /** The current section had its `return`. */
  private returned = false
  /** Graphs of delegates that are open. */
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
      if (start < end) this.readLine(pos, start, end)
      else if (this.fences.has(this.line - 1)) this.close(pos)
      pos = end + 1
    }
    this.close(text.length)
    return this.sections
  }

  private readLine(pos: number, start: number, end: number): void {
    const { text } = this
    const indent = start - pos
    const c = text.charCodeAt(start)
    const form = this.current?.form
    if (c === 61 || (c >= 65 && c <= 90)) {
      const line = text.slice(start, Math.min(end, start + 240)).trimEnd()
      const title = TITLE.exec(line)?.[1] ?? STAGE.exec(line)?.[1]
      if (title !== undefined && form !== 'fragments') this.title = title
    }
    if (c === 103 && isGraphHeader(text, start, end)) return this.begin('fx', 'graph', pos, indent)
    if (form === 'fx') this.followGraph(start, end)
    if (c === 37 && (form !== 'fx' || this.returned) && form !== 'fragments' && this.isNodeLine(start, end))
      return this.begin('fx', 'graph', pos, indent, true)
    if ((c === 99 || c === 47 || c === 60 || c === 95) && end - start < 1000) {
      const name = classOfLine(text.slice(start, end))
      if (name !== null) {
        // A path stands before the class only where a log writes it, at the left of its message.
        const nested = form === 'readable' && c === 99 && indent > this.indent
        if (!nested) this.begin('readable', name, pos, c === 99 ? indent : 0)
        return
      }
    }
    if (c === 100) {
      if (form !== 'readable' && this.isDef(start, end)) return this.begin('readable', 'forward', pos, indent)
      if ((this.current === null || form === 'dot') && /^digraph\b/.test(text.slice(start, start + 10)))
        return this.begin('dot', this.dotName(start, end), pos, indent)
    }
    const header = start + this.tableOffset(start, end)
    if (text.startsWith('opcode', header) && HEADER.test(text.slice(header, end)))
      return this.begin('tabular', 'graph', pos, indent)
    if (c === 35 && form !== 'fragments' && /^# *Graph fragment:/.test(text.slice(start, start + 40)))
      return this.begin('fragments', 'graph', pos, indent)
    if (this.current === null) {
      if (!isBuffer(text, start) && STATEMENT.test(text.slice(start, Math.min(end, start + 500))))
        this.begin('readable', 'forward', pos, indent, true)
      return
    }
    // A quote begins: cleanText removed the marks where most lines have them.
    if (c === 62) return this.close(pos)
    const mark = end - start <= 100 && isCutMark(text.slice(start, end).trimEnd())
    if (mark) this.current.cuts.push(this.line)
    else if (form === 'readable' && this.endsReadable(start, indent, end)) this.close(pos)
  }

  /** Notes the `return` that ends a print(graph): not that of a delegate's graph inside it. */
  private followGraph(start: number, end: number): void {
    const { text } = this
    if (text.startsWith('lowered graph(', start)) this.lowered++
    else if (text.slice(start, wordEnd(text, start, end)) !== 'return') return
    else if (this.lowered > 0) this.lowered--
    else this.returned = true
  }

  /** A line at the left of a class's body ends it: prose, a prompt, `Graph signature:`. Comments and brackets do not. */
  private endsReadable(start: number, indent: number, end: number): boolean {
    const { text } = this
    const c = text.charCodeAt(start)
    if (c === 114 && text.slice(start, wordEnd(text, start, end)) === 'return') {
      this.returned = true
      return false
    }
    if (!this.returned || indent > this.indent) return false
    // A comment; a bracket that closes parameters; a docstring; a statement of a text that lost its indents.
    if (c === 35 || c === 41 || c === 93 || c === 34 || text.startsWith('def ', start)) return false
    return !/^\w+\s*(?::\s*"|[-+*/|&]?=)/.test(text.slice(start, Math.min(end, start + 200)))
  }

  /** A table's header may stand behind what names it: ` __compiled_fn_2 <eval_with_key>.121 opcode  name …`. */
  private tableOffset(start: number, end: number): number {
    const { text } = this
    const c = text.charCodeAt(start)
    if (c === 124) return /^[|\s]+/.exec(text.slice(start, start + 20))![0].length
    if (c !== 95 && c !== 60) return 0
    const at = text.slice(start, Math.min(end, start + 300)).indexOf(' opcode ')
    return at < 0 ? 0 : at + 1
  }

  private begin(form: SectionForm, name: string, pos: number, indent: number, open = false): void {
    this.close(pos)
    this.current = {
      form,
      name,
      start: pos,
      end: this.text.length,
      line: this.line,
      title: this.title,
      open,
      headless: open && form === 'readable',
      cuts: [],
    }
    this.indent = indent
    this.returned = false
    this.lowered = 0
    this.title = null
    this.sections.push(this.current)
  }

  private close(pos: number): void {
    if (this.current) this.current.end = pos
    this.current = null
  }

  private isDef(start: number, end: number): boolean {
    const { text } = this
    if (text.startsWith('def forward(', start)) {
      // FX code has nothing behind the colon; a source line that a log quotes may.
      return !/\):\s*[^\s#]/.test(text.slice(start, Math.min(end, start + 300)))
    }
    // Another function counts if its body is FX code.
    if (!/^def \w{1,100}\(/.test(text.slice(start, Math.min(end, start + 120)))) return false
    const lines = text.slice(end + 1, end + 4000).split('\n', 8)
    return lines.some((l) => STATEMENT.test(l.trim()) && (/= None\s*$/.test(l) || /:\s*"/.test(l)))
  }

  private dotName(start: number, end: number): string {
    return /^digraph\s+"?([\w.-]+)/.exec(this.text.slice(start, end))?.[1] ?? 'graph'
  }

  /** `%name : … = op[target=`; also with an invalid name, so that the reader reports it. */
  private isNodeLine(start: number, end: number): boolean {
    const stop = wordEnd(this.text, start + 1, end)
    return this.text.slice(stop, Math.min(end, stop + 2000)).includes(NODE)
  }
}

/** `buf3 = torch.ops.aten.topk.default(…` is a call of Inductor's output code. */
const isBuffer = (text: string, start: number): boolean => /^buf\d+ = /.test(text.slice(start, start + 20))

/** `graph():`, `graph(x) -> torch.Tensor:` */
function isGraphHeader(text: string, start: number, end: number): boolean {
  if (!text.startsWith('graph(', start)) return false
  const close = text.slice(start, Math.min(end, start + 100_000)).indexOf(')')
  if (close < 0) return false
  const rest = text.slice(start + close + 1, end).trim()
  return rest.startsWith(':') || rest.startsWith('->')
}
