/** Puts dropped folders into the workspace or into a new one: their Python files under their paths, and their graphs. */
import { count, listed } from '../../../base/english'
import { messageOf } from '../../../base/error_message'
import { shownGraph, withGraphs } from '../../../workspace/graphs'
import { draftNow } from '../../session/autosave'
import { keepVersion } from '../../session/saver'
import { openOwn } from '../../session/open_workspace'
import { toast, toastUndo } from '../../session/view_store'
import { EMPTY_WORKSPACE, useWorkspace } from '../../session/workspace_store'
import { fitting, readFolder } from '../../files/folder'
import { lessonInFolder, playLessonFiles } from '../lessons/own/open_files'
import { offerDump } from './place_graphs'
import { takeCaptures } from './take_capture'
import { ask, type FolderContent } from '../../files/question'

/** Reads folders. If Python files are open, asks what happens to them. */
export async function takeFolders(folders: readonly FileSystemDirectoryEntry[]): Promise<void> {
  const contents: FolderContent[] = []
  for (const folder of folders)
    try {
      const lesson = await lessonInFolder(folder)
      if (lesson) await playLessonFiles(lesson, folder.name)
      else contents.push(await readFolder(folder))
    } catch (e) {
      toast(`${folder.name} could not be read: ${messageOf(e)}`, { tone: 'bad' })
    }
  if (contents.length > 0) placeFolder(together(contents))
}

const together = (folders: readonly FolderContent[]): FolderContent => ({
  name: listed(folders.map((f) => f.name)),
  python: folders.flatMap((f) => f.python),
  graphs: folders.flatMap((f) => f.graphs),
  captures: folders.flatMap((f) => f.captures),
  left: folders.reduce((n, f) => n + f.left, 0),
  others: folders.reduce((n, f) => n + f.others, 0),
})

function placeFolder(folder: FolderContent): void {
  const { name, python, graphs, captures } = folder
  const open = useWorkspace.getState().workspace.files.some((f) => f.text.trim() !== '')
  if (python.length > 0 && open) ask({ kind: 'folder', folder })
  else if (python.length > 0) joinWorkspace(folder)
  else if (captures.length > 0) void takeCaptures(captures)
  else if (graphs.length > 0) offerGraphs(folder)
  else toast(`${name} contains no Python files and no graphs.`, { tone: 'bad' })
}

function offerGraphs({ name, graphs }: FolderContent): void {
  if (graphs.length > 0) offerDump({ kind: 'text', graphs: [...graphs], best: 0, problems: [] }, name)
}

/** Adds the Python files to the open workspace as one change, and offers the graphs. */
export function joinWorkspace(folder: FolderContent): void {
  const { workspace, openFile, origin, putFiles } = useWorkspace.getState()
  const taken = fitting(folder.python, workspace.files)
  void keepVersion(origin, draftNow(), { kind: 'before', what: `${folder.name} joined` })
  if (taken.length > 0) putFiles(taken)
  toastUndo(addedText(folder, taken.length), () => useWorkspace.getState().restoreFiles(workspace.files, openFile))
  offerGraphs(folder)
}

/** Opens a workspace of the folder's files. @param keep with the graph on screen */
export function openFolder(folder: FolderContent, keep: boolean): void {
  const { workspace } = useWorkspace.getState()
  const files = fitting(folder.python, [])
  const empty = { ...EMPTY_WORKSPACE, name: folder.name, files }
  const undo = openOwn({ workspace: keep ? withGraphs(empty, [shownGraph(workspace)], 0) : empty })
  toastUndo(addedText(folder, files.length), undo)
  offerGraphs(folder)
}

function addedText({ name, python, left, others }: FolderContent, taken: number): string {
  const more = left + python.length - taken
  const rest = [
    ...(more > 0 ? [`${more} more than a workspace holds`] : []),
    ...(others > 0 ? [`${others} without Python or a graph`] : []),
  ]
  return `${count(taken, 'file')} of ${name} added${rest.length > 0 ? `; left out: ${rest.join(', ')}` : ''}.`
}
