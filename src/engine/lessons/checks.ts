/** Evaluates the checks of a lesson on a report: its claims in `npm run lessons`, and the goals of exercises on the page too. */
import { capitalized, message, node, type Message } from '../../base/message'
import { count, listed } from '../../base/english'
import type { Cause, Report } from '../protocol'
import type { Workspace } from '../../workspace/types'
import { firstCause } from './answer'
import type { Check } from './catalog'

/** A report with the data that decides a check. */
export interface CheckContext {
  report: Report
  workspace: Workspace
  /** The worst verdict of the matches; null: not compared, as on the page before the comparison ends. */
  numbers?: { kind: string; sentence: string } | null
  /** Graph nodes by anchor, in the order of the matcher's visits. */
  visits?: (at: string, entry: number | null) => readonly string[]
}

/** The outcome of a check: a short name for the list of goals, and the difference; null if the check holds. */
export interface Checked {
  goal: Message
  /** Null if it holds. */
  differs: Message | null
  /** The comparison of values has not finished. */
  pending?: boolean
}

type Of<K extends Check['check']> = Extract<Check, { check: K }>

type Evaluators = { [K in Check['check']]: (check: Of<K>, context: CheckContext) => Checked }

const EVALUATORS: Evaluators = {
  matches: (check, { report }) =>
    compared(message`The pattern fires ${times(check.count)}${on(check.graph)}`, matchCount(check, report), {
      wanted: check.count,
      text: (n) => message`It fires ${times(n)}${on(check.graph)}.`,
    }),
  fires: (check, { report }) => fires(check, report),
  silent(check, { report }) {
    const also = check.at.filter((a) => anchors(report).includes(a))
    const differs = also.length === 0 ? null : message`It fires at ${names(also)}.`
    return { goal: message`It does not fire at ${names(check.at)}`, differs }
  },
  cause: (check, { report }) => causeCheck(check, report),
  'near-misses'(check, { report }) {
    const n = report.passes.reduce((sum, p) => sum + p.nearMisses.filter((m) => !m.taken).length, 0)
    return compared(message`There ${isAre(check.count)} ${nearMisses(check.count)}`, n, {
      wanted: check.count,
      text: (found) => message`There ${isAre(found)} ${nearMisses(found)}.`,
    })
  },
  entries: (check, { report }) => entriesCheck(check, report),
  pattern: (check, { report }) => parts('The pattern', entriesOf(report)[check.entry ?? 0]?.text ?? '', check),
  attempt: (check, { report }) => attemptCheck(check, report),
  accepted(check, { report }) {
    const stage = check.phase === 'initial' ? 'one' : 'two'
    const found = report.passes
      .flatMap((p) => p.attempts)
      .filter((a) => a.node === check.at && a.phase === check.phase && a.ok)
    return compared(message`Stage ${stage} accepts ${count(check.count, 'pattern')} at ${check.at}`, found.length, {
      wanted: check.count,
      text: (n) => message`It accepts ${n}.`,
    })
  },
  graph: (check, { report }) => graphCheck(check, report),
  users(check, { report }) {
    const view = report.graph.nodes.find((n) => n.name === check.node)
    return compared(message`${node(check.node)} has ${count(check.count, 'user')}`, view?.users.length ?? -1, {
      wanted: check.count,
      text: (n) => message`${node(check.node)} has ${count(n, 'user')}.`,
    })
  },
  violations(check, { report }) {
    const found = report.passes.flatMap((p) => p.violations ?? [])
    return compared(message`The rewrite has ${count(check.count, 'violation')}`, found.length, {
      wanted: check.count,
      text: (n) => (found[0] ? capitalized(found[0].parts) : message`It has ${count(n, 'violation')}.`),
    })
  },
  lint(check, { report }) {
    const kinds = report.passes.flatMap((p) => p.lints ?? []).map((l) => l.kind)
    const lint = report.passes.flatMap((p) => p.lints ?? []).find((l) => l.kind === check.kind)
    if (check.absent)
      return { goal: message`There is no lint “${label(check.kind)}”`, differs: lint ? capitalized(lint.parts) : null }
    const differs = lint ? null : message`The lints are ${listed(kinds)}.`
    return { goal: message`There is the lint “${label(check.kind)}”`, differs }
  },
  raises(check, { report }) {
    const raised = report.python?.message ?? report.passes.flatMap((p) => p.applyError ?? [])[0] ?? ''
    return parts('The exception', raised, { has: check.says })
  },
  file: (check, { workspace }) =>
    parts(check.file, workspace.files.find((f) => f.name === check.file)?.text ?? '', check),
  numbers: (check, context) => numbersCheck(check, context),
  visits(check, { visits }) {
    const visited = visits?.(check.at, check.entry ?? null) ?? []
    const same = visited.join() === check.nodes.join()
    return {
      goal: message`The visits at ${check.at}`,
      differs: same ? null : message`It visits ${visited.join(', ')}.`,
    }
  },
}

