/** The examples, from the plain files in public/examples/ID/ that people can read. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Report } from '../src/engine/protocol'
import { workspaceSchema, type Workspace } from '../src/workspace'
import { root } from './lib.mjs'

export const examplesDir = join(root, 'public', 'examples')

/** In the order in which the app lists them; it opens the first. */
export const EXAMPLE_IDS = [
  'silu-mul-block-quant',
  'rms-norm-int8',
  'ascend-add-rms-norm-mx-quant',
  'sglang-fused-swiglu',
] as const

/** public/examples/ID/about.json: what the person reads, and which files make the workspace. */
interface About {
  title: string
  description: string
  graph: string
  shapes?: string
  /** In the order of the tabs, which is the order in which they run. */
  files: string[]
  /** Variables of the passes to apply, where it is not every one. */
  passes?: string[]
  environment?: Workspace['environment']
  /** What the editor shows first: a tab, and text that is found in it. */
  view?: { openFile: string; startAt: string }
}

/** One line of public/examples/index.json; paths are below public/examples. */
export interface ExampleInfo {
  id: string
  title: string
  description: string
  workspace: string
  report: string
  view?: { openFile: string; startAt: string }
}

export function exampleIndex(): ExampleInfo[] {
  return EXAMPLE_IDS.map((id) => {
    const { title, description, view } = aboutOf(id)
    const about = { id, title, description, workspace: `${id}/workspace.json`, report: `${id}/report.json` }
    return view ? { ...about, view } : about
  })
}

export function exampleWorkspace(id: string): Workspace {
  const about = aboutOf(id)
  const file = (name: string) => ({ name, text: readFileSync(join(examplesDir, id, name), 'utf8') })
  return workspaceSchema.parse({
    name: about.title,
    graph: file(about.graph),
    ...(about.shapes && { shapes: file(about.shapes) }),
    files: about.files.map(file),
    ...(about.passes && { passes: about.passes }),
    ...(about.environment && { environment: about.environment }),
    options: { timeLimitS: 10 },
  } satisfies Workspace)
}

/** A report that is the same on every machine: what it took is not stored. */
export function stableReport(report: Report): Report {
  return {
    ...report,
    passes: report.passes.map((pass) => ({ ...pass, applyMs: 0, explainMs: 0 })),
    timings: { parseMs: 0, pythonMs: 0, applyMs: 0, totalMs: 0 },
  }
}

/** Folders of public/examples that no list names. */
export function strayExamples(): string[] {
  if (!existsSync(examplesDir)) return []
  const known: readonly string[] = EXAMPLE_IDS
  return readdirSync(examplesDir, { withFileTypes: true })
    .filter((e) => e.isDirectory() && !known.includes(e.name))
    .map((e) => e.name)
}

function aboutOf(id: string): About {
  return JSON.parse(readFileSync(join(examplesDir, id, 'about.json'), 'utf8')) as About
}
