import { expect, test } from 'vitest'
import { fitting, foldersOf, filesOf } from './folder'

type Tree = { [name: string]: Tree | string }

function directory(name: string, tree: Tree): FileSystemDirectoryEntry {
  const entries = Object.entries(tree).map(([n, t]) =>
    typeof t === 'string'
      ? { name: n, isDirectory: false, file: (done: (f: File) => void) => done(new File([t], n)) }
      : directory(n, t),
  )
  return {
    name,
    isDirectory: true,
    createReader: () => {
      // Browsers return the entries in batches.
      const parts = [entries.slice(0, 2), entries.slice(2), []]
      return { readEntries: (done: (e: unknown[]) => void) => done(parts.shift() ?? []) }
    },
  } as unknown as FileSystemDirectoryEntry
}

test('a folder yields its Python files with their paths, and counts the skipped files', async () => {
  const folder = directory('fusion', {
    'b.py': 'b',
    'README.md': '',
    __pycache__: { 'b.cpython-312.pyc': '' },
    '.git': { 'x.py': '' },
    passes: { '__init__.py': '', 'a.py': 'a' },
  })
  const { files, left, others } = await filesOf(folder)
  expect(files.map((f) => f.path)).toEqual(['fusion/b.py', 'fusion/passes/__init__.py', 'fusion/passes/a.py'])
  expect(await files[2]!.file.text()).toBe('a')
  expect([left, others]).toEqual([0, 1])
})

test('counts the files beyond the limit of a workspace', async () => {
  const many = Object.fromEntries(Array.from({ length: 203 }, (_, i) => [`m${String(i).padStart(3, '0')}.py`, '']))
  const { files, left } = await filesOf(directory('many', many))
  expect([files.length, left]).toEqual([200, 3])
})

test('a folder replaces files of the same name and adds others up to the limit', () => {
  const files = (n: number, prefix: string) => Array.from({ length: n }, (_, i) => ({ name: prefix + i, text: 'x' }))
  const present = [...files(150, 'a'), { name: 'blank', text: ' ' }]
  expect(fitting(files(200, 'b'), present).map((f) => f.name)).toEqual(files(50, 'b').map((f) => f.name))
  expect(fitting(files(200, 'a'), present)).toHaveLength(200)
})

test('ignores dropped files', () => {
  const items = [{ webkitGetAsEntry: () => directory('d', {}) }, { webkitGetAsEntry: () => ({ isDirectory: false }) }]
  expect(foldersOf(items as unknown as DataTransferItemList).map((d) => d.name)).toEqual(['d'])
  expect(foldersOf(undefined)).toEqual([])
})
