/** The session of the library: the page's session (src/engine/session) behind the few types of api.d.ts. */
import { caseExplanation } from '../engine/cases/cases'
import type { Report } from '../engine/protocol'
import { diagnosesOf, type DiagnosedCause, type Diagnosis } from '../engine/report/diagnoses'
import { failureText } from '../engine/report/file_outcomes'
import { createSession, type Session as EngineSession } from '../engine/session/session'
import type { PythonAssets } from '../python/types'
import { firstIssue, workspaceSchema } from '../workspace'
import { DEFAULT_ENVIRONMENT, type Workspace } from '../workspace/types'
import type { Cause, Input, Matched, NearMiss, Pass, Read, Session } from './api'

const GRAPH = 'graph'

/** @throws Error, one sentence, for input that cannot be used */
function workspaceOf({ graph, shapes, files, passes, environment }: Input): Workspace {
  const parsed = workspaceSchema.safeParse({
    name: GRAPH,
    graph: { name: GRAPH, text: graph },
    ...(shapes !== undefined && { shapes: { name: 'shapes', text: shapes } }),
    files: Object.entries(files ?? {}).map(([name, text]) => ({ name, text })),
    ...(passes && { passes }),
    ...(environment && { environment: { ...DEFAULT_ENVIRONMENT, ...environment } }),
    options: { timeLimitS: 3600 },
  })
  if (!parsed.success) throw new Error(`This input cannot be used: ${firstIssue(parsed.error)}.`)
  return parsed.data
}

class LibrarySession implements Session {
  private report: Report | null = null

  constructor(
    private readonly engine: EngineSession,
    private input: Input,
    private workspace: Workspace,
  ) {}

  async read(): Promise<Read> {
    const { view, problems } = this.engine.read(this.workspace)
    return {
      nodes: view.nodes.map(({ name, op, target, dtype, shape, args, kwargs }) => ({
        name,
        op,
        target,
        dtype,
        shape,
        args,
        kwargs,
      })),
      problems: problems.map(({ file, line, message }) => ({ file, line, message })),
    }
  }

  async match(): Promise<Matched> {
    const { python, passes, console, causes } = this.run()
    return {
      passes: passes.map(passOf),
      error: python && failureText(python, causes),
      console: console.map(({ text }) => text),
    }
  }

  async explain({ fixes = false }: { fixes?: boolean } = {}): Promise<NearMiss[]> {
    this.run()
    const explained = caseExplanation(this.engine.interpreter, this.engine.lastRun(), { fixes })
    return diagnosesOf(explained).diagnoses.map(nearMissOf)
  }

  async print({ as = 'fx', which = 'before' }: Parameters<Session['print']>[0] = {}): Promise<string> {
    const failed = which === 'after' ? this.run().python : null
    if (failed) throw new Error(`There is no graph after the passes: ${failureText(failed)}`)
    return this.engine.print(this.workspace, as, which)
  }

  async change(changed: Partial<Input>): Promise<void> {
    const input = { ...this.input, ...changed }
    this.workspace = workspaceOf(input)
    this.input = input
    this.report = null
  }

  private run(): Report {
    return (this.report ??= this.engine.analyze(this.workspace).report)
  }
}

const passOf = ({ name, count, applyError, entries, matches }: Report['passes'][number]): Pass => ({
  name,
  count,
  error: applyError,
  patterns: entries.map((e) => ({
    title: e.title,
    source: e.source && { file: e.source.file, line: e.source.line },
    bindings: e.bindings,
    count: e.fired,
  })),
  matches: matches.map(({ entry, nodes, inputs, added }) => ({ pattern: entry, nodes, inputs, added })),
})

const nearMissOf = ({ pass, title, anchor, aligned, of, times, causes }: Diagnosis): NearMiss => ({
  pass,
  title,
  anchor,
  aligned,
  of,
  times,
  causes: causes.map(causeOf),
})

const causeOf = ({ kind, message, source, graph_node: node, expected, found, fixes }: DiagnosedCause): Cause => ({
  kind,
  message,
  source,
  node,
  expected,
  found,
  fixes: fixes.map((fix) => ({
    title: fix.title,
    edits: fix.edits,
    diff: fix.diff,
    numbers: fix.numbers_message,
    matchesBefore: fix.matches_before,
    matchesAfter: fix.matches_after,
  })),
})

/** @throws Error, one sentence, for input that cannot be used */
export async function openSessionWith(assets: PythonAssets, input: Input): Promise<Session> {
  const workspace = workspaceOf(input)
  const engine = createSession(assets)
  await engine.ready
  return new LibrarySession(engine, input, workspace)
}
