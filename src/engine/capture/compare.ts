/** Compares every pass of a capture with PyTorch's verdict, without Python. */
import type { Problem } from '../../base/result'
import { createTracer } from '../../trace'
import { replay } from './replay'
import { runsOf } from './runs'
import type { Capture } from './records'
import type { PyTorchVerdict } from './report_types'

export interface ComparedPass {
  pass: string
  entries: number
  pytorch: PyTorchVerdict
  /** The engine's number of matches. */
  ours: number
  oursError: string | null
  agree: boolean
}

export interface ComparedRun {
  run: number
  compile: string | null
  nodes: number
  passes: ComparedPass[]
  problems: Problem[]
}

/** @param only a run; null: all */
export function compareCapture(capture: Capture, only: number | null = null): ComparedRun[] {
  return runsOf(capture)
    .filter(({ run }) => only === null || run === only)
    .map(({ run, compile, nodes }) => {
      const tracer = createTracer()
      const schemaOf = (target: string) => tracer.schemaOf(target)
      const { pipeline, verdicts, problems } = replay(capture, run, { tracer, schemaOf, detail: 'attempts' })
      const passes = pipeline.passes.map((p, i): ComparedPass => {
        const pytorch = verdicts[i]!
        return {
          pass: p.key,
          entries: p.toExplain.entries.length,
          pytorch,
          ours: p.count,
          oursError: p.toExplain.applyError,
          agree: pytorch.differences.length === 0,
        }
      })
      return { run, compile, nodes, passes, problems }
    })
}
