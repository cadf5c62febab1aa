/**
 * The graphs of a capture to which passes were applied. Separate from the replay, because the page lists them without the matcher.
 */
import type { Capture, CapturedApplication, CapturedGraph } from './records'

/** A graph to which passes were applied. */
export interface CapturedRun {
  run: number
  /** `0/0`; null outside torch.compile. */
  compile: string | null
  /** Names of the passes recorded with their graph, in order; a pass that was applied twice is named twice. */
  passes: string[]
  /** Number of matches that PyTorch replaced. */
  replaced: number
  /** Number of nodes where nothing was replaced although a pattern matched beyond its anchor or a match was dropped. */
  missed: number
  /** The targets of the graph's calls: operators, or torch functions as Dynamo captures them. */
  calls: 'aten operators' | 'functions of torch'
  /** Number of nodes before the first pass. */
  nodes: number
}

/** In the order of the capture. */
export function runsOf(capture: Capture): CapturedRun[] {
  const runs = new Map<number, CapturedRun>()
  const names = new Map<number, string>()
  for (const application of capture.applications) {
    const { run, compile, before, pass } = application
    const graph = before === null ? undefined : capture.graphs.get(before)
    if (!graph) continue
    let known = runs.get(run)
    if (!known) {
      const nodes = graph.nodes.length
      known = { run, compile, passes: [], nodes, replaced: 0, missed: 0, calls: callsOf(graph) }
      runs.set(run, known)
    }
    if (!names.has(pass)) names.set(pass, nameOfPass(capture, pass, names))
    known.passes.push(names.get(pass)!)
    known.replaced += application.count ?? 0
    known.missed += missedIn(application)
  }
  return [...runs.values()]
}

function missedIn({ attempts }: CapturedApplication): number {
  const replaced = new Set(attempts.filter((a) => a.applied).map((a) => a.node))
  return new Set(attempts.map((a) => a.node).filter((node) => !replaced.has(node))).size
}

const callsOf = ({ nodes }: CapturedGraph): CapturedRun['calls'] =>
  nodes.some((n) => typeof n.target === 'string' && /^(?:aten|prims)\./.test(n.target))
    ? 'aten operators'
    : 'functions of torch'

/** Variable, class or pass_name, this one first if the class holds several passes; unique in the run. */
export function nameOfPass(capture: Capture, id: number, taken: ReadonlyMap<number, string>): string {
  const pass = capture.passes.get(id)
  const holder = pass?.holder?.[1]
  // An object that holds several passes does not identify any of them.
  const several = [...capture.passes.values()].some((p) => p.id !== id && p.holder?.[1] === holder)
  const own = pass?.variable?.[1] ?? (several ? pass?.passName : null)
  const name = own ?? holder ?? titleOf(capture, id) ?? pass?.passName ?? `pass_${id}`
  const used = [...taken.values()].filter((n) => n === name || n.startsWith(`${name}@`)).length
  return used === 0 ? name : `${name}@${used + 1}`
}

/** The class that registered the patterns of a pass without a variable. */
function titleOf(capture: Capture, id: number): string | null {
  const application = capture.applications.find((a) => a.pass === id)
  const [entry] = application?.table[0]?.[2] ?? []
  return entry === undefined ? null : (capture.entries.get(entry)?.title ?? null)
}
