/** Folders of Python files, read from clones that are kept outside this repository. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pythonFilesAt } from '../../src/cli/folders'
import type { PythonFile } from '../../src/python/types'

const parentsOf = (folder: string): string[] =>
  folder.split('/').flatMap((_, i, parts) => (i === 0 ? [] : [parts.slice(0, i).join('/')]))

function isIn(gitDir: string, object: string): boolean {
  return spawnSync('git', ['--git-dir', gitDir, 'cat-file', '-e', object]).status === 0
}

/** The Python files of `folder` at a commit, under the names that they import each other by. */
export function filesAt(gitDir: string, commit: string, folder: string): PythonFile[] {
  const at = mkdtempSync(join(tmpdir(), 'reported-'))
  try {
    // A tree of its own: a clone that lacks blobs elsewhere still gives this folder.
    const git = ['--git-dir', gitDir, 'archive', `--prefix=${folder}/`, `${commit}:${folder}`]
    execFileSync('tar', ['x', '-C', at], {
      input: execFileSync('git', git, { maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] }),
    })
    for (const parent of parentsOf(folder))
      if (isIn(gitDir, `${commit}:${parent}/__init__.py`)) writeFileSync(join(at, parent, '__init__.py'), '')
    const found = pythonFilesAt(join(at, folder))
    if (!found.ok) throw new Error(`${folder}: no Python files`)
    return found.value.map(({ path, module }) => ({ name: module ?? path, text: readFileSync(path, 'utf8') }))
  } finally {
    rmSync(at, { recursive: true })
  }
}
