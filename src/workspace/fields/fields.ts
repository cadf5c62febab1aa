/** The contents of a workspace and of a snapshot's view: the schemas that their types are inferred from (../types.ts). */
import { config, z } from 'zod'
import { TORCH_VERSIONS } from '../../base/torch_version'
import { summarySchema, textFile } from '../carried_summary'
import { GROUP_BY, PANEL_IDS, PLATFORMS } from './choices'

// Zod would otherwise probe `new Function`, which the page's policy refuses with an error.
config({ jitless: true })

/** Maximum number of files in a workspace. */
export const MAX_FILES = 200
/** Maximum number of additional graphs in a workspace. */
export const MAX_GRAPHS = 200
/** Maximum time limit of a run on the page, because a link may come from a stranger. */
const MAX_TIME_LIMIT_S = 60

const text = z.string()
const count = z.number().int().nonnegative()

/**
 * Shapes given for nodes without one: `{"arg0_1": "bf16[48, 256]"}`, in print_readable's notation. An invalid text is kept: the
 * table of inputs shows it with its problem.
 */
const inputShapes = z.record(z.string().max(1000), z.string().max(2000))

/** The simulated environment; vllm.platforms, vllm.config, torch_npu and others read it. */
export const environmentSchema = z.object({
  platform: z.enum(PLATFORMS),
  /** The model's dtype. */
  dtype: z.enum(['bfloat16', 'float16', 'float32']),
  /** Token count of the compilation; null: symbolic. */
  tokens: z.number().int().positive().nullable(),
  /** In the syntax of compilation_config.custom_ops: `all` or `none`, then `+rms_norm`, `-silu_and_mul`. */
  customOps: z.array(z.string().max(200)).max(500),
  functionalization: z.enum(['v1', 'v2']),
  /** Pass flags and other settings by name: `fuse_norm_quant`. */
  flags: z.record(z.string().max(200), z.union([z.boolean(), z.number(), z.string().max(2000)])),
  /** The model's layers by name, each as the call that makes it: `Attention(32, 128)`. Absent: a layer of attention. */
  layers: z.record(z.string().max(200), z.string().max(2000)).optional(),
  /** The PyTorch version of the verdicts; absent: the newest. */
  torch: z.enum(TORCH_VERSIONS).optional(),
})

/** A capture of a real run (docs/capture.md) that a workspace was opened from. */
export const captureSchema = z.object({
  /** The file's name. */
  name: z.string().max(500),
  /** The records of one run. */
  text,
  /** The graph that passes were applied to. */
  run: count,
  /** Hash of the capture's graph and files: the recorded patterns are used while it is equal. */
  key: z.string().max(100),
})

/** A graph, with a second text for its shapes if it has one. */
export const graphFileSchema = textFile.extend({
  shapes: textFile.optional(),
  inputShapes: inputShapes.optional(),
  /** The capture that the graph was opened from. Absent in old links. */
  capture: captureSchema.optional(),
})

/** The editable state. File names are unique, and in the order of the tabs. */
export const workspaceFields = z.object({
  name: z.string().max(500),
  /** The FX graph that is shown, in any form `src/fx` reads. */
  graph: textFile,
  /** A second text of the same graph with shapes, when `graph` is a print(graph). */
  shapes: textFile.optional(),
  /** See GraphFile. Absent in old links. */
  inputShapes: inputShapes.optional(),
  /** Additional graphs that the same patterns run on, without the shown graph; see graphsOf. Absent in old links. */
  graphs: z.array(graphFileSchema).max(MAX_GRAPHS).optional(),
  /** Index of the shown graph among all graphs, from 0; absent: first. */
  graphAt: count.optional().catch(undefined),
  /** Python files: importable from each other by name, run in this order. */
  files: z.array(textFile).max(MAX_FILES),
  /** Variables of the passes to apply, in order; absent: every module-level PatternMatcherPass as defined. */
  passes: z.array(text).max(1000).optional(),
  options: z.object({
    /** Time limit of a run of user code, in seconds. */
    timeLimitS: z
      .number()
      .positive()
      .max(3600)
      .transform((s) => Math.min(s, MAX_TIME_LIMIT_S)),
  }),
  /** Absent: DEFAULT_ENVIRONMENT, and in old links. */
  environment: environmentSchema.optional(),
  /** The capture of the shown graph; absent if it comes from none, and in old links. */
  capture: captureSchema.optional(),
})

