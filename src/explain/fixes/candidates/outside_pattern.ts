/** Fixes outside the pattern: in the model that produced the graph, or in the setup of the pass. */
import { eliminateDeadCode, mapArgs, printNode, type Arg, type Dim, type Graph, type Node, type Val } from '../../../fx'
import { isMutationOp } from '../../../matcher'
import { isImpure } from '../../../ops/purity'
import type { Cause } from '../../causes'
import { computed } from '../../repeatable'
import type { FixRun, TrialRunner, GraphEdit, Setting, TrialEnvironment } from '../trials'

export interface OutsideChange {
  /** Index of the cause it addresses. */
  cause: number
  title: string
  kind: 'graph' | 'pass'
  setting: Setting
  /** The change as a diff of the graph or of the settings. */
  diff: string
  /** True if pattern changes may be combined with it. */
  onward: boolean
}

/** Maximum number of trials per near miss. */
const MAX_OUTSIDE_CHANGES = 4

export function outsideChangesFor(causes: readonly Cause[], trials: TrialRunner, base: FixRun): OutsideChange[] {
  const { graph } = trials
  return causes
    .flatMap((cause, i) => [
      ...(firstOf(causes, i) && leavesDead(graph, cause) ? [withoutDeadCode(graph, i)] : []),
      ...(firstOf(causes, i) || takesFromEqual(cause) ? withoutEqualCalls(graph, base, cause, i) : []),
      ...staticSizes(graph, cause, i),
      ...switches(trials.environment, base, cause, i),
    ])
    .filter((e, i, all) => e.diff !== '' && all.findIndex((o) => o.diff === e.diff) === i)
    .slice(0, MAX_OUTSIDE_CHANGES)
}

const firstOf = (causes: readonly Cause[], i: number): boolean =>
  causes.findIndex((c) => c.kind === 'escaping-intermediate') === i

const takesFromEqual = ({ reason }: Cause): boolean => reason.kind === 'item-unused' && reason.equal !== undefined

const isDead = (n: Node): boolean => n.op === 'call_function' && n.users.size === 0

/** True if all outside users of the value are themselves unused. */
function leavesDead(graph: Graph, cause: Cause): boolean {
  return (
    cause.kind === 'escaping-intermediate' &&
    (cause.found ?? '').split(', ').some((name) => isDead(graph.find(name) ?? NOTHING))
  )
}
const NOTHING = { op: 'output', users: new Set() } as unknown as Node

/** Shared edit: runs with the same setting reuse its copy of the graph. */
const sweep: GraphEdit = (g) => {
  eliminateDeadCode(g, isImpure)
}
const DEAD: Setting = { graph: sweep }

function withoutDeadCode(graph: Graph, cause: number): OutsideChange {
  const dead = [...graph.nodes()].filter(isDead)
  return {
    cause,
    title: 'Remove dead code before the pass: call graph.eliminate_dead_code()',
    kind: 'graph',
    setting: DEAD,
    diff: removal(dead.map(printNode)),
    onward: true,
  }
}

/** Shared edit: a call that equals an earlier one is replaced by it, as in Inductor's fx_graph_cse. */
const merge: GraphEdit = (graph) => {
  const first = new Map<string, Node>()
  for (const node of [...graph.nodes()]) {
    const key = computed(node)
    const same = key === null ? undefined : first.get(key)
    if (same) {
      node.replaceAllUsesWith(same)
      graph.eraseNode(node)
    } else if (key !== null) first.set(key, node)
  }
}
const MERGED: Setting = { graph: merge }

/** Merges equal calls if a user outside the match computes the same as a node of the graph. */
function withoutEqualCalls(graph: Graph, base: FixRun, cause: Cause, i: number): OutsideChange[] {
  const { schemaOf } = base.passes[0]!.toExplain
  // Calls before and after a write may see other values.
  if ([...graph.nodes()].some((n) => isMutationOp(n, schemaOf))) return []
  const first = new Map<string, Node>()
  const equal = [...graph.nodes()].flatMap((node) => {
    const key = computed(node)
    const same = key === null ? undefined : first.get(key)
    if (key !== null && !same) first.set(key, node)
    return same ? [{ node, same }] : []
  })
  const users = (cause.found ?? '').split(', ')
  const here = equal.find(({ node, same }) => users.includes(node.name) || users.includes(same.name))
  if (!here) return []
  return [
    {
      cause: i,
      title: `Merge equal calls before the pass: ${here.node.name} computes what ${here.same.name} computes`,
      kind: 'graph',
      setting: MERGED,
      diff: removal(
        equal.map(({ node }) => printNode(node)),
        'graph with equal calls merged',
      ),
      onward: true,
    },
  ]
}

/** Maximum number of diff lines. */
const SHOWN = 12

function removal(names: readonly string[], title = 'graph without dead code'): string {
  const rest = names.length - SHOWN
  const lines = names.slice(0, SHOWN).map((l) => `-${l}`)
  return names.length === 0
    ? ''
    : `--- graph\n+++ ${title}\n@@ -1,${names.length} +1,0 @@\n${lines.join('\n')}\n${rest > 0 ? `-and ${rest} more\n` : ''}`
}

