/** Reports lines that state a node but that no reader consumed: after a return, before a header, in an unterminated string. */
import type { Graph } from '../../graph/graph'
import { excerpt, type Problems, skipSpaces } from '../scan'

/** A part of a text. */
interface Part {
  start: number
  end: number
  /** Number of its first line, from 1. */
  line: number
}

/** A statement may follow a quote mark: `> `, `12: `, a partial log prefix. */
const BEHIND = String.raw`(?:^[\s\d>:|+]{0,20}|[>\]:|] *)`
/** `%add : [num_users=1] = call_function[target=…`. */
const GRAPH_LINE = /%\w+ : .{0,300}\[target=/
/** `add: "f32[4]" = torch.ops.…(`, `add = torch.ops.…(`; also with the `;  x = None` that only FX's code has. */
const STATEMENT = new RegExp(
  String.raw`${BEHIND}[A-Za-z_]\w*(?:\s*:\s*(?:"[^"]{1,300}"|"[^=]{1,300}")\s*=\s*[^\s"=]|(?:\s*:\s*"?[\w.[\], ]{1,60}"?)?\s*=\s*torch\.ops\.\w|\s*=\s*[A-Za-z_][\w.]{0,200}[([].*;\s+\w+ = (?:\w+ = )*None\s*$)`,
)
/** A row of print_tabular. */
const ROW = new RegExp(
  String.raw`${BEHIND}\s*(?:placeholder|get_attr|call_function|call_method|call_module|output)[\s|]+\w+[\s|]+\S.{0,1000}[\s|]\(`,
)
/** A node of FxGraphDrawer. */
const DRAWN = new RegExp(String.raw`${BEHIND}"?\w+"? \[label="\{name=%\w+\|op_code=\w`)
/** The output of a graph; `return x` also ends functions of programs. */
const RETURN = new RegExp(String.raw`${BEHIND}return (?:\([\w%., ]*\)|\[[\w%., ]*\])\s*$`)
/** Parameters with types that only FX code has. */
const FORWARD = new RegExp(String.raw`${BEHIND}def forward\(self, \w+: "`)
/** Quotes of a node: Inductor's lowering log, a call in its output code, an exception. */
const QUOTED = /^(?:lowering %|buf\d+ = |While executing %|[\w.]*(?:Error|Exception|Warning): )/
const FORMS = [STATEMENT, ROW, DRAWN, RETURN, FORWARD]
/** Only this many first characters of a line are tested. */
const LONGEST = 4000

/** True for a line, without its indent, that states a node in one of the forms. */
export function statesNode(line: string): boolean {
  if (QUOTED.test(line)) return false
  if (line.includes('[target=') && GRAPH_LINE.test(line)) return true
  return line.charCodeAt(0) !== 35 && FORMS.some((form) => form.test(line))
}

/** Lines that are not reported although they produced no node. */
interface Known {
  /** The reader consumed it without creating a node. */
  isRead(line: string): boolean
  /** It belongs to a program. @param line its number, from 1 */
  isProgram(line: number, written: string): boolean
}

/** Reports the lines in the graph's part of the text that produced neither a node nor a problem. */
export function reportUnread(
  text: string,
  part: Part,
  graph: Graph,
  problems: Problems,
  { isRead, isProgram }: Known,
): void {
  const told = new Set(problems.lines)
  const read = new Map<number, number>()
  countNodes(graph, read)
  const why = `${UNREAD} a line of the graph: it stands outside of the body that was read`
  const reason = (line: number, written: string): string | null => {
    if (told.has(line)) return null
    const nodes = read.get(line) ?? (isRead(written) ? 1 : 0)
    if (nodes === 0) return isProgram(line, written) ? null : why
    if (nodes <= statementsBehind(written)) return `${UNREAD} lines of two nodes: the line break between them is lost`
    return DECODED.test(written) ? 'has a character that was lost when the text was decoded' : null
  }
  report(text, part, problems, reason)
}

/** A statement after another one on the same line: the newline between them was lost. */
const GRAPH_LINES = /%[\w.]+ : .{0,300}?\[target=/g
const STATEMENTS_BEHIND = /(?:None|\))\s+[A-Za-z_]\w*(?:\s*:\s*"[^"]{1,300}")?\s*=\s*torch\.ops\.\w/g

/** Number of nodes that a line states after its first one. */
function statementsBehind(written: string): number {
  if (written.includes('[target=')) return Math.max(0, (written.match(GRAPH_LINES)?.length ?? 0) - 1)
  return written.includes('torch.ops.') ? (written.match(STATEMENTS_BEHIND)?.length ?? 0) : 0
}

/** Reports the lines between the graphs' parts of a text. @param parts in order */
export function reportBetween(
  text: string,
  parts: readonly Part[],
  problems: Problems,
  isProgram: Known['isProgram'],
): void {
  const why = `${UNREAD} a line of a graph: it stands outside of every graph`
  const reason = (line: number, written: string): string | null => (isProgram(line, written) ? null : why)
  let gap: Part = { start: 0, end: text.length, line: 1 }
  for (const part of [...parts, { start: text.length, end: text.length, line: 0 }]) {
    report(text, { ...gap, end: part.start }, problems, reason)
    let line = part.line
    for (let i = text.indexOf('\n', part.start); i >= 0 && i < part.end; i = text.indexOf('\n', i + 1)) line++
    gap = { start: part.end, end: text.length, line }
  }
}

const UNREAD = 'is not read: this looks like'
/** Replacement characters for undecodable bytes, and control characters that Python prints as escapes. */
// oxlint-disable-next-line no-control-regex
const DECODED = /[\ufffd\u0000-\u0008\u000e-\u001f\u007f]/

/** The end of the message about a line that states a node; null if the line was read or already reported. */
type Reason = (line: number, written: string) => string | null

function report(text: string, { start, end, line }: Part, problems: Problems, reason: Reason): void {
  let quoted = false
  for (let pos = start; pos < end; line++) {
    let stop = text.indexOf('\n', pos)
    if (stop < 0 || stop > end) stop = end
    const from = skipSpaces(text, pos, stop)
    if (from < stop) {
      const written = text.slice(from, Math.min(stop, from + LONGEST))
      // A traceback quotes a program's line below its location.
      const ofProgram = quoted && RETURN.test(written)
      const why = ofProgram ? null : reason(line, written)
      if (why !== null && statesNode(written)) {
        const found = excerpt(text, from, stop)
        problems.add(line, from - pos + 1, found, 'a line inside of a graph', `${found} ${why}.`)
      }
    }
    if (from < stop) quoted = text.startsWith('File "', from)
    pos = stop + 1
  }
}

/** Counts the nodes of each line. */
function countNodes(graph: Graph, lines: Map<number, number>): void {
  for (const { meta } of graph.nodes())
    if (meta.textLine !== undefined) lines.set(meta.textLine, (lines.get(meta.textLine) ?? 0) + 1)
  for (const sub of graph.subgraphs.values()) countNodes(sub, lines)
}
