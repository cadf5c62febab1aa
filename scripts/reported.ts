/** Reads the reported failures (conformance/reported) as the gallery lists them: public/reported.json. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ReportedFailure } from '../src/app/features/gallery/reported'
import { root } from './lib.mjs'

const read = (path: string): string => readFileSync(join(root, 'conformance/reported', path), 'utf8')

export const reportedFailures = (): ReportedFailure[] =>
  (JSON.parse(read('reported.json')) as ReportedFailure[]).map(({ id, thread, symptom, truth, environment }) => ({
    id,
    thread,
    symptom,
    truth,
    ...(environment && { environment }),
    graph: read(`cases/${id}/graph.py`),
    pattern: read(`cases/${id}/pattern.py`),
  }))
