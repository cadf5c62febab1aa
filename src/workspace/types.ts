/** Types of a workspace and of a snapshot, which a link contains. Parsed and upgraded in src/workspace. */

import type { TorchVersion } from '../base/torch_version'
import type { ReportSummary } from './carried_summary'

export type { FiredSummary, PassSummary, ReportSummary, SummaryMatch } from './carried_summary'

export interface TextFile {
  name: string
  text: string
}

/** A graph, with a second text for its shapes if it has one. */
export interface GraphFile extends TextFile {
  shapes?: TextFile
  /** Shapes given for nodes of a graph without: `{"arg0_1": "bf16[48, 256]"}`, as print_readable annotates. */
  inputShapes?: Record<string, string>
  /** The capture that the graph was opened from. Absent in old links. */
  capture?: CaptureFile
}

/** The editable state. File names are unique, and in the order of the tabs. */
export interface Workspace {
  name: string
  /** The FX graph that is shown, in any form `src/fx` reads. */
  graph: TextFile
  /** A second text of the same graph with shapes, when `graph` is a print(graph). */
  shapes?: TextFile
  /** See GraphFile. Absent in old links. */
  inputShapes?: Record<string, string>
  /** Additional graphs that the same patterns run on, without the shown graph; see graphsOf. Absent in old links. */
  graphs?: GraphFile[]
  /** Index of the shown graph among all graphs, from 0; absent: first. */
  graphAt?: number
  /** Python files: importable from each other by name, run in this order. */
  files: TextFile[]
  /** Variables of the passes to apply, in order; absent: every module-level PatternMatcherPass as defined. */
  passes?: string[]
  options: WorkspaceOptions
  /** Absent: DEFAULT_ENVIRONMENT, and in old links. */
  environment?: Environment
  /** The capture of the shown graph; absent if it comes from none, and in old links. */
  capture?: CaptureFile
}

/** The platforms that an environment can simulate. */
export const PLATFORMS = [
  'cuda-sm80',
  'cuda-sm89',
  'cuda-sm90',
  'cuda-sm100',
  'rocm',
  'rocm-aiter',
  'cpu',
  'ascend-a5',
  'ascend-910b',
  'ascend-310p',
] as const
export type Platform = (typeof PLATFORMS)[number]

/** The simulated environment; vllm.platforms, vllm.config, torch_npu and others read it. */
export interface Environment {
  platform: Platform
  /** The model's dtype. */
  dtype: 'bfloat16' | 'float16' | 'float32'
  /** Token count of the compilation; null: symbolic. */
  tokens: number | null
  /** In the syntax of compilation_config.custom_ops: `all` or `none`, then `+rms_norm`, `-silu_and_mul`. */
  customOps: string[]
  functionalization: 'v1' | 'v2'
  /** Pass flags and other settings by name: `fuse_norm_quant`. */
  flags: Record<string, boolean | number | string>
  /** The model's layers by name, each as the call that makes it: `Attention(32, 128)`. Absent: a layer of attention. */
  layers?: Record<string, string>
  /** The PyTorch that the verdicts are of; absent: the newest. */
  torch?: TorchVersion
}

/** Equal to the default in src/python/lib/_fusescope/environment.py; a test compares them. */
export const DEFAULT_ENVIRONMENT: Environment = {
  platform: 'cuda-sm90',
  dtype: 'bfloat16',
  tokens: null,
  customOps: ['all'],
  functionalization: 'v1',
  flags: {},
}

/** A capture of a real run (docs/capture.md) that a workspace was opened from. */
export interface CaptureFile {
  /** The file's name. */
  name: string
  /** The records of one run. */
  text: string
  /** The graph that passes went over. */
  run: number
  /** Hash of the graph and files as the capture has them: while they are equal, the recorded patterns are used. */
  key: string
}

export interface WorkspaceOptions {
  /** Time limit of a run of user code, in seconds. */
  timeLimitS: number
}

export interface PlaceInFile {
  file: string
  line: number
}

/** The selection, shared by all panels. Node names refer to the graph on that side. */
export type Selection =
  | { kind: 'node'; side: 'before' | 'after'; name: string }
  | { kind: 'match'; pass: string; index: number }
  | { kind: 'entry'; pass: string; index: number }
  /**
   * `part`: index of an expression of the explained pattern; absent: the node itself, and in old links.
   * `source`: the line of an expression that no node of a traced pattern has.
   */
  | { kind: 'patternNode'; pass: string; entry: number; index: number; part?: number; source?: PlaceInFile }
  | { kind: 'line'; file: string; line: number }
  /** One step of the match timeline of a pass at a node, for one entry or (null) all entries. */
  | { kind: 'step'; pass: string; entry: number | null; node: string; index: number }
  /** `place`: anchor of one of several attempts; absent: the first. */
  | { kind: 'nearMiss'; pass: string; index: number; place?: string }

export type CanvasMode = 'before' | 'after' | 'split'
/** Ids of the panels, as snapshots hold them; each is one registration in src/app/features. */
export const PANEL_IDS = [
  'matches',
  'whynot',
  'steps',
  'patterns',
  'pipeline',
  'run',
  'inspector',
  'outline',
  'console',
  'problems',
] as const

export type PanelId = (typeof PANEL_IDS)[number]

/** "This should match here": a pattern, identified by its title and bindings, and a node of the graph. */
export interface Pin {
  pass: string
  entry: number
  title: string
  /** `EntryReport.bindings`, as text. */
  bindings: string
  node: string
}

/** A camera by a node of the graph, so that it holds for another drawing and window. */
export interface CameraPlace {
  side: 'before' | 'after'
  node: string
  /** From the center of the node to the center of the view, in pixels at zoom 1. */
  dx: number
  dy: number
  zoom: number
}

/** The part of the graph that is drawn; without fields, the whole graph. */
export interface LookState {
  /** Only these nodes, with the inputs within `up` steps and the users within `down` steps. */
  only?: { nodes: string[]; up: number; down: number }
  /** Nodes that edges are drawn past. */
  hidden?: string[]
  /** Edges are drawn past views and sizes. */
  noViews?: true
}

/** The view state of the page. */
/** What folds: equal layers, modules of the model, source lines, matches inside layers, or matches by pattern. */
export const GROUP_BY = ['layer', 'module', 'line', 'match', 'pattern'] as const
export type GroupBy = (typeof GROUP_BY)[number]

export interface ViewState {
  selection: Selection | null
  mode: CanvasMode
  panel: PanelId
  openFile: string
  /** First visible line of that file, from 1. Absent in old links. */
  topLine?: number
  /** Absent if nothing is pinned, and in old links. */
  pin?: Pin
  /** Absent if no graph is drawn, and in old links. */
  camera?: CameraPlace
  /** Camera of the second canvas; absent if one is drawn, and in old links. */
  cameraBeside?: CameraPlace
  /** Absent while the whole graph is drawn, and in old links. */
  look?: LookState
  /** The query of Find; absent while Find is closed, and in old links. */
  find?: string
  /**
   * Open instances of the folded graph, as `GROUP/INSTANCE`; `*` for all. Absent if nothing is folded at first, and in old
   * links.
   */
  unfolded?: string[]
  /** What the graph is grouped by; absent: layers, and in old links. */
  groupBy?: GroupBy
  /**
   * Show the graph after this stage of the pipeline, 0 the original graph; absent: `mode` decides. Absent in old links.
   */
  stage?: number
}

export interface Snapshot {
  v: 1
  workspace: Workspace
  view: ViewState
  summary: ReportSummary | null
}
