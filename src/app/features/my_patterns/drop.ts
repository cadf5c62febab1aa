/** Puts files and folders into the user's patterns, and their graphs into the table. */
import { trying } from '../../session/saver'
import { count, listed } from '../../../base/english'
import { messageOf } from '../../../base/error_message'
import { graphsOfFile, type DumpGraph } from '../../../engine/dumps'
import { MAX_FILES, readSnapshotFile, withRegistrations, type TextFile } from '../../../workspace'
import { FOREIGN } from '../../../workspace/code_origin'
import { joinedForms } from '../../../workspace/other_form'
import { toast } from '../../session/view_store'
import { EMPTY_WORKSPACE } from '../../session/workspace_store'
import { readFolder } from '../../files/folder'
import { dumpIn, readFile } from '../../files/read_file'
import { sniff } from '../../files/sniff'
import { keepFolder } from './storage'
import { useTable } from './table_store'

/** The added items, for one message. */
interface Taken {
  folders: string[]
  graphs: DumpGraph[]
  problems: string[]
}

/** Folders of Python become pattern folders, graphs columns of the table. */
export async function takeDropped(
  files: readonly File[],
  folders: readonly FileSystemDirectoryEntry[] = [],
): Promise<void> {
  const taken: Taken = { folders: [], graphs: [], problems: [] }
  for (const folder of folders)
    await reading(folder.name, taken, async () => {
      const { name, python, graphs, left } = await readFolder(folder)
      await keepPython(name, python, taken)
      taken.graphs.push(...graphs)
      if (left > 0) taken.problems.push(`${name}: ${count(left, 'file')} left out, a folder holds ${MAX_FILES}`)
    })
  for (const file of files) await reading(file.name, taken, () => takeFile(file, taken))
  const graphs = joinedForms(taken.graphs.map(({ title, group, text }) => ({ name: nameOf(title, group), text })))
  useTable.getState().addGraphs(graphs)
  tell(taken, graphs.length)
}

const nameOf = (title: string, group: string | null): string => (group === null ? title : `${group} ${title}`)

/** The files of a picked folder (`<input webkitdirectory>`), which have their paths. */
export async function takePicked(files: readonly File[]): Promise<void> {
  const python: TextFile[] = []
  const taken: Taken = { folders: [], graphs: [], problems: [] }
  const wanted = files.filter((f) => f.name.endsWith('.py') && !SKIPPED.test(f.webkitRelativePath))
  for (const file of wanted.slice(0, MAX_FILES))
    await reading(file.name, taken, async () => {
      const text = await file.text()
      python.push({ name: file.webkitRelativePath || file.name, text: withRegistrations(text) ?? text })
    })
  const name = files[0]?.webkitRelativePath.split('/')[0] ?? 'patterns'
  await keepPython(name, python, taken)
  if (python.length === 0) taken.problems.push(`${name} has no Python files`)
  tell(taken, 0)
}

const SKIPPED = /(^|\/)(\.[^/]*|__pycache__|node_modules|venv)\//

async function takeFile(file: File, taken: Taken): Promise<void> {
  const read = await readFile(file)
  const dropped = typeof read === 'string' ? sniff(read, file.name) : null
  if (dropped?.kind === 'snapshot') {
    const snapshot = readSnapshotFile(dropped.text, file.name)
    if (!snapshot.ok) return void taken.problems.push(snapshot.error.message)
    const { workspace } = snapshot.value
    // A workspace file needs consent, like a link.
    await keeping(workspace.name, { workspace, foreign: FOREIGN }, taken)
  } else if (dropped?.kind === 'python')
    await keepPython(file.name.replace(/\.py$/, ''), [{ name: file.name, text: dropped.text }], taken)
  else if (dropped?.kind === 'unusable') taken.problems.push(dropped.message)
  else taken.graphs.push(...graphsOfFile(dumpIn(read, file.name), file.name))
}

async function keepPython(name: string, files: readonly TextFile[], taken: Taken): Promise<void> {
  if (files.length === 0) return
  await keeping(name, { workspace: { ...EMPTY_WORKSPACE, name, files: [...files] }, foreign: null }, taken)
}

async function keeping(name: string, draft: Parameters<typeof keepFolder>[0], taken: Taken): Promise<void> {
  if (await trying(() => keepFolder(draft, name))) taken.folders.push(name)
}

async function reading(name: string, taken: Taken, read: () => Promise<unknown>): Promise<void> {
  try {
    await read()
  } catch (e) {
    taken.problems.push(`${name} could not be read: ${messageOf(e)}`)
  }
}

function tell({ folders, problems }: Taken, graphs: number): void {
  const parts = [
    ...(folders.length > 0 ? [`${listed(folders)} added to your patterns`] : []),
    ...(graphs > 0 ? [`${count(graphs, 'graph')} added to the table`] : []),
  ]
  if (parts.length > 0) toast(`${parts.join('; ')}.`)
  for (const problem of problems) toast(`${problem.replace(/\.$/, '')}.`, { tone: 'bad' })
}
