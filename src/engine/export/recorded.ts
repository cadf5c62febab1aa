/** The recorded passes of a capture as Python: graphs, traces and edits as functions, and one table for each application. */
import { formatPython, Graph, type Arg, type Node, type Val } from '../../fx'
import { addNode, argOf, argsOf, buildGraph, graphOfJson, valOf } from '../capture/graphs'
import type { Capture, CapturedApplication, CapturedAttempt, CapturedEntry, Fields } from '../capture/types'
import { calleeCode, GraphWriter, graphCode, valCode } from './graph_code'
import { patternCode } from './pattern_code'
import { literal } from './python_text'

/** One recorded application of a pass. */
export interface NamedApplication {
  /** Of the pass, as the report names it. */
  name: string
  application: CapturedApplication
}

export interface RecordedCode {
  /** Functions and tables, one definition each. */
  blocks: string[]
  /** The graphs that are rebuilt: those before the passes, and the traces. */
  graphs: Graph[]
  notes: string[]
}

export function recordedCode(capture: Capture, applications: readonly NamedApplication[]): RecordedCode {
  const writer = new RecordedWriter(capture)
  const tables = applications.map((a) => writer.application(a))
  const list = functionOf('applications()', [
    '"""The applications of the recorded run. Their operators must be declared."""',
    'return [',
    ...tables.flatMap((t) => t.split('\n').map((line) => `    ${line}`)),
    ']',
  ])
  return { blocks: [...writer.blocks, list], graphs: writer.graphs, notes: [...writer.notes] }
}

class RecordedWriter {
  readonly blocks: string[] = []
  readonly graphs: Graph[] = []
  readonly notes = new Set<string>()
  /** Names of functions that are written. */
  private readonly written = new Set<string>()
  private edits = 0

  constructor(private readonly capture: Capture) {}

  application({ name, application }: NamedApplication): string {
    const { capture } = this
    const before = capture.graphs.get(application.before!)!
    const ids = [...new Set(application.table.flatMap(([, , entries]) => entries))]
    const entries = ids.flatMap((id) => {
      const entry = capture.entries.get(id)
      const code = entry && this.entry(entry, name)
      return code ? [`        ${id}: ${code},`] : []
    })
    const rows = application.table.map(
      ([op, target, numbers]) =>
        `        ((${literal(op)}, ${op === 'call_function' ? calleeCode(target) : literal(target)}), ${literal(numbers)}),`,
    )
    return [
      '{',
      `    "name": ${literal(name)},`,
      `    "graph": ${this.graph(`graph_${before.id}`, () => buildGraph(before))},`,
      '    "entries": {',
      ...entries,
      '    },',
      '    "table": [',
      ...rows,
      '    ],',
      '    "answers": {',
      ...this.answers(application),
      '    },',
      '},',
    ].join('\n')
  }

  /** What the functions of each entry did, by anchor. */
  private answers({ attempts }: CapturedApplication): string[] {
    const byEntry = new Map<number, string[]>()
    for (const attempt of attempts) {
      if (!attempt.ok) continue
      const fields = this.answer(attempt)
      const line = `            ${literal(attempt.node)}: {${fields.map(([k, v]) => `${literal(k)}: ${v}`).join(', ')}},`
      byEntry.set(attempt.entry, [...(byEntry.get(attempt.entry) ?? []), line])
    }
    return [...byEntry].flatMap(([entry, lines]) => [`        ${entry}: {`, ...lines, '        },'])
  }

  private answer(attempt: CapturedAttempt): [string, string][] {
    const { second, applied, dropped } = attempt
    const raised = attempt.raised ?? (dropped?.why === 'trace' ? dropped.text : null)
    const trace = this.traceOf(second?.trace ?? null)
    const replacement = this.traceOf(attempt.replacement)
    const all: [string, string | null][] = [
      ['applied', applied ? 'True' : null],
      ['raised', raised === null ? null : literal(raised)],
      ['trace', trace],
      ['replacement', replacement],
      ['edit', attempt.edit && this.edit(attempt.edit)],
    ]
    return all.filter((f): f is [string, string] => f[1] !== null)
  }

  private traceOf(id: number | null): string | null {
    const trace = id === null ? undefined : this.capture.traces.get(id)
    return trace ? this.graph(`trace_${trace.id}`, () => graphOfJson(trace.graph)) : null
  }

  /** The name of the function that rebuilds a graph. */
  private graph(name: string, build: () => Graph): string {
    if (this.written.has(name)) return name
    this.written.add(name)
    const graph = build()
    this.graphs.push(graph)
    const { lines, notes } = graphCode(graph)
    for (const note of notes) this.notes.add(note)
    this.blocks.push(functionOf(`${name}(build)`, lines))
    return name
  }

