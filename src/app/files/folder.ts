/** Reads a dropped folder: its Python files with their paths, so that imports between them work, and its dumps. */
import { graphsOfFiles, holdsGraphs, type FileDump } from '../../engine/dumps'
import { MAX_FILES, withRegistrations, type TextFile } from '../../workspace'
import type { FolderContent } from './question'
import { dumpIn, readFile, safe } from './read_file'
import { sniff } from './sniff'

const SKIPPED = /^(\.|__pycache__$|node_modules$|venv$)/
/** Files of debug folders that hold no graph: pictures, libraries, weights. */
const NO_TEXT =
  /\.(png|jpe?g|gif|svg|pdf|so|o|a|bin|cubin|ptx|pyc|pt|pth|safetensors|npy|npz|css|js|html?|md|cpp|cu|h|hpp|ya?ml|toml|cfg|ini|sh|lock)$/i
/** Maximum number of dumps read from one folder. */
const MAX_DUMPS = 2000

export interface FolderFile {
  /** Path that begins with the folder's own name: `fusion/passes/noop.py`. */
  path: string
  file: File
}

export interface FolderFiles {
  /** The Python files, by path. */
  files: FolderFile[]
  /** Number of Python files beyond the limit. */
  left: number
  /** Other files that may hold graphs, by path. */
  dumps: FolderFile[]
  /** Number of files without a graph. */
  others: number
}

/** The dropped folders; empty if there are none. Must be called inside the drop handler. */
export function foldersOf(items: DataTransferItemList | undefined): FileSystemDirectoryEntry[] {
  const entries = [...(items ?? [])].map((item) => item.webkitGetAsEntry?.() ?? null)
  return entries.filter((e): e is FileSystemDirectoryEntry => e?.isDirectory === true)
}

/** The files of a folder, in the order of their paths, with `2` before `10`. */
export async function filesOf(folder: FileSystemDirectoryEntry): Promise<FolderFiles> {
  const found: FolderFiles = { files: [], left: 0, dumps: [], others: 0 }
  const walk = async (directory: FileSystemDirectoryEntry, prefix: string): Promise<void> => {
    const entries = (await entriesOf(directory)).sort((a, b) => byName.compare(a.name, b.name))
    for (const entry of entries) {
      if (SKIPPED.test(entry.name)) continue
      const path = `${prefix}/${entry.name}`
      if (entry.isDirectory) await walk(entry as FileSystemDirectoryEntry, path)
      else if (entry.name.endsWith('.py')) {
        if (found.files.length >= MAX_FILES) found.left++
        else found.files.push({ path, file: await fileOf(entry as FileSystemFileEntry) })
      } else if (NO_TEXT.test(entry.name) || found.dumps.length >= MAX_DUMPS) found.others++
      else found.dumps.push({ path, file: await fileOf(entry as FileSystemFileEntry) })
    }
  }
  await walk(folder, folder.name)
  return found
}

const byName = new Intl.Collator('en', { numeric: true })

/** The files that fit into the workspace; a file of an existing name replaces that file. */
export function fitting(files: readonly TextFile[], present: readonly TextFile[]): TextFile[] {
  const kept = present.filter((f) => f.text.trim() !== '')
  const names = new Set(kept.map((f) => f.name))
  let room = MAX_FILES - kept.length
  return files.filter((f) => names.has(f.name) || room-- > 0)
}

/** Reads all entries: readEntries returns a batch per call, and an empty one at the end. */
export async function entriesOf(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return all
    all.push(...some)
  }
}

export const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject))

/** The Python files and the graphs of a folder. @throws Error if it cannot be read */
export async function readFolder(folder: FileSystemDirectoryEntry): Promise<FolderContent> {
  const { files, left, dumps, others } = await filesOf(folder)
  const python: TextFile[] = []
  const found: FileDump[] = []
  const captures: TextFile[] = []
  let none = 0
  for (const { path, file } of [...files, ...dumps]) {
    const read = await readFile(file)
    const source = typeof read === 'string' && path.endsWith('.py') ? read : null
    if (typeof read === 'string' && source === null && sniff(read, path).kind === 'capture') {
      captures.push({ name: withoutRoot(path), text: read })
      continue
    }
    if (source === null || sniff(source, path).kind !== 'python') {
      const dump = dumpIn(read, withoutRoot(path))
      if (holdsGraphs(dump)) {
        found.push({ path: withoutRoot(path), dump })
        continue
      }
    }
    // Also an empty __init__.py.
    if (source !== null) python.push({ name: pathName(path), text: withRegistrations(source) ?? source })
    else none++
  }
  return { name: folder.name, python, graphs: graphsOfFiles(found), captures, left, others: others + none }
}

const withoutRoot = (path: string): string => path.slice(path.indexOf('/') + 1)
const pathName = (path: string): string => path.split('/').map(safe).join('/')