/** Compiles the model with one of its symbolic sizes fixed: re-tracing finds only the first symbol of each input. */
function staticSizes(graph: Graph, cause: Cause, i: number): OutsideChange[] {
  if (cause.kind !== 'symbolic-shape') return []
  const node = cause.graphNode === null ? undefined : graph.find(cause.graphNode)
  const symbols = new Set<string>()
  for (const n of [node, ...(node?.inputs() ?? []), graph.find(cause.found ?? '')]) {
    const symbol = n && symbolOf(n)
    if (symbol) symbols.add(symbol)
  }
  const all = [...graph.nodes()].flatMap((n) => symbolOf(n) ?? [])
  // The pattern was written for the size that remains symbolic.
  if (new Set(all).size < 2) return []
  return [...symbols].map((symbol): OutsideChange => {
    const setting = { graph: fixing(symbol, STATIC) }
    return {
      cause: i,
      title: `Compile the model with a fixed size instead of ${symbol}: the second trace of the pattern can have one symbolic size per input, not two (tried with ${STATIC})`,
      kind: 'graph',
      setting,
      diff: `--- graph\n+++ graph with a fixed size\n@@ -1,1 +1,1 @@\n-${symbol}\n+${STATIC}\n`,
      onward: false,
    }
  })
}

/** A size that is unlikely to occur elsewhere in a model. */
const STATIC = 24

const symbolOf = (n: Node): string | null => {
  const { val } = n.meta
  const value = n.op === 'placeholder' && val?.kind === 'scalar' ? val.value : null
  return typeof value === 'object' && value !== null && /^\w+$/.test(value.expr) ? value.expr : null
}

const fixing =
  (symbol: string, size: number): GraphEdit =>
  (graph) => {
    const pattern = new RegExp(`\\b${symbol}\\b`, 'g')
    const dim = (d: Dim): Dim => {
      if (typeof d === 'number' || !d.match(pattern)) return d
      const text = d.replace(pattern, String(size))
      return /^[\d*\s]+$/.test(text) ? text.split('*').reduce((a, b) => a * Number(b), 1) : ordered(text)
    }
    const fixed = (val: Val): Val =>
      val.kind === 'tensor'
        ? { ...val, shape: val.shape.map(dim), stride: val.stride && val.stride.map(dim) }
        : val.kind === 'vals'
          ? { ...val, items: val.items.map((v) => v && fixed(v)) }
          : val
    for (const node of graph.nodes()) {
      const { val } = node.meta
      if (symbolOf(node) === symbol) {
        for (const user of [...node.users]) {
          const [args, kwargs] = mapArgs(user.args, user.kwargs, (n): Arg => (n === node ? BigInt(size) : n))
          user.setArgs(args, kwargs)
        }
      } else if (val) node.meta = { ...node.meta, val: fixed(val) }
    }
  }

/** A product as sympy prints it, with its number first. */
function ordered(text: string): string {
  if (!/^[\w*]+$/.test(text)) return text
  const factors = text.split('*')
  const number = factors.filter((f) => /^\d+$/.test(f)).reduce((a, f) => a * Number(f), 1)
  const rest = factors.filter((f) => !/^\d+$/.test(f))
  return [...(number === 1 ? [] : [String(number)]), ...rest].join('*')
}

/** Changes an answer of the simulated environment that the user's code read. */
function switches(now: TrialEnvironment, base: FixRun, cause: Cause, i: number): OutsideChange[] {
  const out: OutsideChange[] = []
  if (CUSTOM.has(cause.kind))
    for (const { question } of base.answers) {
      const op = /^is_custom_op_enabled\('(\w+)'\)$/.exec(question)?.[1]
      if (op === undefined) continue
      const rest = now.customOps.filter((o) => o.slice(1) !== op)
      const on = base.answers.some((a) => a.question === question && a.answer === 'True')
      const customOps = [...rest, `${on ? '-' : '+'}${op}`]
      out.push({
        cause: i,
        title: `Turn the custom operator ${op} ${on ? 'off' : 'on'} in the environment: the patterns call is_custom_op_enabled('${op}')`,
        kind: 'pass',
        setting: { environment: { customOps } },
        diff: setting('custom_ops', JSON.stringify(now.customOps), JSON.stringify(customOps)),
        onward: false,
      })
    }
  if (cause.kind === 'functionalization') {
    const functionalization = now.functionalization === 'v1' ? 'v2' : 'v1'
    out.push({
      cause: i,
      title: `Set functionalization to ${functionalization} in the environment, as in the graph`,
      kind: 'pass',
      setting: { environment: { functionalization } },
      diff: setting('functionalization', now.functionalization, functionalization),
      onward: false,
    })
  }
  return out
}

const CUSTOM = new Set<Cause['kind']>(['decomposed', 'wrong-operator', 'missing-node'])

const setting = (name: string, before: string, after: string): string =>
  `--- environment\n+++ environment\n@@ -1,1 +1,1 @@\n-${name}: ${before}\n+${name}: ${after}\n`
