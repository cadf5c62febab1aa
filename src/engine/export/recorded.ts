/** The recorded passes of a capture as Python: graphs, traces and edits as functions, and one table for each application. */
import { Graph, type Arg, type Node, type Val } from '../../fx'
import { code, intLiteral, joined, literal, type Code } from '../../fx/code/code'
import { valueCode } from '../../fx/code/values'
import type { Tracer } from '../../trace/types'
import { addNode, argOf, argsOf, buildGraph, graphOfJson, valOf } from '../capture/graphs'
import type { Capture, CapturedApplication, CapturedAttempt, CapturedEntry } from '../capture/records'
import { calleeCode, DATA_FORMS, GraphWriter, graphCode, valCode } from './graph_code'
import { patternCode } from './pattern_code'

/** One recorded application of a pass. */
export interface NamedApplication {
  /** The pass's name in the report. */
  name: string
  application: CapturedApplication
}

export interface RecordedCode {
  /** Functions and tables, one definition each. */
  blocks: Code[]
  /** The graphs to rebuild: those before the passes, and the traces. */
  graphs: Graph[]
  notes: string[]
}

export function recordedCode(
  capture: Capture,
  applications: readonly NamedApplication[],
  tracer: Tracer | null = null,
): RecordedCode {
  const writer = new RecordedWriter(capture, tracer)
  const tables = applications.map((a) => writer.application(a))
  const list = functionOf(code`applications()`, [
    code`"""The applications of the recorded run. Their operators must be declared."""`,
    code`return [`,
    ...tables.flat().map((line) => code`    ${line}`),
    code`]`,
  ])
  return { blocks: [...writer.blocks, list], graphs: writer.graphs, notes: [...writer.notes] }
}

class RecordedWriter {
  readonly blocks: Code[] = []
  readonly graphs: Graph[] = []
  readonly notes = new Set<string>()
  /** Names of functions already written. */
  private readonly written = new Set<string>()
  private edits = 0

  constructor(
    private readonly capture: Capture,
    private readonly tracer: Tracer | null,
  ) {}

  application({ name, application }: NamedApplication): Code[] {
    const { capture } = this
    const before = capture.graphs.get(application.before!)!
    const ids = [...new Set(application.table.flatMap(([, , entries]) => entries))]
    const entries = ids.flatMap((id) => {
      const entry = capture.entries.get(id)
      const written = entry && this.entry(entry, name)
      return written ? [code`        ${numberCode(id)}: ${written},`] : []
    })
    const rows = application.table.map(
      ([op, target, numbers]) =>
        code`        ((${literal(op)}, ${op === 'call_function' ? calleeCode(target) : literal(target)}), [${joined(numbers.map(numberCode))}]),`,
    )
    return [
      code`{`,
      code`    "name": ${literal(name)},`,
      code`    "graph": ${this.graph(code`graph_${numberCode(before.id)}`, () => buildGraph(before))},`,
      code`    "entries": {`,
      ...entries,
      code`    },`,
      code`    "table": [`,
      ...rows,
      code`    ],`,
      code`    "answers": {`,
      ...this.answers(application),
      code`    },`,
      code`},`,
    ]
  }

  /** The recorded results of each entry's functions, by anchor. */
  private answers({ attempts }: CapturedApplication): Code[] {
    const byEntry = new Map<number, Code[]>()
    for (const attempt of attempts) {
      if (!attempt.ok) continue
      const line = code`            ${literal(attempt.node)}: {${joined(this.answer(attempt))}},`
      byEntry.set(attempt.entry, [...(byEntry.get(attempt.entry) ?? []), line])
    }
    return [...byEntry].flatMap(([entry, lines]) => [code`        ${numberCode(entry)}: {`, ...lines, code`        },`])
  }

  private answer(attempt: CapturedAttempt): Code[] {
    const { second, applied, dropped } = attempt
    const raised = attempt.raised ?? (dropped?.why === 'trace' ? dropped.text : null)
    const trace = this.traceOf(second?.trace ?? null)
    const replacement = this.traceOf(attempt.replacement)
    const all: [string, Code | null][] = [
      ['applied', applied ? code`True` : null],
      ['raised', raised === null ? null : literal(raised)],
      ['trace', trace],
      ['replacement', replacement],
      ['edit', attempt.edit && this.edit(attempt.edit)],
    ]
    return all.flatMap(([k, v]) => (v === null ? [] : [code`${literal(k)}: ${v}`]))
  }

  private traceOf(id: number | null): Code | null {
    const trace = id === null ? undefined : this.capture.traces.get(id)
    return trace ? this.graph(code`trace_${numberCode(trace.id)}`, () => graphOfJson(trace.graph)) : null
  }

  /** The name of the function that rebuilds a graph. */
  private graph(name: Code, build: () => Graph): Code {
    if (this.written.has(name)) return name
    this.written.add(name)
    const graph = build()
    this.graphs.push(graph)
    const { lines, notes } = graphCode(graph, undefined, this.tracer)
    for (const note of notes) this.notes.add(note)
    this.blocks.push(functionOf(code`${name}(build)`, lines))
    return name
  }

