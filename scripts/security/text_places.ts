/** Text formats that receive strangers' text outside the page's elements, each with an oracle. */
import { marked } from 'marked'
import { csvCell, markdownText } from '../../src/base/escapes'
import { exportStem } from '../../src/engine/export/export_workspace'
import { textLiteral } from '../../src/engine/export/python_text'
import { literal } from '../../src/fx/code/code'
import type { GraphView, NodeView } from '../../src/engine/protocol'
import { block, code, graphLines, mermaid, messageMarkdown } from '../../src/app/features/share/markdown_text'
import { sweepCsv, sweepMarkdown, type SweepPoint } from '../../src/app/features/run/run_sweep'
import { asCsv, asMarkdown } from '../../src/app/features/run/run_text'
import { jsonText, visible } from '../../src/cli/output'
import { ownKernels } from '../../src/gpu/user_kernels/user_kernel'
import type { RunReport } from '../../src/gpu/types'
import { encodeSnapshot } from '../../src/workspace/link'
import { snapshotFileName, writeSnapshotFile } from '../../src/workspace'
import type { Snapshot } from '../../src/workspace/types'

export interface TextPlace {
  readonly from: string
  readonly into: string
  /** False if the text takes effect in the format. */
  readonly holds: (text: string) => boolean | Promise<boolean>
}

/** Texts that each format would read as its own syntax. */
export const HOSTILE_TEXTS: readonly string[] = [
  '<img src=x onerror=alert(1)>',
  '</script><script>alert(1)</script>',
  '[x](javascript:alert(1)) ![x](https://leak.example/a.png)',
  '`code` **bold** | cell | ```\n# heading\n---',
  '"];\nclick n0 href "javascript:alert(1)"\nsubgraph x["',
  `=cmd|' /C calc'!A0`,
  '@SUM(1+1)*cmd',
  '+1+1,"x"\r\n=2',
  '\x1b]0;title\x07\x1b[2J\x9b1m\u202etxt.exe\u2028',
  'p\n12 matches\r\u200b\u00ad\u{e0041}\ufe0f',
  `'''\n"""\nimport os; os.system("x")\n\\`,
  '../../etc/passwd',
  'CON\\..\\a:b*?<>|',
  '(((((([*+?{',
  `a${'.'.repeat(300)}`,
]

/** Elements, links and images of Markdown, read as a renderer that allows HTML does. */
function inMarkdown(text: string): boolean {
  const html = marked.parse(text) as string
  return !/<(?:img|script|a|h\d|hr)\b/i.test(html)
}
const node = (name: string): NodeView =>
  ({ name, op: 'call_function', target: name, inner: null, args: [name], kwargs: [['k', name]], dtype: name, shape: name, inputs: [0] }) as unknown as NodeView // prettier-ignore
const graph = (name: string): GraphView => ({ nodes: [node(name)] }) as unknown as GraphView
const runReport = (text: string): RunReport =>
  ({
    title: text,
    verdict: { sentence: text },
    device: { name: text, fallback: false },
    timing: null,
    outputs: [{ unfused: text, fused: text, dtype: text, shape: [], pair: {} }],
    problems: [text],
    notes: [text],
    unfused: null,
    fused: null,
  }) as unknown as RunReport
const point = (text: string): SweepPoint =>
  ({ tokens: 1, unfused: null, fused: null, problem: text }) as unknown as SweepPoint
const snapshot = (name: string): Snapshot =>
  ({ v: 1, workspace: { name, graph: { name: 'g', text: name }, files: [], options: { timeLimitS: 1 } }, view: {}, summary: null }) as unknown as Snapshot // prettier-ignore