  /** Null for a pattern without code that no trace can make. */
  private entry(entry: CapturedEntry, pass: string): string | null {
    const { search } = entry
    const isTraced = entry.kind === 'replacement' && search !== null && !entry.givenPattern
    const pattern = isTraced ? null : this.pattern(entry)
    if (pattern === null && !isTraced) {
      this.notes.add(`Pattern ${entry.id} of ${pass} is of a class of its own, so the export lacks it.`)
      return null
    }
    if (entry.kind !== 'replacement') return `{'kind': 'graph', 'pattern': ${pattern}}`
    const fields: [string, string][] = [
      ['kind', literal('replacement')],
      ['pattern', pattern ?? 'None'],
      ['given', entry.givenPattern ? 'True' : 'False'],
      ['arguments', literal([...entry.argNames])],
      ['exclusive', literal([...entry.exclusiveArgNames])],
      ['scalar_workaround', scalarsOf(entry)],
      ['inputs', `lambda build: [${inputsOf(entry).map(inputCode).join(', ')}]`],
      ['search', search ? this.graph(`search_${entry.id}`, () => graphOfJson(search)) : 'None'],
    ]
    return `{${fields.map(([k, v]) => `${literal(k)}: ${v}`).join(', ')}}`
  }

  private pattern({ id, pattern }: CapturedEntry): string | null {
    const name = `pattern_${id}`
    if (this.written.has(name)) return name
    const lines = patternCode(pattern)
    if (lines === null) return null
    this.written.add(name)
    this.blocks.push(functionOf(`${name}()`, lines))
    return name
  }

  private edit({ nodes, erased }: NonNullable<CapturedAttempt['edit']>): string {
    const name = `edit_${this.edits++}`
    const known = new NamedNodes()
    const names = new Map<Node, string>()
    const text = new GraphWriter({ get: (n) => names.get(n) ?? `build.node(${literal(n.name)})` })
    for (const [i, n] of nodes.entries()) {
      if (!n.new) continue
      const node = addNode(known.graph, known, n as Fields)
      names.set(node, `new_${i}`)
      text.lines.push(`with build.after(${literal(n.after)}):`)
      const start = text.lines.length
      text.node(node)
      for (let at = start; at < text.lines.length; at++) text.lines[at] = `    ${text.lines[at]}`
    }
    for (const n of nodes) {
      if (n.new) continue
      const [args, kwargs] = argsOf(n as Fields, known)
      text.lines.push(`build.change(${literal(n.name)}, ${text.call(args, kwargs)})`)
    }
    if (erased.length > 0) text.lines.push(`build.erase(${erased.map((e) => literal(e)).join(', ')})`)
    this.blocks.push(functionOf(`${name}(build)`, text.lines.length > 0 ? text.lines : ['pass']))
    return name
  }
}

/** Nodes by name; one that is not known yet is of the graph that is edited. */
class NamedNodes extends Map<string, Node> {
  readonly graph = new Graph()

  override get(name: string): Node {
    let node = super.get(name)
    if (!node) this.set(name, (node = this.graph.createNamed(name, 'placeholder', name, [], new Map())))
    return node
  }
}

const functionOf = (head: string, lines: readonly string[]): string =>
  `def ${head}:\n${lines.map((l) => `    ${l}`).join('\n')}`

const scalarsOf = ({ scalarWorkaround }: CapturedEntry): string =>
  scalarWorkaround === null
    ? 'None'
    : `{${scalarWorkaround.map(([k, v]) => `${literal(k)}: ${formatPython(argOf(v, new Map()))}`).join(', ')}}`

/** Metadata of the example inputs; null where the capture began after the registration. */
function inputsOf({ exampleInputs, argNames, scalarWorkaround }: CapturedEntry): (Val | null)[] {
  if (exampleInputs) return exampleInputs.map(valOf)
  const scalars = new Set(scalarWorkaround?.map(([name]) => name))
  return argNames.filter((name) => !scalars.has(name)).map(() => null)
}

function inputCode(val: Val | null): string {
  if (val === null) return 'None'
  if (val.kind === 'scalar') return formatPython(val.value as Arg)
  if (val.kind === 'vals') return `[${val.items.map((v) => inputCode(v ?? null)).join(', ')}]`
  return `build.value(${valCode(val)})${val.requiresGrad ? '.requires_grad_()' : ''}`
}
