/** Inductor's built-in passes around the user's passes: some run here if listed, the others are only shown. */
import type { Graph } from '../../fx'
import { decomposeAutoFunctionalized } from '../post_grad/decompose'
import { removeNoopOps } from '../post_grad/noops'
import { reinplaceInplaceableOps } from '../post_grad/reinplace'
import type { PostGradResult, PostGradContext } from '../post_grad/types'

export interface BuiltIn {
  /** Name in a workspace's list of passes; never a valid Python variable. */
  name: string
  /** Description in one sentence. */
  what: string
  /** Null if Fusescope does not run the pass. */
  run: ((graph: Graph, context: PostGradContext) => PostGradResult) | null
}

const PREFIX = 'inductor:'

const pre: BuiltIn = {
  name: `${PREFIX}pre_grad_passes`,
  what: 'Built into PyTorch; not run here: they run before AOTAutograd, on another graph.',
  run: null,
}
const joint: BuiltIn = {
  name: `${PREFIX}joint_graph_passes`,
  what: 'Built into PyTorch; not run here: a post-grad graph is already past them.',
  run: null,
}
const noops: BuiltIn = {
  name: `${PREFIX}remove_noop_ops`,
  what: 'Removes views, clones and casts that change nothing.',
  run: removeNoopOps,
}
const patterns: BuiltIn = {
  name: `${PREFIX}pass_patterns`,
  what: 'Built into PyTorch; not run here: the post-grad patterns, in three passes.',
  run: null,
}
const reinplace: BuiltIn = {
  name: `${PREFIX}reinplace_inplaceable_ops`,
  what: 'Decides which arguments of functionalized calls are written in place and which are cloned.',
  run: reinplaceInplaceableOps,
}
const decompose: BuiltIn = {
  name: `${PREFIX}decompose_auto_functionalized`,
  what: 'Replaces functionalized calls by clones and the mutating call.',
  run: decomposeAutoFunctionalized,
}

const ALL: readonly BuiltIn[] = [pre, joint, noops, patterns, reinplace, decompose]

export const builtIn = (name: string): BuiltIn | undefined => ALL.find((b) => b.name === name)

/** The built-in passes and the hooks of a compilation, in order. A pass in no hook runs as a custom post pass. */
export const COMPILATION_ORDER: readonly (BuiltIn | { hooks: readonly (string | null)[] })[] = [
  { hooks: ['backend'] },
  pre,
  { hooks: ['pre_grad_custom_pass'] },
  { hooks: ['joint_custom_pass'] },
  { hooks: ['joint_custom_pre_pass'] },
  joint,
  { hooks: ['joint_custom_post_pass'] },
  { hooks: ['post_grad_custom_pre_pass'] },
  noops,
  patterns,
  { hooks: ['post_grad_custom_post_pass', null] },
  reinplace,
  decompose,
]
