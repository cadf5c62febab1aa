/** Calls code that edits the graph itself: a function or an object on a graph, not on patterns. */
import { clone, type Graph, type Node } from '../../fx'
import { PythonError } from '../../matcher'
import type { GraphEdit } from '../../python/edit_log'
import type { FoundStage, PassCall } from '../../python/types'
import { TorchError } from '../../trace/types'
import { Watch } from '../invariants/changes'
import { findViolations } from '../invariants/check'
import type { PipelineContext } from './context'
import type { GraphCopy } from './stage_graphs'
import type { StageEdit, StageEffects } from './types'

/** @param source not modified */
export function callOnGraph(
  source: Graph,
  stage: FoundStage,
  context: PipelineContext,
): GraphCopy & { did: StageEffects } {
  const started = performance.now()
  let copy = copyOf(source)
  const watch = context.detail === 'report' ? new Watch(copy.after) : null
  let error: string | null = null
  let call: Pick<PassCall, 'edits' | 'leftOut'>
  try {
    const made = context.host.callPass(stage.callable!, copy.after)
    call = made
    error = missingError(made.missing)
    if (made.graph && made.graph !== copy.after) copy = pairedWith(copy, made.graph)
  } catch (e) {
    if (!(e instanceof PythonError || e instanceof TorchError)) throw e
    error = `${e.pythonType}: ${e.message}`
    call = context.host.editsOfLastCall()
  }
  const ms = performance.now() - started
  const violations = watch && watch.graph === copy.after ? findViolations(watch, [], context.tracer) : []
  const edits = plainEdits(call.edits, copy)
  const did: StageEffects = {
    count: null,
    notes: stage.note === undefined ? [] : [stage.note],
    error,
    ms,
    ...(violations.length > 0 && { broken: violations.map((v) => v.sentence) }),
    ...(context.detail === 'report' && edits.length > 0 && { edits }),
    ...(call.leftOut > 0 && { editsLeftOut: call.leftOut }),
  }
  return { ...copy, did }
}

/** What a missing function would have done to the graph is missing from the result. */
function missingError(missing: readonly string[]): string | null {
  if (missing.length === 0) return null
  return `NotImplementedError: the code called ${missing.join(', ')} with the graph, which Fusescope lacks; what that does to the graph is missing here.`
}

function copyOf(source: Graph): GraphCopy {
  const { graph: after, map: copies } = clone(source)
  return { after, copies }
}

/**
 * The copy of a graph that the code made itself. Its nodes are those of the graph before that have the same name, operation and
 * target; the rest is removed or added.
 */
function pairedWith({ copies }: GraphCopy, made: Graph): GraphCopy {
  const { graph: after } = clone(made)
  const paired = new Map<Node, Node>()
  for (const [node, copy] of copies) {
    const same = after.find(node.name)
    if (same && same.op === node.op && same.target === node.target) paired.set(node, same)
    else {
      copy.erased = true
      paired.set(node, copy)
    }
  }
  return { after, copies: paired }
}

/** The edits of the graph after and of what it was made of, by names. */
function plainEdits(edits: readonly GraphEdit[], { after, copies }: GraphCopy): StageEdit[] {
  const before = new Set(copies.values())
  return edits.flatMap((edit): StageEdit[] => {
    const { call, node, text, users, frames } = edit
    // In a graph that the code made, the nodes that it copied are no edits.
    const found = node.graph === after ? node : after.find(node.name)
    if (node.graph !== after && call === 'create_node' && found && before.has(found)) return []
    const place = found && !found.erased ? 'after' : before.has(node) ? 'before' : null
    const [source, ...callers] = frames
    return [
      {
        call,
        node: node.name,
        in: place,
        text,
        ...(users.length > 0 && { users: users.map((n) => n.name) }),
        source: source ?? null,
        ...(callers.length > 0 && { callers }),
      },
    ]
  })
}
