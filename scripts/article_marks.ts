/** Checks the marks of articles: each names its basis, which is a claim of its step, a recording of PyTorch, or a sentence. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Check, LessonFile, Mark } from '../src/engine/lessons/catalog'
import { root } from './lib.mjs'

/** @throws Error for a mark without a basis, or an article without a source */
export function checkArticle(id: string, file: LessonFile): void {
  if (file.kind === 'article' && !file.source) throw new Error(`${id}: an article names its source`)
  for (const step of file.steps) for (const mark of step.marks ?? []) checkMark(`${id}/${step.id}`, mark, step.claims)
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const recordings = new Map<string, string>()

function checkMark(where: string, mark: Mark, claims: readonly Check[] = []): void {
  const { is, claim, seen, recording } = mark
  if (is !== 'confirmed' && !seen) throw new Error(`${where}: “${claim}” ${is}, and the mark does not say what is seen`)
  if (is === 'confirmed' && (!recording || claims.length === 0))
    throw new Error(`${where}: “${claim}” is confirmed without a recording and a claim of the step`)
  if (!recording) return
  const path = join(root, 'conformance', recording.file)
  if (!recordings.has(path)) recordings.set(path, readFileSync(path, 'utf8'))
  if (recording.id && !new RegExp(`"id": ?"${escaped(recording.id)}"`).test(recordings.get(path)!))
    throw new Error(`${where}: conformance/${recording.file} has no case ${recording.id}`)
}

/** The number of claims by outcome. */
export function marksOf(file: LessonFile): Record<Mark['is'], number> {
  const counts = { confirmed: 0, differs: 0, 'not-confirmed': 0 }
  for (const { is } of file.steps.flatMap((s) => s.marks ?? [])) counts[is]++
  return counts
}