const side = z.enum(['before', 'after'])

const place = z.object({ file: text, line: count })

/** The selection, shared by all panels. Node names refer to the graph on that side. */
export const selectionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('node'), side, name: text }),
  z.object({ kind: z.literal('match'), pass: text, index: count }),
  z.object({ kind: z.literal('entry'), pass: text, index: count }),
  z.object({
    kind: z.literal('patternNode'),
    pass: text,
    entry: count,
    index: count,
    /** Index of an expression of the explained pattern; absent: the node itself, and in old links. */
    part: count.optional(),
    /** The line of an expression without a node in the traced pattern. */
    source: place.optional(),
  }),
  z.object({ kind: z.literal('line'), file: text, line: count }),
  /** One step of the match timeline of a pass at a node, for one entry or (null) all entries. */
  z.object({ kind: z.literal('step'), pass: text, entry: count.nullable(), node: text, index: count }),
  /** `place`: anchor of one of several attempts; absent: the first. */
  z.object({ kind: z.literal('nearMiss'), pass: text, index: count, place: text.optional() }),
])

/** A camera relative to a node of the graph, so that it is valid for another drawing and window. */
const camera = z.object({
  side,
  node: text,
  /** From the center of the node to the center of the view, in pixels at zoom 1. */
  dx: z.number(),
  dy: z.number(),
  zoom: z.number().min(0.001).max(10),
})
export const cameraSchema = camera.optional().catch(undefined)

/** The drawn part of the graph; without fields, the whole graph. */
const look = z.object({
  /** Only these nodes, with the inputs within `up` steps and the users within `down` steps. */
  only: z.object({ nodes: z.array(text), up: count, down: count }).optional(),
  /** Nodes that edges are drawn past. */
  hidden: z.array(text).optional(),
  /** Edges are drawn past views and sizes. */
  noViews: z.literal(true).optional(),
})

/** "This should match here": a pattern, identified by its title and bindings, and a node of the graph. */
const pin = z.object({
  pass: text,
  entry: count,
  title: text,
  /** `EntryReport.bindings`, as text. */
  bindings: text,
  node: text,
})

/** The view state of the page. */
export const viewSchema = z.object({
  // An unknown kind of selection selects nothing; the rest of the link stays valid.
  selection: selectionSchema.nullable().catch(null),
  mode: z.enum(['before', 'after', 'split']).catch('before'),
  panel: z.enum(PANEL_IDS).catch('matches'),
  openFile: text,
  /** First visible line of that file, from 1. Absent in old links. */
  topLine: count.optional().catch(undefined),
  /** Absent if nothing is pinned, and in old links. */
  pin: pin.optional().catch(undefined),
  /**
   * Show the graph after this stage of the pipeline, 0 the original graph; absent: `mode` decides. Absent in old links.
   */
  stage: count.optional().catch(undefined),
  /** Absent if no graph is drawn, and in old links. */
  camera: cameraSchema,
  /** Camera of the second canvas; absent if one is drawn, and in old links. */
  cameraBeside: cameraSchema,
  /** Absent while the whole graph is drawn, and in old links. */
  look: look.optional().catch(undefined),
  /** The query of Find; absent while Find is closed, and in old links. */
  find: z.string().max(1000).optional().catch(undefined),
  /**
   * Open instances of the folded graph, as `GROUP/INSTANCE`; `*` for all. Absent if nothing is folded at first, and in old
   * links.
   */
  unfolded: z.array(text).optional().catch(undefined),
  /** The grouping of the graph; absent for layers, and in old links. */
  groupBy: z.enum(GROUP_BY).optional().catch(undefined),
})

/** `workspace`: its fields; ../schema.ts adds checks for a workspace that is read. */
export const snapshotFields = z.object({
  v: z.literal(1),
  workspace: workspaceFields,
  view: viewSchema,
  summary: summarySchema.nullable(),
})
