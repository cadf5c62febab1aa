/** How each form begins: one row per kind of line that may be the first of a graph. */
import { classOfLine } from '../read_readable'
import { wordEnd } from '../scan'
import type { SectionForm } from './section'

/** A line of a text, by offsets. */
export interface Line {
  text: string
  /** Offset of its first non-space character. */
  start: number
  end: number
  /** Number of spaces before it. */
  indent: number
}

/** The section that is open where the line begins. */
export interface Around {
  form: SectionForm | null
  /** Indent of its class or def. */
  indent: number
  /** True once it had its `return`. */
  returned: boolean
}

/** The start of a section. */
export interface Start {
  name: string
  indent: number
  /** The text has no header. */
  open?: boolean
}

interface Row {
  form: SectionForm
  /** Characters that may start the line after its indent; empty: any. */
  first: string
  test(line: Line, around: Around): Start | null
}

/** FX code without its def: `add: "f32[4]" = torch.ops.aten.add.Tensor(…`, `add: f32[4] = …`, `add = torch.ops.…`. */
export const STATEMENT =
  /^\w+(?:\s*:\s*(?:"[^"]{1,200}"|[\w.]{1,40}(?:\[[^\]]{0,100}\]){0,2}[\w:]{0,12}))?\s*=\s*torch\.ops\.\w+\.\w+[.(]|^\w+\s*:\s*"(?:[a-z]\w{0,15}\[|Sym\()[^"]{0,200}"\s*=\s*\S/
/** The first line of a joint graph whose head is missing: `a_1, b_1, = fx_pytree.tree_flatten_spec(…`. */
const FLATTEN = /^\w[^=]{0,2000}, = fx_pytree\.tree_flatten_spec\(/
const HEADER = /^opcode[\s|]+name[\s|]+target[\s|]+args[\s|]+kwargs/
const OPCODES = 'placeholder|get_attr|call_function|call_method|call_module|output'
/** A whole row of print_tabular, whose header is missing. */
const ROW = new RegExp(String.raw`^(?:${OPCODES})[\s|]+\w+[\s|]+\S.{0,2000}[\s|]\(.*\)[\s|]*\{.*\}[\s|]*$`)
/** `buf3 = torch.ops.aten.topk.default(…` is a call in Inductor's output code. */
const BUFFER = /^buf\d+ = /
const DIGRAPH = /^digraph\b(?:\s+"?([\w.-]+))?/

const written = ({ text, start, end }: Line, most: number): string => text.slice(start, Math.min(end, start + most))

const ROWS: readonly Row[] = [
  {
    form: 'fx',
    first: 'g',
    test: (line) => (isGraphHeader(line) ? { name: 'graph', indent: line.indent } : null),
  },
  {
    form: 'fx',
    first: '%',
    test: (line, { form, returned }) =>
      (form !== 'fx' || returned) && form !== 'fragments' && isNodeLine(line)
        ? { name: 'graph', indent: line.indent, open: true }
        : null,
  },
  {
    // A log writes a path or the module's name before the class, at the start of its message.
    form: 'readable',
    first: 'c/<_',
    test(line, { form, indent }) {
      const name = line.end - line.start < 1000 ? classOfLine(written(line, 1000)) : null
      const isClass = line.text.charCodeAt(line.start) === 99
      const isNested = form === 'readable' && isClass && line.indent > indent
      return name === null || isNested ? null : { name, indent: isClass ? line.indent : 0 }
    },
  },
  {
    form: 'readable',
    first: 'd',
    test(line, { form, indent, returned }) {
      if (form === 'readable' && !(returned && line.indent <= indent)) return null
      const name = functionOf(line)
      return name === null ? null : { name, indent: line.indent }
    },
  },
  {
    form: 'dot',
    first: 'd',
    test(line, { form }) {
      const found = form === null || form === 'dot' ? DIGRAPH.exec(written(line, 200)) : null
      return found ? { name: found[1] ?? 'graph', indent: line.indent } : null
    },
  },
  {
    form: 'tabular',
    first: 'o|_<',
    test: (line) => (isTableHeader(line) ? { name: 'graph', indent: line.indent } : null),
  },
  {
    form: 'tabular',
    first: 'pgco|',
    test: (line, { form, returned }) =>
      (form === null || (form !== 'tabular' && returned)) && ROW.test(written(line, 4000).replace(/^[|\s]+/, ''))
        ? { name: 'graph', indent: line.indent, open: true }
        : null,
  },
  {
    form: 'fragments',
    first: '#',
    test: (line, { form }) =>
      form !== 'fragments' && /^# *Graph fragment:/.test(written(line, 40))
        ? { name: 'graph', indent: line.indent }
        : null,
  },
  {
    form: 'readable',
    first: '',
    test: (line, { form }) =>
      form === null &&
      !BUFFER.test(written(line, 20)) &&
      (STATEMENT.test(written(line, 500)) || FLATTEN.test(written(line, 2100)))
        ? { name: 'forward', indent: line.indent, open: true }
        : null,
  },
]

/** Rows by the code of a line's first character; for most characters, only the rows that accept any. */
const ANY = ROWS.filter((row) => row.first === '')
const BY_FIRST = new Map(
  [...new Set(ROWS.flatMap((row) => [...row.first]))].map((c) => [
    c.charCodeAt(0),
    ROWS.filter((row) => row.first === '' || row.first.includes(c)),
  ]),
)

/** The graph that begins at a line; null for any other line. */
export function startAt(line: Line, around: Around): (Start & { form: SectionForm }) | null {
  for (const row of BY_FIRST.get(line.text.charCodeAt(line.start)) ?? ANY) {
    const found = row.test(line, around)
    if (found) return { ...found, form: row.form }
  }
  return null
}

/** `graph():`, `graph(x) -> torch.Tensor:` */
function isGraphHeader({ text, start, end }: Line): boolean {
  if (!text.startsWith('graph(', start)) return false
  const close = text.slice(start, Math.min(end, start + 100_000)).indexOf(')')
  if (close < 0) return false
  const rest = text.slice(start + close + 1, end).trim()
  return rest.startsWith(':') || rest.startsWith('->')
}

/** `%name : … = op[target=`, or torch 1.8's `= self.weight`; invalid names match too, so that the reader reports them. */
function isNodeLine({ text, start, end }: Line): boolean {
  const stop = wordEnd(text, start + 1, end)
  const rest = text.slice(stop, Math.min(end, stop + 2000))
  return rest.includes('[target=') || /^ : \[#users=\d+\] = self\./.test(rest)
}

/** The name of a function whose body is FX code; null for any other line. */
function functionOf(line: Line): string | null {
  const { text, start, end } = line
  // FX code has nothing after the colon; a source line that a log quotes may.
  if (text.startsWith('def forward(', start)) return /\):\s*[^\s#]/.test(written(line, 300)) ? null : 'forward'
  const name = /^def (\w{1,100})\(/.exec(written(line, 120))?.[1]
  if (name === undefined) return null
  const body: string[] = []
  for (const l of text.slice(end + 1, end + 4000).split('\n', 8)) {
    // Its own body, not the next function's.
    if (body.length > 0 && l.trim() !== '' && l.search(/\S/) <= line.indent && !/^\s*[)\]]/.test(l)) break
    body.push(l.trim())
  }
  return body.some((l) => STATEMENT.test(l) && (/= None\s*$/.test(l) || /:\s*"/.test(l))) ? name : null
}

/** A table header may follow a title: ` __compiled_fn_2 <eval_with_key>.121 opcode name …`. */
function isTableHeader(line: Line): boolean {
  const { text, start, end } = line
  const c = text.charCodeAt(start)
  let at = start
  if (c === 124) at += /^[|\s]+/.exec(text.slice(start, start + 20))![0].length
  else if (c !== 111) at += written(line, 300).indexOf(' opcode ') + 1
  return text.startsWith('opcode', at) && HEADER.test(text.slice(at, end))
}
