/** `fusescope link`: the link of a graph and its patterns, or of a saved workspace. Needs no Python. */
import { readFileSync } from 'node:fs'
import { formatProblem } from '../fx'
import type { Snapshot, Workspace } from '../workspace/types'
import { encodeFitting, encodeSnapshot, readBase } from '../workspace/link'
import type { Base, BaseLoader } from '../workspace/link_v2'
import type { Command, Comments } from './args'
import { capturedWorkspace } from './captures/file'
import { readInputs, readWorkspace, workspaceOf } from './inputs'
import { bad, complain, writeDocument } from './output'
import { DONE } from './status'

export async function linkCommand(command: Extract<Command, { kind: 'link' }>): Promise<number> {
  const inputs = readInputs(command)
  if (inputs.ok) return print({ ...workspaceOf(command, inputs.value), options: { timeLimitS: 10 } }, command.comments)
  return bad(formatProblem(inputs.error))
}

export async function linkOfCommand(command: Extract<Command, { kind: 'link-of' }>): Promise<number> {
  const workspace = capturedWorkspace(command.workspace, command.run) ?? readWorkspace(command.workspace)
  if (workspace.ok) return print(workspace.value, command.comments)
  return bad(formatProblem(workspace.error))
}

async function print(workspace: Workspace, comments: Comments): Promise<number> {
  const openFile = workspace.files[0]?.name ?? ''
  const view = { selection: null, mode: 'before', panel: 'matches', openFile } as const
  const snapshot: Snapshot = { v: 1, workspace, view, summary: null }
  const base = await baseOf(workspace)
  const link =
    comments === 'auto'
      ? await encodeFitting(snapshot, base)
      : { fragment: await encodeSnapshot(snapshot, base, { comments: comments === 'keep' }), comments: true }
  if (!link.comments) complain('Source comments are left out; --comments keep keeps them.')
  writeDocument(`${link.fragment}\n`)
  return DONE
}

const basesFolder = new URL('../../public/bases/', import.meta.url)

const textOf = (name: string): string | null => {
  try {
    return readFileSync(new URL(name, basesFolder), 'utf8')
  } catch {
    return null
  }
}

/** Reads a base from disk. */
export const loadBase: BaseLoader = async (hash) => {
  const text = textOf(`${hash}.txt`)
  return text === null ? null : readBase(text, hash)
}

/** The example that the workspace began as: the one with its name, if the graph is the same. */
async function baseOf(workspace: Workspace): Promise<Base | null> {
  const list = textOf('../examples/index.json')
  if (list === null) return null
  const examples = JSON.parse(list) as { title: string; base: string }[]
  const example = examples.find((e) => e.title === workspace.name)
  const base = example ? await loadBase(example.base) : null
  return (base?.snapshot as Snapshot | undefined)?.workspace.graph.text === workspace.graph.text ? base : null
}