export function evaluate<K extends Check['check']>(check: Of<K>, context: CheckContext): Checked {
  const evaluator = EVALUATORS[check.check as K] as ((check: Of<K>, context: CheckContext) => Checked) | undefined
  if (!evaluator) throw new Error(`there is no check ${check.check}`)
  return evaluator(check, context)
}

const label = (kind: string): string => kind.replace(/-/g, ' ')
const isAre = (n: number): string => (n === 1 ? 'is' : 'are')

const times = (n: number): string => count(n, 'time')
const nearMisses = (n: number): string => count(n, 'near miss', 'near misses')
const on = (graph: string | undefined): string => (graph === undefined ? '' : ` on ${graph}`)
const entriesOf = (report: Report) => report.passes.flatMap((p) => p.entries)
const anchors = (report: Report): string[] => report.passes.flatMap((p) => p.matches.map((m) => m.node))
const names = (all: readonly string[]): Message =>
  all.flatMap((name, i): Message => (i === 0 ? [node(name)] : [i === all.length - 1 ? ' and ' : ', ', node(name)]))

function compared(
  goal: Message,
  found: number,
  { wanted, text }: { wanted: number; text: (found: number) => Message },
): Checked {
  return { goal, differs: found === wanted ? null : text(found) }
}

function matchCount({ pass, graph }: Of<'matches'>, report: Report): number {
  const passes = report.passes.filter((p) => pass === undefined || p.name === pass)
  if (graph === undefined) return passes.reduce((n, p) => n + p.count, 0)
  const column = report.columns?.find((c) => c.graph === graph)
  return column?.fired.flat().reduce((a, b) => a + b, 0) ?? -1
}

function fires({ at, only }: Of<'fires'>, report: Report): Checked {
  const fired = anchors(report)
  const goal = message`It fires at ${names(at)}${only ? ' only' : ''}`
  const missing = at.filter((a) => !fired.includes(a))
  if (missing.length > 0) {
    const said = message`It does not fire at ${names(missing)}.`
    const other = startingElsewhere(missing, report)
    return { goal, differs: other ? message`${said} ${other}` : said }
  }
  const more = only ? fired.filter((a) => !at.includes(a)) : []
  return { goal, differs: more.length > 0 ? message`It also fires at ${names(more)}.` : null }
}

/** A match that contains one of these nodes but starts at another one, as with a pattern whose results are in another order. */
function startingElsewhere(missing: readonly string[], report: Report): Message | null {
  for (const { node: start, nodes } of report.passes.flatMap((p) => p.matches)) {
    const inside = missing.find((m) => nodes.includes(m))
    if (inside !== undefined)
      return message`${node(inside)} is in a match, but that match starts at ${node(start)}: a match starts at the first value that the search function returns.`
  }
  return null
}

/**
 * The implied goal of each exercise: the rewrite breaks no invariant of the graph. Null if it breaks none.
 * @param goals of the exercise; a goal about violations replaces this one
 */
export function brokenInvariant(goals: readonly Check[], report: Report): Checked | null {
  const found = report.passes.flatMap((p) => p.violations ?? [])[0]
  if (!found || goals.some((g) => g.check === 'violations')) return null
  return { goal: message`The rewrite breaks nothing`, differs: capitalized(found.parts) }
}

