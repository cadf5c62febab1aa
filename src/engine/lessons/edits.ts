/** Edits of a lesson's files: solutions and typical wrong answers. */
import type { Workspace } from '../../workspace/types'
import type { LessonEdit } from './catalog'

/** @throws Error if a text to find does not occur exactly once */
export function withEdits(workspace: Workspace, edits: readonly LessonEdit[]): Workspace {
  const files = [...workspace.files]
  let { graph } = workspace
  for (const { file, find, replace } of edits) {
    const at = files.findIndex((f) => f.name === file)
    const text = at < 0 ? (graph.name === file ? graph.text : null) : files[at]!.text
    const parts = text?.split(find) ?? []
    if (parts.length !== 2) throw new Error(`“${find}” occurs ${Math.max(0, parts.length - 1)} times in ${file}`)
    const changed = { name: file, text: parts.join(replace) }
    if (at < 0) graph = changed
    else files[at] = changed
  }
  return { ...workspace, graph, files }
}
