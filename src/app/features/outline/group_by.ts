/** The criteria that the outline offers: what the graph can be grouped by, and why the others are unavailable. */
import type { GraphView, Report } from '../../../engine/protocol'
import { GROUP_BY, type GroupBy } from '../../../workspace/types'
import { groupedBy } from '../../fold/group_by'

export const GROUP_LABELS: Readonly<Record<GroupBy, string>> = {
  layer: 'Layers',
  module: 'Modules',
  line: 'Source lines',
  match: 'Matches',
  pattern: 'Patterns',
}

/** Completes "not in this graph: …". */
const MISSING: Readonly<Record<GroupBy, string>> = {
  layer: 'nothing repeats',
  module: 'the dump names no modules',
  line: 'the dump has no source lines',
  match: 'no match of two nodes',
  pattern: 'no match of two nodes',
}

export interface Criterion {
  by: GroupBy
  /** `Modules`; `Modules (the dump names no modules)`. */
  label: string
  disabled: boolean
}

/** @param by the chosen criterion, which is never disabled */
export const criteriaFor = (graph: GraphView | null, report: Report | null, by: GroupBy): Criterion[] =>
  GROUP_BY.map((one) => {
    const possible = graph !== null && groupedBy(one, graph, report) !== null
    const label = possible ? GROUP_LABELS[one] : `${GROUP_LABELS[one]} (${MISSING[one]})`
    return { by: one, label, disabled: !possible && one !== by }
  })

/** The text in place of an empty outline. */
export const emptyText = (by: GroupBy): string =>
  by === 'layer' ? 'Nothing repeats in this graph.' : `${GROUP_LABELS[by]}: ${MISSING[by]}.`