function entriesCheck(check: Of<'entries'>, report: Report): Checked {
  const entries = entriesOf(report)
  const fired = entries.filter((e) => e.fired > 0).length
  const text = (n: number, f: number | undefined): string =>
    `${count(n, 'pattern')}${f === undefined ? '' : `, of which ${f} fire${f === 1 ? 's' : ''}`}`
  const texts = new Set(entries.map((e) => e.text)).size
  if (check.texts !== undefined && texts !== check.texts)
    return { goal: message`Stage one sees ${check.texts} patterns`, differs: message`It sees ${texts}.` }
  const holds = entries.length === check.count && (check.fired === undefined || check.fired === fired)
  return {
    goal: message`The pass has ${text(check.count, check.fired)}`,
    differs: holds ? null : message`It has ${text(entries.length, fired)}.`,
  }
}

function attemptCheck({ at, phase, ok, entry, says }: Of<'attempt'>, report: Report): Checked {
  const goal = message`Stage ${phase === 'initial' ? 'one' : 'two'} at ${node(at)} ${ok ? 'matches' : 'fails'}`
  const attempt = report.passes
    .flatMap((p) => p.attempts)
    .find((a) => a.node === at && a.phase === phase && (entry === undefined || a.entry === entry))
  if (!attempt) return { goal, differs: message`It was not tried at ${node(at)}.` }
  const text = `${attempt.reason ?? ''} ${attempt.dropped ?? ''} ${attempt.pattern ?? ''}`
  const missing = (says ?? []).find((part) => !text.includes(part))
  if (attempt.ok === ok && missing === undefined) return { goal, differs: null }
  return { goal, differs: message`It ${attempt.ok ? 'matches' : 'fails'}: ${text.trim()}` }
}

function graphCheck(check: Of<'graph'>, report: Report): Checked {
  const view = check.side === 'before' ? report.graph : report.after
  const which = `The graph ${check.side} the passes`
  const nodes = view?.nodes ?? []
  const sized = message`${which} has ${count(check.nodes ?? 0, 'node')}`
  if (check.nodes !== undefined && check.nodes !== nodes.length)
    return { goal: sized, differs: message`It has ${nodes.length}.` }
  if (!check.has && !check.lacks) return { goal: sized, differs: null }
  const text = nodes.map((n) => `${n.name} = ${n.inner ?? n.target}(${n.args.join(', ')})`).join('\n')
  return parts(which, text, check)
}

function parts(what: string, text: string, { has = [], lacks = [] }: { has?: string[]; lacks?: string[] }): Checked {
  const absent = has.find((part) => !text.includes(part))
  const present = lacks.find((part) => text.includes(part))
  const wanted = [
    ...(has.length > 0 ? [`contains ${listed(has, 8)}`] : []),
    ...(lacks.length === 1 ? [`does not contain ${lacks[0]}`] : []),
    ...(lacks.length > 1 ? [`contains neither ${lacks.slice(0, -1).join(', ')} nor ${lacks.at(-1)}`] : []),
  ]
  const differs =
    absent !== undefined
      ? message`${what} does not contain ${{ code: absent }}.`
      : present !== undefined
        ? message`${what} contains ${{ code: present }}.`
        : null
  return { goal: message`${what} ${wanted.join(' and ')}`, differs }
}

function numbersCheck({ is, exactly }: Of<'numbers'>, { numbers }: CheckContext): Checked {
  const goal = message`The values stay ${is === 'equal' ? 'equal, bit for bit' : is}`
  if (!numbers) return { goal, differs: message`The values have not been compared yet.`, pending: true }
  const holds = numbers.kind === is || (is === 'close' && !exactly && numbers.kind === 'equal')
  return { goal, differs: holds ? null : [numbers.sentence] }
}

function causeCheck({ kind, at, says }: Of<'cause'>, report: Report): Checked {
  const cause = at === undefined ? firstCause(report)?.cause : causeAt(report, at)
  const goal = message`The cause${at === undefined ? '' : ` at ${at}`} is ${kind}`
  if (!cause) return { goal, differs: message`There is no cause.` }
  const missing = (says ?? []).find((part) => !cause.sentence.includes(part))
  if (cause.kind === kind && missing === undefined) return { goal, differs: null }
  return { goal, differs: message`It is ${cause.kind}: ${cause.sentence}` }
}

function causeAt(report: Report, at: string): Cause | undefined {
  for (const pass of report.passes)
    for (const miss of pass.nearMisses) if (miss.anchors.includes(at)) return miss.causes[0]
  return undefined
}
