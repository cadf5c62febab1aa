/** Records the steps of a pass at one node, during a real application of the pass. */
import { plainText } from '../../base/message'
import { formatVal, type Graph, type Node, type Val } from '../../fx'
import type { MatchArgs } from '../stage_two/check'
import type { Rejected, Specific } from '../stage_two/trace_cache'
import { dropMessage } from '../reasons/drop_reason'
import { GraphEntry, ReplacementEntry, type Entry } from '../entry'
import type { ContextMaker } from '../expr/pattern_expr'
import { capturedRepr, type Match, type MatchResult } from '../match'
import type { MutationRegions } from '../mutation_regions'
import type { AppliedMatch, StepHooks } from '../observer'
import type { Phase } from '../types'
import { AttemptSteps } from './attempt_steps'
import { regionsStep, streamsStep } from './barriers'
import { RecordingContext } from './recording_context'
import { count, listed } from '../../base/english'
import { clipped, plain } from './step_text'
import { StepWriter, type StepParts } from './writer'

/** The recorded node, and one entry there or (null) all of them. */
export interface Wanted {
  node: string
  entry: number | null
}

export class StepRecorder implements StepHooks {
  private readonly to = new StepWriter()
  /** The node, once the pass has reached it. */
  private target: Node | null = null
  private over = false
  private recording = false
  private readonly before: AppliedMatch[] = []
  private tried = 0
  private entries: readonly Entry[] = []
  /** Titles of the entries that fired, for the last step. */
  private readonly fired: string[] = []
  private present: Entry | null = null
  private matched: readonly Node[] = []

  constructor(private readonly wanted: Wanted) {}

  /**
   * The timeline's steps.
   * @param entries of the pass, for a node that it never reached
   */
  finish(graph: Graph, entries: readonly { index: number; title: string; keys: readonly string[] }[]) {
    if (!this.target) this.neverReached(graph, entries)
    else if (!this.over) this.end()
    return { steps: this.to.steps, cut: this.to.cut }
  }

  applied(match: AppliedMatch): void {
    if (!this.target) this.before.push(match)
  }

  candidate(node: Node, entries: readonly Entry[], unsupported: boolean): boolean {
    if (this.target) {
      if (!this.over) this.end()
      return true
    }
    if (node.name !== this.wanted.node || this.nameReused(node)) return false
    this.target = node
    const { entry } = this.wanted
    this.entries = entry === null ? entries : entries.filter((e) => e.index === entry)
    const before = this.before.length
    const soFar =
      before === 0
        ? 'nothing has been replaced so far'
        : `${count(before, 'match was', 'matches were')} replaced before it`
    this.write({
      kind: 'candidate',
      text: `The pass reaches ${node.name}, where ${count(entries.length, 'pattern')} can start; ${soFar}`,
      graphNode: node.name,
      found: node.target,
    })
    if (node.erased) {
      const by = this.before.find((m) => m.nodes.includes(node.name))
      const who = by ? `the match at ${by.node} replaced it in this same pass` : 'an earlier replacement removed it'
      this.stop(`${node.name} is no longer in the graph: ${who}`)
    } else if (unsupported)
      this.stop(`${node.name} or its inputs have a dtype or device that passes skip: no pattern is tried`)
    else if (entry !== null && this.entries.length === 0) this.stop(`The pattern is not tried at ${node.target}`)
    return false
  }

  entry(entry: Entry): void {
    this.recording = false
    if (!this.target || this.over) return
    this.tried++
    this.present = entry
    const { title } = entry.registration
    if (!this.entries.includes(entry)) return
    this.recording = true
    const pattern = entry.searchGraph ? [...entry.searchGraph.nodes()] : []
    this.to.entry = entry.index
    this.to.phase = null
    this.to.sources = pattern.map((n) => n.meta.source ?? null)
    const source = entry.registration.source
    this.write({ kind: 'entry', text: `${title} is tried here`, graphNode: this.target.name, source })
  }

  attempt(entry: Entry, phase: Phase, node: Node, toInitial: readonly (number | null)[] | null): ContextMaker | null {
    if (!this.recording) return null
    const again = this.to.phase !== null && phase === 'initial'
    this.to.phase = phase
    const names = entry.searchGraph ? [...entry.searchGraph.nodes()].map((n) => n.name) : []
    this.write({ kind: 'attempt', depth: 1, text: attemptText(entry, phase, again), graphNode: node.name })
    const steps = new AttemptSteps(this.to, 2, toInitial, names)
    return (outputs, schemaOf) => new RecordingContext(steps, outputs, null, schemaOf)
  }

