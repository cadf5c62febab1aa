/** Exports the workspace of the last analysis as text that runs on a real PyTorch. */
import type { Graph } from '../../fx'
import type { PythonRun } from '../../python/types'
import type { Tracer } from '../../trace/types'
import type { RecordedRun } from '../capture/records'
import { standingIn } from '../../ops/calls/computes'
import { pythonFiles } from '../../workspace/python_files'
import type { Workspace } from '../../workspace/types'
import type { PipelineRun } from '../pipeline/run'
import { bundledModules } from './bundled'
import { graphCode } from './graph_code'
import type { OperatorCall } from './operator_calls'
import { operatorLines } from './operators'
import { patternsText } from './patterns'
import { recordedCode, type NamedApplication } from './recorded'
import { recordedScriptText, type RecordedParts } from './recorded_script'
import { scriptText, type ScriptParts } from './script'
import { countsOf, exportedStages, passesOff } from './stages'
import type { ExpectedCounts, Exported, ExportKind } from './types'

export interface ExportSource {
  workspace: Workspace
  python: PythonRun
  /** The run on the shown graph. */
  pipeline: PipelineRun
  /** Each graph of the workspace before the passes, with its run, in order. */
  graphs: readonly { name: string; graph: Graph; pipeline: PipelineRun }[]
  tracer: Tracer
  /** Calls that the tracer ran in these runs. */
  observed: readonly OperatorCall[]
  /** The Python files of our library, by path. */
  library: Readonly<Record<string, string>>
  /** Null if the workspace's files registered the patterns. */
  recorded: RecordedRun | null
}

/** Modules that the exported runtime needs if it bundles or stubs modules. */
const RUNTIME_NEEDS = ['_fusescope.environment', '_fusescope.frames', '_fusescope.stubs']
const RUNTIME = ['shown.py', 'sizes.py', 'operators.py', 'guard.py', 'graphs.py', 'stages.py']
const RECORDED_RUNTIME = ['shown.py', 'sizes.py', 'operators.py', 'guard.py', 'graphs.py', 'recorded.py']

export function exportWorkspace(source: ExportSource, kind: ExportKind): Exported {
  const stem = exportStem(source.workspace.name)
  if (kind === 'patterns')
    return { fileName: `${stem}_patterns.py`, ...patternsText(source.pipeline, source.workspace) }
  const fileName = kind === 'script' ? `${stem}.py` : `test_${stem}.py`
  if (source.recorded) {
    const parts = recordedParts(source, source.recorded)
    return { fileName, text: recordedScriptText(parts, kind, fileName), notes: [...parts.notes] }
  }
  const parts = scriptParts(source)
  return { fileName, text: scriptText(parts, kind, fileName), notes: [...parts.notes] }
}

function scriptParts({ workspace, python, pipeline, graphs, tracer, observed, library }: ExportSource): ScriptParts {
  const files = pythonFiles(workspace)
  const texts = files.map((f) => f.text)
  const modules = Object.fromEntries(python.files.map((f) => [f.module, f.file]))
  const stubbed = python.stubs.map((s) => s.module).filter((m) => !inLibrary(library, m))
  const own = new Set(Object.keys(modules))
  // Stubs and the simulated environment need part of the library even if none of its packages is imported.
  const roots = stubbed.length > 0 ? [...texts, RUNTIME_NEEDS.map((m) => `import ${m}`).join('\n')] : texts
  const bundled = bundledModules(library, roots, own, RUNTIME_NEEDS)
  const codes = graphs.map(({ name, graph }) => ({ name, code: graphCode(graph, standingIn(files), tracer) }))
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

function recordedParts(source: ExportSource, { capture, applications }: RecordedRun): RecordedParts {
  const { workspace, pipeline, tracer, observed, library } = source
  const named = pipeline.passes.map((p, i): NamedApplication => ({
    name: p.toExplain.name,
    application: applications[i]!,
  }))
  const { blocks, graphs, notes } = recordedCode(capture, named, tracer)
  const operators = operatorLines({ tracer, graphs, observed, texts: [], declared: true })
  const others = (workspace.graphs ?? []).length
  return {
    workspace,
    operators: operators.lines,
    blocks,
    expected: { [workspace.graph.name]: countsOf(pipeline) },
    notes: [
      `The patterns are those of ${capture.name}, recorded on PyTorch ${capture.header.torch}: their functions answer as they did in that run.`,
      ...(others > 0 ? ['The other graphs of the workspace are left out: the recorded patterns are of one run.'] : []),
      ...notes,
      ...operators.notes,
    ],
    runtime: RECORDED_RUNTIME.map((name) => library[`_fusescope/exported/${name}`]!),
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

/**
 * `SiLU + Mul (SGLang)` → `silu_mul_sglang_fusescope`. The suffix is needed because every script in the same folder would import a
 * file `json.py` or `torch.py` in place of the module, and no list has the names of all installed modules.
 */
export const exportStem = (name: string): string => `${moduleStem(name)}_fusescope`

function moduleStem(name: string): string {
  const stem = name
    .replace(/\.(?:txt|py|log)$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 60)
  return /^[a-z]/.test(stem) ? stem : `workspace_${stem}`.replace(/_$/, '')
}
