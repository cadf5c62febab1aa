/** `fusescope baseline` and `fusescope check`: passes that no longer match as in the baseline, and why. */
import { closeSync, writeFileSync } from 'node:fs'
import { tableRows, type ComparedTable } from '../../engine/table/table'
import { formatProblem } from '../../fx'
import { openToWrite, pathOf, readText, unwritable } from '../input'
import { bad, show, writeDocument, visible } from '../output'
import { DONE, UNMET } from '../status'
import { countTable } from '../table/table'
import { readTableInput, type TableInput } from '../table/table_input'
import { runBatch } from '../threads/batch'
import type { BatchOptions } from '../threads/shard'
import type { BaselineCommand, CheckCommand } from './baseline_args'
import { readBaseline, baselineText } from './baseline_text'
import { whyTask, type WhyTask } from './why'
import { markdownText, xmlText } from '../../base/escapes'
import { countsIn, keyOf, type PassCount } from './counts'
import { count } from '../../base/english'

/** `fusescope baseline`: the counts that `fusescope check` compares with. */
async function baselineCommand(command: BaselineCommand & BatchOptions): Promise<number> {
  const input = readTableInput(command)
  const counted = typeof input === 'string' ? input : await countTable(input, command)
  if (typeof counted === 'string') return bad(counted)
  writeDocument(baselineText({ graphs: counted.graphs, rows: tableRows(counted.results) }))
  return DONE
}

export const guardCommand = (command: (BaselineCommand | CheckCommand) & BatchOptions): Promise<number> =>
  command.kind === 'baseline' ? baselineCommand(command) : checkCommand(command)

/** Exit status 1: something is lost. */
async function checkCommand(command: CheckCommand & BatchOptions): Promise<number> {
  const text = readText(command.baseline, 'what fusescope baseline wrote')
  const before = text.ok ? readBaseline(command.baseline, text.value) : text
  if (!before.ok) return bad(formatProblem(before.error))
  const input = readTableInput(command)
  const counted = typeof input === 'string' ? input : await countTable(input, command)
  if (typeof counted === 'string' || typeof input === 'string') return bad(String(counted))
  const after = { graphs: counted.graphs, rows: tableRows(counted.results) }
  const checked = compared(before.value, after)
  const why = await explainLosses(checked.lost, input, command)
  if (why !== null) return bad(why)
  show(1, checkLines(checked))
  for (const [file, made] of [
    [command.junit, () => junitText(checked, before.value)],
    [command.markdown, () => markdownReport(checked)],
  ] as const) {
    const problem = file === null ? null : written(file, made())
    if (problem !== null) return bad(problem)
  }
  return isLoss(checked) ? UNMET : DONE
}

/** Adds reasons to passes that match less. A string: the problem. */
function explainLosses(lost: Loss[], { folders, graphs }: TableInput, command: CheckCommand & BatchOptions) {
  const missing = lost.filter((l) => l.failure === null)
  const tasks = missing.map((l): WhyTask => ({
    folder: folders.find((f) => f.name === l.folder)!,
    graph: graphs.find((g) => g.name === l.graph)!,
    pass: l.pass,
  }))
  const options = { calls: command.calls }
  return runBatch(
    { name: 'why', options, task: whyTask(options), isAnswer: isLines },
    tasks,
    { timeoutS: command.timeoutS },
    (why, i) => {
      missing[i]!.why = why instanceof Error ? [why.message] : why
    },
  )
}

const isLines = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((line) => typeof line === 'string')

function written(file: string, text: string): string | null {
  try {
    const opened = openToWrite(pathOf(file), 'w')
    writeFileSync(opened, text)
    closeSync(opened)
    return null
  } catch (e) {
    return `${file}: ${unwritable(e)}.`
  }
}

/**
 * JUnit XML: a test case for each pass on each graph.
 * @param before the baseline
 */
