/** Reads the examples from the plain files in public/examples/ID/. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemPage, type ExampleFigures, type ExampleInfo, type System } from '../src/app/examples/catalog'
import { sketchOf } from '../src/app/examples/sketch'
import { summaryOf } from '../src/app/session/summary'
import type { Report } from '../src/engine/protocol'
import { workspaceSchema, type Snapshot, type Workspace } from '../src/workspace'
import { root } from './lib.mjs'

export const examplesDir = join(root, 'public', 'examples')
/** The examples as links build on them: `index.json` by id, and every one that was ever published by hash. */
export const basesDir = join(root, 'public', 'bases')
export const systemPagesDir = join(root, 'docs', 'systems')

/** public/examples/ID/about.json: title, description and the files of the workspace. */
interface About {
  system: System
  /** Sort key: vLLM 10 to 19, Inductor 20 to 29, vLLM-Ascend 30 to 39, SGLang 40 to 59. */
  order: number
  title: string
  description: string
  graph: string
  shapes?: string
  /** Additional graphs. */
  graphs?: string[]
  /** In the order of the tabs, which is the order in which they run; `../ID/NAME` is another example's. */
  files: string[]
  /** Variables of the passes to apply; absent: all passes. */
  passes?: string[]
  environment?: Workspace['environment']
  /** Initial view of the editor: a tab, and a text in it to scroll to. */
  view?: { openFile: string; startAt: string }
}

/** Every folder with an about.json, in the order in which the app lists them; it opens the first. */
export const EXAMPLE_IDS: readonly string[] = readdirSync(examplesDir, { withFileTypes: true })
  .filter((e) => e.isDirectory() && existsSync(join(examplesDir, e.name, 'about.json')))
  .map((e) => e.name)
  .sort((a, b) => aboutOf(a).order - aboutOf(b).order || a.localeCompare(b))

export function exampleIndex(): ExampleInfo[] {
  const bases = JSON.parse(readFileSync(join(basesDir, 'index.json'), 'utf8')) as Record<string, string>
  return EXAMPLE_IDS.map((id) => {
    const { system, title, description, view } = aboutOf(id)
    const report = JSON.parse(readFileSync(join(examplesDir, id, 'report.json'), 'utf8')) as Report
    const sketch = sketchOfBest(report)
    return {
      id,
      system,
      title,
      description,
      workspace: `${id}/workspace.json`,
      report: `${id}/report.json`,
      page: examplePage(id),
      shows: figures(report),
      base: bases[id]!,
      ...(sketch && { sketch }),
      ...(view && { view }),
    }
  })
}

/** docs/systems/PAGE.md, without the ending: the example's own page, or its system's. */
export function examplePage(id: string): string {
  return existsSync(join(systemPagesDir, `${id}.md`)) ? id : systemPage(aboutOf(id).system)
}

function figures({ passes, graph, after, columns }: Report): ExampleFigures {
  return {
    entries: passes.reduce((sum, pass) => sum + pass.entries.length, 0),
    matches: passes.reduce((sum, pass) => sum + pass.count, 0),
    nodes: graph.nodes.length,
    nodesAfter: after?.nodes.length ?? null,
    ...(columns && {
      graphs: { count: columns.length, matches: columns.flatMap((c) => c.fired.flat()).reduce((sum, n) => sum + n, 0) },
    }),
  }
}

function sketchOfBest({ passes }: Report): ExampleInfo['sketch'] {
  const [best] = passes.flatMap((pass) => pass.entries).sort((a, b) => b.fired - a.fired)
  const pattern = best && sketchOf(best.pattern)
  return pattern ? { pattern, replacement: best.replacement && sketchOf(best.replacement) } : undefined
}

export function exampleWorkspace(id: string): Workspace {
  const about = aboutOf(id)
  const file = (path: string) => ({
    name: path.replace(/^\.\.\/[^/]+\//, ''),
    text: readFileSync(join(examplesDir, id, path), 'utf8'),
  })
  return workspaceSchema.parse({
    name: about.title,
    graph: file(about.graph),
    ...(about.shapes && { shapes: file(about.shapes) }),
    ...(about.graphs && { graphs: about.graphs.map(file) }),
    files: about.files.map(file),
    ...(about.passes && { passes: about.passes }),
    ...(about.environment && { environment: about.environment }),
    options: { timeLimitS: 10 },
  } satisfies Workspace)
}

/** An example as it opens, with its stored report: the base of links made from this example. */
export function exampleSnapshot(id: string): Snapshot {
  const workspace = exampleWorkspace(id)
  const report = JSON.parse(readFileSync(join(examplesDir, id, 'report.json'), 'utf8')) as Report
  const openFile = aboutOf(id).view?.openFile ?? workspace.files[0]?.name ?? ''
  const view = { selection: null, mode: 'before', panel: 'matches', openFile } as const
  return { v: 1, workspace, view, summary: summaryOf(report) }
}

/**
 * A small report that is equal on every machine: without timings, and without attempts, which only the Node panel lists
 * and which arrive once Python has run.
 */
export function stableReport(report: Report): Report {
  return {
    ...report,
    passes: report.passes.map((pass) => ({
      ...pass,
      attempts: [],
      attemptsLeftOut: pass.attempts.length,
      applyMs: 0,
      explainMs: 0,
    })),
    ...(report.pipeline && {
      pipeline: {
        ...report.pipeline,
        stages: report.pipeline.stages.map((s) => (s.did ? { ...s, did: { ...s.did, ms: 0 } } : s)),
      },
    }),
    ...(report.tests && { tests: report.tests.map((test) => ({ ...test, ms: 0 })) }),
    timings: { parseMs: 0, pythonMs: 0, applyMs: 0, totalMs: 0 },
  }
}

export function aboutOf(id: string): About {
  return JSON.parse(readFileSync(join(examplesDir, id, 'about.json'), 'utf8')) as About
}
