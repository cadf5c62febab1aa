import type { TextFile, Workspace } from './types'

/** The files that Python runs: a `.wgsl` file is a kernel for src/gpu. */
export const pythonFiles = (workspace: Pick<Workspace, 'files'>): TextFile[] =>
  workspace.files.filter((f) => !f.name.endsWith('.wgsl'))
