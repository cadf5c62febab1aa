import type { SourcePlace } from '../../base/message'
import { useView } from '../session/view_store'
import { fileOf, useWorkspace } from '../session/workspace_store'
import { Breakable } from './Breakable'
import { LinkButton } from './Button'

/** `file.py:12`; pressing it opens the file there. */
export function SourceLink({ source }: { source: SourcePlace }) {
  const workspace = useWorkspace((s) => s.workspace)
  const file = fileOf(workspace, source.file)
  return (
    <LinkButton
      mono
      aria-label={`Open ${file}, line ${source.line}`}
      onClick={() => {
        useWorkspace.getState().open(file)
        useView.getState().select({ kind: 'line', file, line: source.line })
      }}
    >
      <Breakable text={`${file}:${source.line}`} />
    </LinkButton>
  )
}
