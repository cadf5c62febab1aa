/** Separates the printed graphs of a text from its programs: a model's source, functions of patterns, scripts. */
import type { CleanText } from '../clean/clean_text'
import { findGraphs } from './find_graphs'
import { pythonBlocks, type CodeBlock } from './python_blocks'
import { bodyOf, type Section } from './section'

export interface TextContent {
  /** Printed graphs, in order. */
  graphs: Section[]
  /** Classes and functions that look like graphs but are source code. */
  sources: Section[]
  programs: CodeBlock[]
  /** Whether a line, by its number from 1, belongs to one of the sources. */
  isSource(line: number): boolean
  /** Graphs with marks that only a printer writes. */
  certain: ReadonlySet<Section>
}

/** Marks of FX code only: cleared names, annotations with dtype and shape, renamed inputs, node locations. */
const PRINTED =
  /;\s+\w+(?:\s*:\s*"[^"]*")? = (?:\w+ = )*None\s*$|:\s*"[a-z]\w{0,15}\[|:\s*(?:bf|[fiucb])\d{1,3}\w{0,8}\[|^\s*l_\w+ = L_\w+\s*$|fx_pytree\.tree_flatten_spec\(|#\s*(?:File:? |No stacktrace found)/m
/** Class names that FX uses. */
const OF_FX = /^(?:GraphModule|<lambda>|Repro|FxModule|joint_\w+|\w*graph_\w+|\w+_graph)$/
/** Code that FX never writes: set-up, control flow, calls in a return or inside a call, module names. */
const SOURCE = new RegExp(
  [
    String.raw`^\s*def __init__\b|\bsuper\(`,
    String.raw`^\s+(?:if|elif|for|while|with|try|raise|del|import|from)\b`,
    String.raw`\([^"'\n]{0,1000}\b[A-Za-z_]\w*\.(?:shape|size|dtype|device|T)\b`,
    String.raw`^\s*return\s+(?!pytree\.tree_unflatten\()[\w.]+(?:\(|\s*[-+*/@]\s*\w)`,
    String.raw`=\s*(?:F|nn|self\.\w+\.\w+|torch\.nn)\.[a-zA-Z]`,
    String.raw`=\s*(?!getattr\()[\w.]+\((?:[^"'()]|\([^()]*\))*\b(?!device\(|slice\(|complex\(|torch\.device\(|torch\.Size\()[A-Za-z_][\w.]*\(`,
    String.raw`=\s*[\w.]+\([^"'()]*\b[A-Za-z_]\w*\s+[-+*/@]\s+\w`,
    // FX code names the node of an in-place assignment after a ";".
    String.raw`^\s+[A-Za-z_][\w.]*(?:\[[^=\n;]*\]\s*=|(?:\[[^=\n;]*\])?\s*(?:[-+*/%@|&^]|//|\*\*|<<|>>)=)(?!=)[^;\n]*$`,
  ].join('|'),
  'm',
)

/** Collapses empty lines: the expressions above would search to the end of the run at each of them. */
const squeezed = (text: string): string => text.replace(/[\n\r\u2028\u2029]\s*[\n\r\u2028\u2029]/g, '\n\n')

const isPrinted = (text: string): boolean => PRINTED.test(squeezed(text))

/** The graphs and programs of a text. */
export function contentOf(clean: CleanText): TextContent {
  const sections = findGraphs(clean)
  const { text } = clean
  const marked = new Set(sections.filter((s) => s.form !== 'readable' || isPrinted(bodyOf(text, s))))
  const programs = pythonBlocks(clean, linesOf(text, [...marked]))
  const inProgram = (s: Section): boolean => programs.some((b) => b.line <= s.line && s.line < b.endLine)
  const isSource = (s: Section): boolean =>
    !marked.has(s) && !OF_FX.test(s.name) && ((s.headless && inProgram(s)) || readsAsSource(bodyOf(text, s)))
  const sources = sections.filter(isSource)
  return {
    graphs: sections.filter((s) => !sources.includes(s)),
    sources,
    programs,
    isSource: linesOf(text, sources),
    certain: marked,
  }
}

/** Whether a line, by its number from 1, belongs to a program or a source: it has none of FX's marks. */
export function isProgramLine({ isSource, programs }: TextContent): (line: number, written: string) => boolean {
  // FX code that lost its header looks like a program but has FX's marks.
  const pure = programs.filter((b) => !isPrinted(b.text))
  const blockOf = (line: number): CodeBlock | undefined => pure.find((b) => b.line <= line && line < b.endLine)
  return (line, written) => {
    if (PRINTED.test(written) || written.includes('[target=')) return false
    const block = blockOf(line)
    return block ? !returnsUnbound(block.text, written) : isSource(line)
  }
}

/** A `return` of names that its program never binds: it belongs to a graph, and was moved. */
function returnsUnbound(program: string, written: string): boolean {
  const names = /^return [([]([\w, ]+)[)\]]\s*$/.exec(written)?.[1]?.match(/[A-Za-z_]\w*/g) ?? []
  return names.some((name) => !binds(program, name))
}

/** True if a program uses this name for a parameter, a variable, an import, a function or a class. */
function binds(program: string, name: string): boolean {
  if (/^(?:None|True|False|self)$/.test(name)) return true
  const parameter = String.raw`[(,]\s*\*{0,2}${name}\s*[:,=)]`
  const variable = String.raw`(?<![\w.])${name}(?:\s*,\s*[\w*]+)*\s*(?::[^=\n]*)?=[^=]|(?:,|\bfor|\bin|\bas|\bimport|\bdef|\bclass|\bglobal)\s+${name}\b`
  return new RegExp(`${parameter}|${variable}`).test(squeezed(program).replace(/^\s*return\b.*$/gm, ''))
}

/** True if an unmarked section is not all FX code: it rebinds names or nests calls. */
function readsAsSource(whole: string): boolean {
  const body = squeezed(whole).slice(0, 50_000)
  if (SOURCE.test(body)) return true
  const names = new Set<string>()
  for (const [, name] of body.matchAll(/^\s+(\w+)\s*=[^=]/gm)) {
    if (names.has(name!)) return true
    names.add(name!)
  }
  return false
}

/** The lines of sections up to their last `return`. */
function linesOf(text: string, sections: readonly Section[]): (line: number) => boolean {
  const lines = new Set<number>()
  for (const s of sections) {
    const count = bodyOf(text, s).split('\n').length
    for (let i = 0; i < count; i++) lines.add(s.line + i)
  }
  return (line) => lines.has(line)
}
