/**
 * Lint `range-unchecked`: a pattern fires in a compile range that a pass with the same pattern rejects, as its
 * is_applicable_for_range is asked for that pass alone. Two compilers often register one fusion each.
 */
import { code, message, worded } from '../../base/message'
import type { Lint } from '../../explain/lints/types'
import { withoutNames } from '../report/duplicates'
import type { ReportedPass } from '../report/pass_report'
import type { Run } from '../run/run'
import { answerText } from '../switches/reason_text'

export function refusedTwins(run: Run, { toExplain, matches }: ReportedPass): Lint[] {
  const { registry } = run.registrations
  const refused = run.pipeline.plan.inactive.flatMap(({ name, stage }) => {
    if (!stage || 'builtIn' in stage) return []
    const { passId, refused: answer } = stage.defined
    if (passId === null || !answer) return []
    return registry.pass(passId).entries.map((e) => ({ name, answer, text: withoutNames(e.text) }))
  })
  if (refused.length === 0) return []
  return toExplain.entries.flatMap((entry): Lint[] => {
    const fired = matches.filter((m) => m.entry === entry.index)
    const twin = fired.length > 0 ? refused.find((r) => r.text === withoutNames(entry.text)) : undefined
    if (!twin) return []
    return [
      {
        kind: 'range-unchecked',
        entry: entry.index,
        times: fired.length,
        graphNode: fired[0]!.node,
        argument: null,
        source: entry.registration.source,
        ...worded(
          message`fires in a compile range that ${code(twin.name)}, which has the same pattern, rejects: ${answerText(twin.answer)}; nothing asks it here, and an extra_check can`,
        ),
      },
    ]
  })
}