/** No cell of the lines begins a formula. */
const inCsv = (text: string): boolean =>
  text.split(/[\n,](?=(?:[^"]*"[^"]*")*[^"]*$)/).every((c) => !/^"?[=+@\t\r]/.test(c))
const isFileName = (name: string): boolean => /^[\p{L}\p{N}_-][\p{L}\p{N}._-]{0,120}$/u.test(name)
/** Hostile text within a fence, and nothing after it. */
const isOneBlock = (text: string): boolean => marked.lexer(text).filter((t) => t.type !== 'space').length === 1
const controls = /[\0-\x08\x0b-\x1f\x7f-\x9f\p{Default_Ignorable_Code_Point}\u2028-\u202e]/u // oxlint-disable-line no-control-regex
const isPythonLiteral = (t: string): boolean =>
  /^(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")$/.test(t) || /^r'''(?:(?!''')[\s\S])*'''$/.test(t) || /^\(\n(?: +(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")\n?)+\)$/.test(t) // prettier-ignore

export const TEXT_PLACES: readonly TextPlace[] = [
  { from: 'a headline or a sentence', into: 'Markdown of a finding', holds: (t) => inMarkdown(markdownText(t)) },
  { from: 'the name of a node or a pattern', into: 'a code span of Markdown', holds: (t) => inMarkdown(code(t)) },
  {
    from: 'a message with nodes, operators and code',
    into: 'Markdown of a finding',
    holds: (t) => inMarkdown(messageMarkdown([t, { node: t }, { code: t }, { note: t }])),
  },
  {
    from: 'the text of a pattern, a diff',
    into: 'a fenced block of Markdown',
    holds: (t) => isOneBlock(block('python', t)),
  },
  {
    from: 'nodes of a graph',
    into: 'a fenced block of Markdown',
    holds: (t) => isOneBlock(block('python', graphLines([node(t)]))),
  },
  {
    from: 'names and targets of nodes',
    into: 'a mermaid diagram',
    holds: (t) =>
      mermaid(graph(t), new Set([t]), null)
        .split('\n')
        .slice(1)
        .every((l) => /^ {2}(n0\["[^"\\<>]*(?:<br\/>)[^"\\<>]*"\]|n0 --> n0|classDef .*)$/.test(l)),
  },
  {
    from: 'the title, the sentence and the problems of a run',
    into: 'Markdown',
    holds: (t) => inMarkdown(asMarkdown(runReport(t))),
  },
  {
    from: 'the title and the problems of a sweep',
    into: 'Markdown',
    holds: (t) => inMarkdown(sweepMarkdown(t, [point(t)])),
  },
  { from: 'names of outputs', into: 'CSV', holds: (t) => inCsv(asCsv(runReport(t))) },
  { from: 'problems of a sweep', into: 'CSV', holds: (t) => inCsv(sweepCsv([point(t)])) },
  { from: 'any text', into: 'a cell of CSV', holds: (t) => inCsv(csvCell(t)) },
  {
    from: 'the name of a workspace',
    into: 'the name of a downloaded snapshot',
    holds: (t) => isFileName(snapshotFileName(snapshot(t))),
  },
  {
    from: 'the name of a workspace',
    into: 'the name of a downloaded script',
    holds: (t) => isFileName(`${exportStem(t)}.py`) && /_fusescope$/.test(exportStem(t)),
  },
  {
    from: 'any text of a workspace',
    into: 'a snapshot file (JSON)',
    holds: (t) => (JSON.parse(writeSnapshotFile(snapshot(t))) as Snapshot).workspace.name === t,
  },
  {
    from: 'any text of a workspace',
    into: 'the fragment of an address',
    holds: async (t) => /^#?v2\.[\w-]+$/.test(await encodeSnapshot(snapshot(t))),
  },
  {
    from: 'names of graphs, passes and files',
    into: 'a literal of an exported Python script',
    holds: (t) => isPythonLiteral(literal(t)),
  },
  {
    from: 'the text of a file',
    into: 'a literal of an exported Python script',
    holds: (t) => isPythonLiteral(textLiteral(t)),
  },
  {
    from: 'console lines, messages, names',
    into: 'a terminal',
    holds: (t) => !/\n/.test(visible(t)) && !controls.test(visible(t)),
  },
  {
    from: 'any text of a report',
    into: 'JSON in a terminal',
    holds: (t) => !controls.test(jsonText({ [t]: t })) && (JSON.parse(jsonText([t])) as string[])[0] === t,
  },
  {
    from: 'the bindings of a kernel',
    into: 'a search in its header',
    holds: (t) =>
      ownKernels([{ name: 'k.wgsl', text: `// op: a.b\n// bindings: ${t.split('\n')[0]}\nfn main() {}` }]).kernels
        .size === 0,
  },
  {
    from: 'the expressions of a kernel',
    into: 'the evaluator of sizes',
    holds: (t) =>
      ownKernels([
        {
          name: 'k.wgsl',
          text: `// op: a.b\n// bindings: x\n// const: N = ${t.split('\n')[0]}\n// dispatch: ${t.split('\n')[0]}\nfn main() {}`,
        },
      ]).kernels.size === 0,
  },
]
