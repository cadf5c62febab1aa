/** Imports dropped, opened or pasted files. Replaced content can be restored by undo. */
import { encodingOf, MAX_FILES, MAX_GRAPHS, type TextFile } from '../../../workspace'
import { sniff } from './sniff'
import { count } from '../../../base/english'
import { useView } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { fitting, pythonFilesOf } from './folder'
import { messageOf } from '../../../base/error_message'
import { openSnapshotText } from '../share/share'

/** Imports one text. Returns its detected kind. */
export async function take(text: string, name: string): Promise<void> {
  const { toast } = useView.getState()
  const dropped = sniff(text, name)
  const store = useWorkspace.getState()
  switch (dropped.kind) {
    case 'unusable':
      toast(dropped.message, { tone: 'bad' })
      return
    case 'snapshot':
      await openSnapshotText(text, name)
      return
    case 'kernel':
    case 'python': {
      const file = dropped.kind === 'kernel' ? `${safe(name.replace(/\.\w+$/, ''))}.wgsl` : pythonName(name)
      const before = store.workspace
      const existing = before.files.find((f) => f.name === file)
      if (existing && existing.text.trim() === '') {
        store.setText(file, text)
        store.open(file)
      } else if (before.files.length >= MAX_FILES)
        toast(`${name} was not added: a workspace holds at most ${MAX_FILES} files.`, { tone: 'bad' })
      else {
        const added = store.addFile(file, text)
        toast(`${added} added to the ${dropped.kind === 'kernel' ? 'files' : 'Python files'}.`, {
          action: { label: 'Undo', run: () => void useWorkspace.getState().deleteFile(added) },
        })
      }
      return
    }
    case 'graph': {
      const before = store.workspace
      const { graph, graphs } = before
      const { openFile } = store
      if (graphs) return takeGraphs([{ name, text }])
      store.setGraph({ name: graphName(name), text })
      useView.getState().select(null)
      if (graph.text.trim() !== '')
        toast(`${name} replaced the graph.`, {
          action: {
            label: 'Undo',
            run: () => {
              useWorkspace.getState().restoreGraphs(before, openFile)
            },
          },
        })
    }
  }
}

/** Adds graphs to the existing ones, as one change. */
function takeGraphs(files: readonly TextFile[]): void {
  const { workspace, openFile, addGraphs } = useWorkspace.getState()
  const room = MAX_GRAPHS - (workspace.graphs?.length ?? 0)
  const taken = files.slice(0, room)
  if (taken.length > 0) addGraphs(taken.map(({ name, text }) => ({ name: graphName(name), text })))
  useView.getState().select(null)
  const left = files.length - taken.length
  useView
    .getState()
    .toast(
      `${count(taken.length, 'graph')} added beside the others${left > 0 ? `; ${left} more than a workspace holds` : ''}.`,
      { action: { label: 'Undo', run: () => useWorkspace.getState().restoreGraphs(workspace, openFile) } },
    )
}

/** Adds the Python files of a dropped folder under their paths, as one change. */
export async function takeFolder(folder: FileSystemDirectoryEntry): Promise<void> {
  const { toast } = useView.getState()
  try {
    const { files, left, others } = await pythonFilesOf(folder)
    if (files.length === 0) return toast(`${folder.name} contains no Python files.`, { tone: 'bad' })
    const read = await Promise.all(
      files.map(async ({ path, file }) => ({ name: pathName(path), text: await textOf(file) })),
    )
    const { workspace, openFile, putFiles } = useWorkspace.getState()
    const taken = fitting(read, workspace.files)
    if (taken.length > 0) putFiles(taken)
    const more = left + read.length - taken.length
    const rest = [
      ...(more > 0 ? [`${more} more than a workspace holds`] : []),
      ...(others > 0 ? [`${others} that are not Python`] : []),
    ]
    toast(
      `${count(taken.length, 'file')} of ${folder.name} added${rest.length > 0 ? `; left out: ${rest.join(', ')}` : ''}.`,
      { action: { label: 'Undo', run: () => useWorkspace.getState().restoreFiles(workspace.files, openFile) } },
    )
  } catch (e) {
    toast(`${folder.name} could not be read: ${messageOf(e)}`, { tone: 'bad' })
  }
}

/** Reads files as text; reports files that are not text. Several graphs are added side by side. */
export async function takeFiles(files: Iterable<File>): Promise<void> {
  const read: TextFile[] = []
  for (const file of files)
    try {
      read.push({ name: file.name, text: await textOf(file) })
    } catch (e) {
      useView.getState().toast(`${file.name} could not be read: ${messageOf(e)}`, { tone: 'bad' })
    }
  const graphs = read.filter((f) => sniff(f.text, f.name).kind === 'graph')
  const several = graphs.length > 1
  if (several) takeGraphs(graphs)
  for (const f of read) if (!several || !graphs.includes(f)) await take(f.text, f.name)
}

async function textOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return new TextDecoder(encodingOf(bytes)).decode(bytes)
}

const pathName = (path: string): string => path.split('/').map(safe).join('/')
const safe = (name: string): string => name.replace(/[^\w.-]+/g, '_') || 'file'
const pythonName = (name: string): string =>
  /\.py$/i.test(name) ? safe(name) : `${safe(name.replace(/\.\w+$/, ''))}.py`
/** The graph's tab keeps the file's own name. */
const graphName = (name: string): string => safe(name)