  /** Null for a pattern that has no code and no trace. */
  private entry(entry: CapturedEntry, pass: string): Code | null {
    const { search } = entry
    const isTraced = entry.kind === 'replacement' && search !== null && !entry.givenPattern
    const pattern = isTraced ? null : this.pattern(entry)
    if (pattern === null && !isTraced) {
      this.notes.add(`Pattern ${entry.id} of ${pass} has a class of its own, so the export lacks it.`)
      return null
    }
    if (entry.kind !== 'replacement') return code`{'kind': 'graph', 'pattern': ${pattern!}}`
    const fields: [string, Code][] = [
      ['kind', literal('replacement')],
      ['pattern', pattern ?? code`None`],
      ['given', entry.givenPattern ? code`True` : code`False`],
      ['arguments', literal([...entry.argNames])],
      ['exclusive', literal([...entry.exclusiveArgNames])],
      ['scalar_workaround', this.scalars(entry)],
      ['inputs', code`lambda build: [${joined(inputsOf(entry).map((val) => this.input(val, entry)))}]`],
      ['search', search ? this.graph(code`search_${numberCode(entry.id)}`, () => graphOfJson(search)) : code`None`],
    ]
    return code`{${joined(fields.map(([k, v]) => code`${literal(k)}: ${v}`))}}`
  }

  private scalars({ id, scalarWorkaround }: CapturedEntry): Code {
    if (scalarWorkaround === null) return code`None`
    return code`{${joined(scalarWorkaround.map(([k, v]) => code`${literal(k)}: ${this.value(argOf(v, new Map()), id)}`))}}`
  }

  private input(val: Val | null, entry: CapturedEntry): Code {
    if (val === null) return code`None`
    if (val.kind === 'scalar') return this.value(val.value as Arg, entry.id)
    if (val.kind === 'vals') return code`[${joined(val.items.map((v) => this.input(v ?? null, entry)))}]`
    const written = valCode(val)
    if (written === null) this.lacks(`an example input of pattern ${entry.id}`)
    return code`build.value(${written ?? code`None`})${val.requiresGrad && written ? code`.requires_grad_()` : code``}`
  }

  private value(arg: Arg, entry: number): Code {
    const written = valueCode(arg, { ...DATA_FORMS, node: () => null })
    if (written === null) this.lacks(`a value of pattern ${entry}`)
    return written ?? code`None`
  }

  private lacks(what: string): void {
    this.notes.add(`The export has None for ${what} that Python code cannot express.`)
  }

  private pattern({ id, pattern }: CapturedEntry): Code | null {
    const name = code`pattern_${numberCode(id)}`
    if (this.written.has(name)) return name
    const lines = patternCode(pattern)
    if (lines === null) return null
    this.written.add(name)
    this.blocks.push(functionOf(code`${name}()`, lines))
    return name
  }

  private edit({ nodes, erased }: NonNullable<CapturedAttempt['edit']>): Code {
    const name = code`edit_${numberCode(this.edits++)}`
    const known = new NamedNodes()
    const names = new Map<Node, Code>()
    const text = new GraphWriter({ get: (n) => names.get(n) ?? code`build.node(${literal(n.name)})` })
    for (const [i, n] of nodes.entries()) {
      if (!n.new) continue
      const node = addNode(known.graph, known, n)
      const into = code`new_${numberCode(i)}`
      text.lines.push(code`with build.after(${literal(n.after)}):`)
      const start = text.lines.length
      text.node(node, into)
      names.set(node, into)
      for (let at = start; at < text.lines.length; at++) text.lines[at] = code`    ${text.lines[at]!}`
    }
    for (const n of nodes) {
      if (n.new) continue
      const [args, kwargs] = argsOf(n, known)
      const name = String(n.name)
      text.lines.push(code`build.change(${literal(name)}, ${text.call(args, kwargs, { name })})`)
    }
    if (erased.length > 0) text.lines.push(code`build.erase(${joined(erased.map((e) => literal(e)))})`)
    for (const note of text.notes) this.notes.add(note)
    this.blocks.push(functionOf(code`${name}(build)`, text.lines))
    return name
  }
}

/** Nodes by name; an unknown name refers to a node of the graph being edited. */
class NamedNodes extends Map<string, Node> {
  readonly graph = new Graph()

  override get(name: string): Node {
    let node = super.get(name)
    if (!node) this.set(name, (node = this.graph.createNamed(name, 'placeholder', name, [], new Map())))
    return node
  }
}

/** An id of a capture, which its reader has checked, as part of a name. */
const numberCode = (id: number): Code => intLiteral(BigInt(id))

const functionOf = (head: Code, lines: readonly Code[]): Code =>
  code`def ${head}:\n${joined(
    (lines.length > 0 ? lines : [code`pass`]).map((l) => code`    ${l}`),
    '\n',
  )}`

/** Metadata of the example inputs; null where the capture began after the registration. */
function inputsOf({ exampleInputs, argNames, scalarWorkaround }: CapturedEntry): (Val | null)[] {
  if (exampleInputs) return exampleInputs.map(valOf)
  const scalars = new Set(scalarWorkaround?.map(([name]) => name))
  return argNames.filter((name) => !scalars.has(name)).map(() => null)
}
