/** Reads a dropped folder: its Python files with their paths, so that imports between them work. */
import { MAX_FILES, type TextFile } from '../../../workspace'

const SKIPPED = /^(\.|__pycache__$|node_modules$|venv$)/

export interface FolderFile {
  /** Path that begins with the folder's own name: `fusion/passes/noop.py`. */
  path: string
  file: File
}

/** The dropped folders; empty if there are none. Must be called inside the drop handler. */
export function foldersOf(items: DataTransferItemList | undefined): FileSystemDirectoryEntry[] {
  const entries = [...(items ?? [])].map((item) => item.webkitGetAsEntry?.() ?? null)
  return entries.filter((e): e is FileSystemDirectoryEntry => e?.isDirectory === true)
}

/** @returns the Python files in the folder, by path, and the number of files beyond the limit */
export async function pythonFilesOf(
  folder: FileSystemDirectoryEntry,
): Promise<{ files: FolderFile[]; left: number; others: number }> {
  const files: FolderFile[] = []
  let left = 0
  let others = 0
  const walk = async (directory: FileSystemDirectoryEntry, prefix: string): Promise<void> => {
    const entries = (await allOf(directory.createReader())).sort((a, b) => (a.name < b.name ? -1 : 1))
    for (const entry of entries) {
      if (SKIPPED.test(entry.name)) continue
      const path = `${prefix}/${entry.name}`
      if (entry.isDirectory) await walk(entry as FileSystemDirectoryEntry, path)
      else if (!entry.name.endsWith('.py')) others++
      else if (files.length >= MAX_FILES) left++
      else files.push({ path, file: await fileOf(entry as FileSystemFileEntry) })
    }
  }
  await walk(folder, folder.name)
  return { files, left, others }
}

/** The files that fit into the workspace; a file of an existing name replaces that file. */
export function fitting(files: readonly TextFile[], present: readonly TextFile[]): TextFile[] {
  const kept = present.filter((f) => f.text.trim() !== '')
  const names = new Set(kept.map((f) => f.name))
  let room = MAX_FILES - kept.length
  return files.filter((f) => names.has(f.name) || room-- > 0)
}

/** Reads all entries: readEntries returns a batch per call, and an empty one at the end. */
async function allOf(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return all
    all.push(...some)
  }
}

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject))
