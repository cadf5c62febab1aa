/** The result of the last GPU run as a link carries it. */
import { plainText } from '../../../base/message'
import type { RunReport, SideReport } from '../../../gpu/types'
import type { CarriedRun } from '../../../workspace/carried'
import { codesOf, deviceLine, share, shapeOf, time, timingText } from './run_text'
import { isOf } from '../../session/section'
import { useWorkspace } from '../../session/workspace_store'
import { useGpu } from './store'

/** Undefined if the workspace has no result for its current text. */
export function carriedRun(): CarriedRun | undefined {
  const { report } = useGpu.getState()
  return isOf(report, useWorkspace.getState().version) ? carried(report.value!) : undefined
}

function carried(report: RunReport): CarriedRun {
  const { title, verdict, outputs, unfused, fused, problems } = report
  const text = timingText(report)
  const side = (name: string, s: SideReport | null): string[] =>
    s?.time ? [`${name}: ${time(s.time.median)}, ${s.launches} launches`] : []
  return {
    title,
    good: verdict.kind === 'equal' || verdict.kind === 'close',
    kind: verdict.kind,
    headline: verdict.headline,
    parts: verdict.parts,
    lines: [
      ...verdict.causes
        .filter((c) => !verdict.named.includes(c.id))
        .map((c) => `The fused kernel ${c.text} (${c.proven ? 'proven' : 'possible'})`),
      ...problems,
      ...outputs.map((o) => `${o.unfused}, ${shapeOf(o)}: ${share(o.pair)} ${codesOf(o)} differ`),
      ...side('Unfused', unfused),
      ...side('Fused', fused),
      ...(text ? [`${text.headline}; ${text.bytes}`] : []),
      deviceLine(report),
    ],
  }
}

/** `Close: …` as plain text. */
export const runSentence = ({ headline, parts }: CarriedRun): string =>
  `${headline === null ? '' : `${headline}: `}${plainText(parts)}`
