/** Merges later results into a report: explanations, fixes, graph columns. */
import { withFields } from '../../base/lazy_field'
import type { PipelineStage } from '../pipeline/types'
import type { Cause, FixesFound, GraphColumn, PassExplained, PassReport, Report } from '../protocol'

/** A pass's report with its explanation. */
export function withExplained(report: PassReport, found: PassExplained): PassReport {
  const { pass: _pass, ...rest } = found
  return withFields(report, { ...rest, explained: true })
}

/** The report with each fix at its cause. */
export function withFixes<
  R extends Pick<Report, 'causes' | 'passes'> & { pipeline?: { stages: readonly PipelineStage[] } | null },
>(report: R, found: FixesFound): R {
  const { pass, miss, cause, lint, stage, fixes, tried } = found
  if (stage !== undefined) {
    const stages = report.pipeline?.stages.map((s) => (s.at === stage ? withStageFixes(s, found) : s))
    return stages ? { ...report, pipeline: { ...report.pipeline!, stages } } : report
  }
  const withFix = (c: Cause): Cause => ({ ...c, fixes, ...(tried.length > 0 && { tried }) })
  const at = (causes: readonly Cause[] = []): Cause[] => causes.map((c, i) => (i === cause ? withFix(c) : c))
  if (pass === null) return { ...report, causes: at(report.causes) }
  const within = (p: PassReport): PassReport =>
    lint !== undefined
      ? withFields(p, { lints: (p.lints ?? []).map((l, i) => (i === lint ? { ...l, fixes } : l)) })
      : miss === null
        ? withFields(p, { causes: at(p.causes) })
        : withFields(p, {
            nearMisses: p.nearMisses.map((m) => (m.index === miss ? { ...m, causes: at(m.causes) } : m)),
          })
  return { ...report, passes: report.passes.map((p, i) => (i === pass ? within(p) : p)) }
}

function withStageFixes(stage: PipelineStage, { cause, fixes, tried }: FixesFound): PipelineStage {
  const conditions = stage.did?.conditions?.map((c, i) =>
    i === cause ? { ...c, fixes, ...(tried.length > 0 && { tried }) } : c,
  )
  return conditions ? { ...stage, did: { ...stage.did!, conditions } } : stage
}

/** The report with one graph's column, which replaces an earlier column of that graph. */
export function withColumn<R extends Pick<Report, 'columns'>>(report: R, found: GraphColumn): R {
  const columns = report.columns ?? []
  const known = columns.some((c) => c.graph === found.graph)
  return {
    ...report,
    columns: known ? columns.map((c) => (c.graph === found.graph ? found : c)) : [...columns, found],
  }
}
