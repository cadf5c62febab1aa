/** The result of a check as JUnit XML, a test case for each pass on each graph, and as Markdown for a pull request. */
import { markdownText, xmlText } from '../../base/escapes'
import type { ComparedTable } from '../../engine/table/table'
import { visible } from '../output'
import type { Checked, Loss } from './checked'
import { gainText, headline, lossText, passText } from './check_lines'
import { countsIn, keyOf } from './counts'

/** @param before the baseline */
export function junitText(checked: Checked, before: ComparedTable): string {
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

export function markdownReport(checked: Checked): string {
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
