/** Imports dropped, opened or pasted files. Replaced content can be restored by undo. */
import { dumpOfText, type Dump, type DumpGraph } from '../../../engine/dumps'
import { MAX_FILES, withRegistrations, type TextFile } from '../../../workspace'
import { sniff } from './sniff'
import { count } from '../../../base/english'
import { useView } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { filesOf, fitting } from './folder'
import { addGraphs, offerDump, offerText, safe } from './place_graphs'
import { readFile } from './read_file'
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
      const code = dropped.kind === 'python' ? (withRegistrations(text) ?? text) : text
      const before = store.workspace
      const existing = before.files.find((f) => f.name === file)
      if (existing && existing.text.trim() === '') {
        store.setText(file, code)
        store.open(file)
      } else if (before.files.length >= MAX_FILES)
        toast(`${name} was not added: a workspace holds at most ${MAX_FILES} files.`, { tone: 'bad' })
      else {
        const added = store.addFile(file, code)
        toast(`${added} added to the ${dropped.kind === 'kernel' ? 'files' : 'Python files'}.`, {
          action: { label: 'Undo', run: () => void useWorkspace.getState().deleteFile(added) },
        })
      }
      return
    }
    case 'graph':
      offerText(text, name)
  }
}

/** Adds the Python files of a dropped folder under their paths, as one change, and offers the graphs of its dumps. */
export async function takeFolder(folder: FileSystemDirectoryEntry): Promise<void> {
  const { toast } = useView.getState()
  try {
    const { files, left, dumps, others } = await filesOf(folder)
    const python: TextFile[] = []
    const graphs: DumpGraph[] = []
    for (const { path, file } of [...files, ...dumps]) {
      const read = await readFile(file)
      if (typeof read === 'string' && path.endsWith('.py') && sniff(read, path).kind === 'python')
        python.push({ name: pathName(path), text: read })
      else graphs.push(...graphsIn(read, path.slice(folder.name.length + 1)))
    }
    if (python.length > 0) addPython(python, folder.name, { left, others: others + dumps.length })
    if (graphs.length > 0) offerDump({ kind: 'text', graphs, best: 0, problems: [] }, folder.name)
    else if (python.length === 0) toast(`${folder.name} contains no Python files and no graphs.`, { tone: 'bad' })
  } catch (e) {
    toast(`${folder.name} could not be read: ${messageOf(e)}`, { tone: 'bad' })
  }
}

function addPython(
  python: readonly TextFile[],
  name: string,
  { left, others }: { left: number; others: number },
): void {
  const { workspace, openFile, putFiles } = useWorkspace.getState()
  const taken = fitting(python, workspace.files)
  if (taken.length > 0) putFiles(taken)
  const more = left + python.length - taken.length
  const rest = [
    ...(more > 0 ? [`${more} more than a workspace holds`] : []),
    ...(others > 0 ? [`${others} that are not Python`] : []),
  ]
  useView
    .getState()
    .toast(
      `${count(taken.length, 'file')} of ${name} added${rest.length > 0 ? `; left out: ${rest.join(', ')}` : ''}.`,
      {
        action: { label: 'Undo', run: () => useWorkspace.getState().restoreFiles(workspace.files, openFile) },
      },
    )
}

/** The graphs of one of several files, under its name. */
function graphsIn(read: string | Dump, path: string): DumpGraph[] {
  const dump = typeof read === 'string' ? dumpOfText(read, path) : read
  if (dump.problems.length > 0 || dump.graphs.length === 0) return []
  if (dump.graphs.length === 1) return [{ ...dump.graphs[0]!, group: null, title: path }]
  return dump.graphs.map((g) => ({ ...g, group: g.group === null ? path : `${path} ${g.group}` }))
}

/** Reads files; reports those that cannot be read. Several graphs are added side by side. */
export async function takeFiles(files: Iterable<File>): Promise<void> {
  const texts: TextFile[] = []
  const dumps: { name: string; dump: Dump }[] = []
  for (const file of files)
    try {
      const read = await readFile(file)
      if (typeof read === 'string') texts.push({ name: file.name, text: read })
      else dumps.push({ name: file.name, dump: read })
    } catch (e) {
      useView.getState().toast(`${file.name} could not be read: ${messageOf(e)}`, { tone: 'bad' })
    }
  const graphs = texts.filter((f) => sniff(f.text, f.name).kind === 'graph')
  for (const f of texts) if (!graphs.includes(f)) await take(f.text, f.name)
  if (graphs.length + dumps.length < 2) {
    for (const f of graphs) offerText(f.text, f.name)
    for (const { name, dump } of dumps) offerDump(dump, name)
    return
  }
  const read = [...graphs.map((f) => graphsIn(f.text, f.name)), ...dumps.map((d) => graphsIn(d.dump, d.name))]
  const all = read.flat()
  // One graph a file: the person has chosen already.
  if (read.every((r) => r.length === 1)) addGraphs(all.map((g) => ({ name: safe(g.title), text: g.text })))
  else offerDump({ kind: 'text', graphs: all, best: 0, problems: [] }, count(read.length, 'file'))
}

const pathName = (path: string): string => path.split('/').map(safe).join('/')
const pythonName = (name: string): string =>
  /\.py$/i.test(name) ? safe(name) : `${safe(name.replace(/\.\w+$/, ''))}.py`
