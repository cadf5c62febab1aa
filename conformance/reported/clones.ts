/** Folders of Python files, read from clones that are kept outside this repository. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pythonFilesAt } from '../../src/cli/folders'
import type { PythonFile } from '../../src/python/types'

/** The Python files of `folder` at a commit, under the names that they import each other by. */
export function filesAt(gitDir: string, commit: string, folder: string): PythonFile[] {
  const at = mkdtempSync(join(tmpdir(), 'reported-'))
  try {
    // A tree of its own: a clone that lacks blobs elsewhere still gives this folder.
    const git = ['--git-dir', gitDir, 'archive', `--prefix=${folder}/`, `${commit}:${folder}`]
    execFileSync('tar', ['x', '-C', at], {
      input: execFileSync('git', git, { maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] }),
    })
    const found = pythonFilesAt(join(at, folder))
    if (!found.ok) throw new Error(`${folder}: no Python files`)
    return found.value.map(({ path, module }) => ({ name: module ?? path, text: readFileSync(path, 'utf8') }))
  } finally {
    rmSync(at, { recursive: true })
  }
}