  verdict(result: MatchResult): void {
    if (!this.recording) return
    const stage = this.to.phase === 'specific' ? 'Stage two' : 'Stage one'
    if (!result.ok) {
      const { at } = result
      const last = this.to.steps.at(-1)
      this.write({
        kind: 'verdict',
        depth: 1,
        ok: false,
        text: `${stage} fails${at.graphNode ? ` at ${at.graphNode}` : ''}`,
        graphNode: at.graphNode ?? this.target!.name,
        patternNode: last?.ok === false ? last.patternNode : null,
        expected: at.expected && plain(at.expected),
        found: at.found && plain(at.found),
        reason: result.reason,
      })
      return
    }
    this.matched = result.nodes
    const details = [...result.kwargs].map(([k, v]): [string, string] => [k, plain(capturedRepr(v))])
    const text = `${stage} matches: ${count(result.nodes.length, 'node')}`
    this.write({ kind: 'verdict', depth: 1, ok: true, text, graphNode: this.target!.name, details })
  }

  regions(nodes: readonly Node[], regions: MutationRegions, ok: boolean): void {
    if (this.recording) this.write({ depth: 1, ...regionsStep(nodes, regions, ok) })
  }

  streams(nodes: readonly Node[], ok: boolean): void {
    if (this.recording) this.write({ depth: 1, ...streamsStep(nodes, ok) })
  }

  retrace(entry: ReplacementEntry, args: MatchArgs | Rejected): void {
    if (!this.recording) return
    if ('rejected' in args) {
      this.write({
        kind: 'retrace',
        depth: 1,
        ok: false,
        text: `No re-trace: ${plainText(dropMessage(args.rejected))}`,
      })
      return
    }
    if (entry.givenPattern) return
    const details = entry.registration.argNames.map((name, i): [string, string] => [name, valText(args.vals[i])])
    const text = 'The search function is traced again with the matched shapes and dtypes'
    this.write({ kind: 'retrace', depth: 1, text, details })
  }

  retraced(entry: ReplacementEntry, specific: Specific | Rejected): void {
    if (!this.recording) return
    if ('rejected' in specific) {
      const why = plainText(dropMessage(specific.rejected))
      this.write({ kind: 'retrace', depth: 1, ok: false, text: `The match is dropped: ${why}`, found: clipped(why) })
    } else if (entry.givenPattern) {
      const text = entry.searchGraph
        ? 'gen_register_replacement traced the pattern ahead of time, so it is not traced again'
        : 'The pattern was given with search_fn_pattern, so it is not traced again'
      this.write({ kind: 'retrace', depth: 1, ok: true, text })
    } else {
      const size = [...specific.graph!.nodes()].filter((n) => n.op === 'call_function').length
      const text = `The re-trace has ${count(size, 'call')}; its constants are now exact and come from the matched shapes`
      this.write({ kind: 'retrace', level: 'fine', depth: 2, ok: true, text })
    }
  }

  extraCheck(ok: boolean): void {
    if (!this.recording) return
    const found = ok ? 'True' : 'False'
    const text = ok ? 'extra_check(match) returned True' : 'extra_check(match) returned False: the match is dropped'
    this.write({ kind: 'extra-check', depth: 1, ok, expected: 'True', found, text })
  }

  replacing(_entry: Entry, match: Match): void {
    this.matched = match.nodes
  }

