/** Exports the workspace of the last analysis as text that runs on a real PyTorch. */
import type { Graph } from '../../fx'
import type { PythonRun } from '../../python/types'
import type { Tracer } from '../../trace/types'

import { pythonFiles } from '../../workspace/python_files'
import type { Workspace } from '../../workspace/types'
import type { PipelineRun } from '../pipeline/run'
import { bundledModules } from './bundled'
import { graphCode } from './graph_code'
import type { OperatorCall } from './operator_calls'
import { operatorLines } from './operators'
import { patternsText } from './patterns'
import { scriptText, type ScriptParts } from './script'
import { countsOf, exportedStages, passesOff } from './stages'
import type { ExpectedCounts, Exported, ExportKind } from './types'

export interface ExportSource {
  workspace: Workspace
  python: PythonRun
  /** The run on the graph that is shown. */
  pipeline: PipelineRun
  /** Each graph of the workspace before the passes, and its run, in order. */
  graphs: readonly { name: string; graph: Graph; pipeline: PipelineRun }[]
  tracer: Tracer
  /** Calls that the tracer ran in these runs. */
  observed: readonly OperatorCall[]
  /** Our Python files, by path. */
  library: Readonly<Record<string, string>>
}

/** Modules that the runtime needs where it bundles or stubs any. */
const RUNTIME_NEEDS = ['_fusescope.environment', '_fusescope.frames', '_fusescope.stubs']
const RUNTIME = ['graphs.py', 'stages.py']

export function exportWorkspace(source: ExportSource, kind: ExportKind): Exported {
  const stem = moduleStem(source.workspace.name)
  if (kind === 'patterns')
    return { fileName: `${stem}_patterns.py`, ...patternsText(source.pipeline, source.workspace) }
  const fileName = kind === 'script' ? `${stem}.py` : `test_${stem}.py`
  const parts = scriptParts(source)
  return { fileName, text: scriptText(parts, kind, fileName), notes: [...parts.notes] }
}

function scriptParts({ workspace, python, pipeline, graphs, tracer, observed, library }: ExportSource): ScriptParts {
  const files = pythonFiles(workspace)
  const texts = files.map((f) => f.text)
  const modules = Object.fromEntries(python.files.map((f) => [f.module, f.file]))
  const stubbed = python.stubs.map((s) => s.module).filter((m) => !inLibrary(library, m))
  const own = new Set(Object.keys(modules))
  // Stubs and the simulated environment need a part of the library even where no package of it is imported.
  const roots = stubbed.length > 0 ? [...texts, RUNTIME_NEEDS.map((m) => `import ${m}`).join('\n')] : texts
  const bundled = bundledModules(library, roots, own, RUNTIME_NEEDS)
  const codes = graphs.map(({ name, graph }) => ({ name, code: graphCode(graph) }))
  const operators = operatorLines({
    tracer,
    graphs: graphs.map((g) => g.graph),
    observed,
    texts: [...texts, ...Object.values(bundled)],
  })
  const expected: ExpectedCounts = Object.fromEntries(graphs.map((g) => [g.name, countsOf(g.pipeline)]))
  return {
    workspace,
    modules,
    bundled,
    stubbed,
    operators: operators.lines,
    graphs: codes,
    stages: exportedStages(pipeline.plan),
    off: passesOff(pipeline.plan),
    expected,
    notes: [...codes.flatMap((c) => c.code.notes), ...operators.notes, ...failedFiles(python)],
    runtime: RUNTIME.map((name) => library[`_fusescope/exported/${name}`]!),
  }
}

const inLibrary = (library: ExportSource['library'], module: string): boolean => {
  const path = module.replaceAll('.', '/')
  return `${path}.py` in library || `${path}/__init__.py` in library
}

const failedFiles = (python: PythonRun): string[] =>
  python.files.flatMap((f) =>
    f.failure ? [`${f.file} raises ${f.failure.type} here too, so its patterns are not registered.`] : [],
  )

/** `SiLU + Mul (SGLang)` → `silu_mul_sglang`. */
export function moduleStem(name: string): string {
  const stem = name
    .replace(/\.(?:txt|py|log)$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 60)
  return /^[a-z]/.test(stem) ? stem : `workspace_${stem}`.replace(/_$/, '')
}
