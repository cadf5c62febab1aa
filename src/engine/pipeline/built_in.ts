/** Inductor's own passes around the user's: those that run here when listed, and those that are only shown. */
import type { Graph } from '../../fx'
import { decomposeAutoFunctionalized } from '../post_grad/decompose'
import { removeNoopOps } from '../post_grad/noops'
import { reinplaceInplaceableOps } from '../post_grad/reinplace'
import type { PostGradResult, PostGradContext } from '../post_grad/types'

export interface BuiltIn {
  /** As a workspace lists it; no variable can have this name. */
  name: string
  /** One sentence. */
  what: string
  /** Null: not run here. */
  run: ((graph: Graph, context: PostGradContext) => PostGradResult) | null
}

const PREFIX = 'inductor:'

const pre: BuiltIn = {
  name: `${PREFIX}pre_grad_passes`,
  what: 'PyTorch’s own, not run here: they act before AOTAutograd, on another graph.',
  run: null,
}
const joint: BuiltIn = {
  name: `${PREFIX}joint_graph_passes`,
  what: 'PyTorch’s own, not run here: a post-grad graph has them behind it.',
  run: null,
}
const noops: BuiltIn = {
  name: `${PREFIX}remove_noop_ops`,
  what: 'Views, clones and casts that change nothing go.',
  run: removeNoopOps,
}
const patterns: BuiltIn = {
  name: `${PREFIX}pass_patterns`,
  what: 'PyTorch’s own, not run here: post-grad patterns, in three passes.',
  run: null,
}
const reinplace: BuiltIn = {
  name: `${PREFIX}reinplace_inplaceable_ops`,
  what: 'Decides what functionalized calls have to clone, and what they may write to as it is.',
  run: reinplaceInplaceableOps,
}
const decompose: BuiltIn = {
  name: `${PREFIX}decompose_auto_functionalized`,
  what: 'Functionalized calls become clones and the mutating call.',
  run: decomposeAutoFunctionalized,
}

const ALL: readonly BuiltIn[] = [pre, joint, noops, patterns, reinplace, decompose]

export const builtIn = (name: string): BuiltIn | undefined => ALL.find((b) => b.name === name)

/** The built-in passes and the hooks of a compilation, in order. A pass in no hook acts as a custom post pass. */
export const COMPILATION_ORDER: readonly (BuiltIn | { hooks: readonly (string | null)[] })[] = [
  pre,
  { hooks: ['pre_grad_custom_pass'] },
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