function junitText(checked: Checked, before: ComparedTable): string {
  const losses = new Map(checked.lost.map((l) => [keyOf(l), l]))
  const cases = [
    ...[...countsIn(before).values()].map((c) => caseText(c.graph, passText(c), losses.get(keyOf(c)))),
    ...checked.missing.map((sentence) => failedCase('baseline', sentence, sentence, [])),
  ]
  const failures = checked.lost.length + checked.missing.length
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
<testsuite name="fusescope check" tests="${cases.length}" failures="${failures}">
${cases.join('')}</testsuite>
</testsuites>
`
}

const caseText = (graph: string, name: string, loss: Loss | undefined): string =>
  loss
    ? failedCase(graph, name, lossText(loss), loss.why)
    : `<testcase classname="${plainXml(graph)}" name="${plainXml(name)}"/>\n`

const failedCase = (graph: string, name: string, message: string, why: readonly string[]): string =>
  `<testcase classname="${plainXml(graph)}" name="${plainXml(name)}"><failure message="${plainXml(message)}">${why.map(plainXml).join('\n')}</failure></testcase>\n`

const plainXml = (text: string): string => xmlText(visible(text))

/** Markdown for a pull request. */
function markdownReport(checked: Checked): string {
  const cell = (text: string): string => markdownText(visible(text))
  const rows = [
    ...checked.missing.map((m) => ['', '', cell(m)]),
    ...checked.lost.map((l) => [cell(passText(l)), cell(l.graph), [lossText(l), ...l.why].map(cell).join('<br>')]),
    ...checked.gained.map((c) => [cell(passText(c)), cell(c.graph), cell(gainText(c))]),
    ...checked.newGraphs.map((g) => ['', cell(g), 'new graph']),
  ]
  const table = rows.length === 0 ? [] : ['', '| pass | graph | change |', '| --- | --- | --- |', ...rows.map(rowText)]
  return `${[`**fusescope check.** ${cell(headline(checked))}`, ...table].join('\n')}\n`
}

const rowText = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** The result of a check as lines for a terminal. */
function checkLines(checked: Checked): string[] {
  const { lost, gained, missing, newGraphs } = checked
  const more = [...gained.map((c) => `  ${placeText(c)}: ${gainText(c)}`), ...newGraphs.map((g) => `  graph ${g}: new`)]
  return [
    headline(checked),
    ...missing.map((m) => `  ${m}`),
    ...lost.flatMap((l) => [`  ${placeText(l)}: ${lossText(l)}`, ...l.why.map((w) => `      ${w}`)]),
    ...(more.length > 0 ? ['Not in the baseline; write it again to take it in:', ...more] : []),
  ]
}

function headline(checked: Checked): string {
  const { lost, missing } = checked
  const counts = `${count(checked.compared, 'count')} of the baseline`
  if (!isLoss(checked)) return `Nothing is lost: ${counts} ${checked.compared === 1 ? 'holds' : 'hold'}.`
  const absent = missing.length > 0 ? `; ${count(missing.length, 'input is', 'inputs are')} missing` : ''
  return `Lost: ${lost.length} of ${counts}${absent}.`
}

/** The name of a pass, with its folder. */
const passText = ({ folder, pass }: Pick<Change, 'folder' | 'pass'>): string =>
  pass === null ? folder : `${folder} ${pass}`

const placeText = (c: Change): string => `${passText(c)} on ${c.graph}`

const matches = (n: number | null | undefined): string => (n == null ? 'an error' : count(n, 'match', 'matches'))

/** `32 → 0 matches`, or the failure. */
const lossText = ({ before, count: now, failure }: Loss): string =>
  failure === null ? `${before} → ${matches(now)}` : `${matches(before)} before; ${failure}`

/** `new, 2 matches`, `1 → 2 matches`. */
const gainText = ({ before, count: now }: Change): string =>
  before === undefined ? `new, ${matches(now)}` : `${before ?? 'an error'} → ${matches(now)}`

/** The result of a check: the baseline's counts compared with the current ones. */
interface Checked {
  /** Number of counts of the baseline. */
  compared: number
  lost: Loss[]
  /** More matches, new passes, passes that run again. */
  gained: Change[]
  /** Graphs and folders of the baseline that were not given, one sentence each. */
  missing: string[]
  /** Graphs that the baseline does not have. */
  newGraphs: string[]
}

/** `before`: undefined if the baseline has no such pass on the graph; null if it raised there. */
interface Change extends PassCount {
  before: number | null | undefined
}

/** A pass that matches less often, raises, or is gone. */
interface Loss extends Change {
  /** First lines of `explain`. */
  why: readonly string[]
}

const isLoss = ({ lost, missing }: Checked): boolean => lost.length + missing.length > 0

/** The same without reasons. */
function compared(before: ComparedTable, after: ComparedTable): Checked {
  const [earlier, now] = [countsIn(before), countsIn(after)]
  const folders = new Set(after.rows.map((r) => r.folder))
  const [given, known] = [new Set(after.graphs), new Set(before.graphs)]
  const lost: Loss[] = []
  for (const was of earlier.values()) {
    if (!given.has(was.graph) || !folders.has(was.folder)) continue
    const is = now.get(keyOf(was)) ?? gone(was)
    const loses =
      was.count !== null && (is.count === null ? is.failure !== GONE || was.count > 0 : is.count < was.count)
    if (loses) lost.push({ ...is, before: was.count, why: [] })
  }
  return {
    compared: earlier.size,
    lost,
    gained: [...now.values()].flatMap((is): Change[] => {
      const was = earlier.get(keyOf(is))
      const gains = is.count !== null && (was === undefined ? known.has(is.graph) : is.count > (was.count ?? -1))
      return gains ? [{ ...is, before: was?.count }] : []
    }),
    missing: [
      ...before.graphs.filter((g) => !given.has(g)).map((g) => `The graph ${g} of the baseline was not given.`),
      ...[...new Set(before.rows.map((r) => r.folder))]
        .filter((f) => !folders.has(f))
        .map((f) => `The passes ${f} of the baseline were not given.`),
    ],
    newGraphs: after.graphs.filter((g) => !known.has(g)),
  }
}

const GONE = 'no pass of this name counts matches on this graph any more'
const gone = ({ folder, pass, graph }: PassCount): PassCount => ({ folder, pass, graph, count: null, failure: GONE })
