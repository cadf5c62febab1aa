/** The session of a command, and `--call`: registration functions that a project calls outside its pass files. */
import type { FileOutcome } from '../engine/protocol'
import { uncalledIn } from '../engine/report/file_outcomes'
import { createSession, type Session } from '../engine/session/session'
import { nodeAssets } from '../python/node_assets'
import { withCalls } from '../workspace'
import type { TextFile, Workspace } from '../workspace/types'

/** A session whose Python has started. */
export async function startSession(): Promise<Session> {
  const session = createSession(nodeAssets())
  await session.ready
  return session
}

/** The value of `--call` that stands for every uncalled registration function. */
export const ALL_CALLS = 'all'

/** The files, plus one that makes the calls. @param outcomes runs files; called only if all uncalled functions are wanted */
export function filesWithCalls(
  files: readonly TextFile[],
  calls: readonly string[],
  outcomes: (files: readonly TextFile[]) => readonly FileOutcome[] | undefined,
): TextFile[] {
  const named = withCalls(
    files,
    calls.filter((c) => c !== ALL_CALLS),
  )
  return calls.includes(ALL_CALLS) ? withCalls(named, uncalledIn(outcomes(named))) : named
}

/** The files of a workspace with one that makes the calls. */
export const calledFiles = (session: Session, workspace: Workspace, calls: readonly string[]): TextFile[] =>
  filesWithCalls(workspace.files, calls, (f) => session.analyze({ ...workspace, files: [...f] }).report.files)