  replaced(match: Match, added: readonly string[], replacedBy: readonly (string | null)[]): void {
    if (!this.target || this.over || !this.present) return
    this.fired.push(this.present.registration.title)
    if (!this.recording) return
    const { graph } = this.target
    const outputs = match.outputNodes()
    const first = outputs[0]?.name ?? this.target.name
    const what = this.present instanceof GraphEntry ? 'The handler' : 'The replacement'
    const text = added.length > 0 ? `${what} inserts ${count(added.length, 'node')}` : `${what} adds no node`
    this.write({ kind: 'insert', depth: 1, ok: true, text, graphNode: added[0] ?? first })
    for (const name of added) {
      const target = graph.find(name)?.target
      this.fine('insert', `${name}${target ? ` (${target})` : ''} is inserted`, name)
    }
    for (const [i, name] of replacedBy.entries()) {
      const old = outputs[i]
      if (name && old) this.fine('insert', `Users of ${old.name} now use ${name}`, name)
    }
    const erased = this.matched.filter((n) => n.erased).map((n) => n.name)
    const kept = this.matched.filter((n) => !n.erased).map((n) => n.name)
    const still =
      kept.length > 0
        ? `; ${listed(kept)} ${kept.length > 1 ? 'stay' : 'stays'} because other nodes use ${kept.length > 1 ? 'them' : 'it'}`
        : ''
    const gone = `${count(erased.length, 'unused matched node')} ${erased.length === 1 ? 'is' : 'are'} erased${still}`
    this.write({ kind: 'erase', depth: 1, ok: true, text: gone, graphNode: erased.at(-1) ?? first })
    for (const name of erased) this.fine('erase', `${name} is erased`, name)
  }

  raised({ pythonType, message }: { pythonType: string; message: string }): void {
    if (!this.target || this.over) return
    this.stop(`The pass ends here with an exception: ${pythonType}: ${clipped(message)}`)
  }

  private fine(kind: 'insert' | 'erase', text: string, graphNode: string): void {
    this.write({ kind, level: 'fine', depth: 2, text, graphNode })
  }

  private end(): void {
    const { node } = this.wanted
    const left = this.entries.length
    this.to.entry = this.wanted.entry
    this.to.phase = null
    const by = listed(this.fired)
    const rest = this.target!.erased && this.tried < left ? `; ${node} is gone, so the rest are not tried` : ''
    const text =
      this.fired.length > 0
        ? `Done: ${by} ${this.fired.length === 1 ? 'fired' : 'fired one after the other'} at ${node}${rest}`
        : `Done: ${left === 1 ? 'the pattern does not fire' : `none of the ${left} patterns fires`} at ${node}`
    this.over = true
    this.write({ kind: 'done', ok: this.fired.length > 0, text, graphNode: node })
  }

  private stop(text: string): void {
    this.over = true
    this.recording = false
    this.to.phase = null
    this.write({ kind: 'done', ok: false, text, graphNode: this.wanted.node })
  }

  private neverReached(
    graph: Graph,
    entries: readonly { index: number; title: string; keys: readonly string[] }[],
  ): void {
    const { node: name, entry } = this.wanted
    const node = graph.find(name)
    this.write({ kind: 'candidate', text: `The pass never reaches ${name}`, graphNode: name, ok: false })
    if (!node) return this.stop(`The graph before this pass has no node ${name}`)
    const one = entry === null ? null : entries.find((e) => e.index === entry)
    const keys = [...new Set((one ? [one] : entries).flatMap((e) => e.keys))].map((k) =>
      k.replace(/^call_function:/, ''),
    )
    const who = one ? 'The pattern is tried' : 'The patterns of this pass are tried'
    const what = node.op === 'placeholder' ? 'an input of the graph' : node.target
    this.stop(`${name} is ${what}. ${who} at ${listed(keys, 6)} only`)
  }

  /** An inserted node may have the name of an erased one; the pass does not visit it. */
  private nameReused(node: Node): boolean {
    return !node.erased && node.graph.find(node.name) !== node
  }

  private write(parts: StepParts): void {
    this.to.write(parts)
  }
}

function attemptText(entry: Entry, phase: Phase, again: boolean): string {
  if (phase === 'specific')
    return 'Stage two: the re-traced pattern, in which every constant is exact, is matched from its first output'
  if (again) return 'The pattern is matched once more, from its first output'
  if (entry instanceof GraphEntry || entry.givenPattern) return 'The pattern is matched as written'
  return 'Stage one: numbers, lists of numbers, dtypes and devices in the pattern match any value'
}

function valText(val: Val | undefined): string {
  if (!val) return '?'
  if (val.kind === 'scalar')
    return clipped(String(typeof val.value === 'object' && val.value ? val.value.expr : val.value))
  if (val.kind === 'vals') return clipped(`[${val.items.map((v) => valText(v ?? undefined)).join(', ')}]`)
  return formatVal(val, { stride: true, device: true })
}
