/** The versions of a folder: the changes since each, and the return to one. */
import { useEffect, useState } from 'react'
import { filesDiff } from '../../../engine/table/files_diff'
import type { Draft, VersionInfo, WorkspaceInfo } from '../../../workspace/library'
import { reasonOf } from '../../session/saver'
import { Button } from '../../ui/Button'
import { DialogActions } from '../../ui/Dialog'
import { EmptyState } from '../../ui/Messages'
import { RowButton } from '../../ui/Row'
import { css, cx } from '../../ui/css'
import { timeText } from '../../ui/KeptList'
import { Diff } from '../../report/views/Diff'
import { returnToVersion } from './actions'
import { patternLibrary } from './storage'
import styles from './MyPatternsDialog.module.css'

interface Versions {
  now: Draft
  list: readonly VersionInfo[]
}

export function FolderVersions({ info, done }: { info: WorkspaceInfo; done(): void }) {
  const [versions, setVersions] = useState<Versions | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [chosen, setChosen] = useState<{ info: VersionInfo; draft: Draft } | null>(null)
  useEffect(() => {
    Promise.all([patternLibrary.load(info.id), patternLibrary.versions(info.id)]).then(
      ([now, list]) => {
        if (!now.ok) setProblem(now.error.message)
        else if (now.value) setVersions({ now: now.value, list })
      },
      (e: unknown) => setProblem(reasonOf(e)),
    )
  }, [info.id])
  const choose = (version: VersionInfo): void => {
    patternLibrary.version(version.key).then(
      (found) => {
        if (!found.ok) setProblem(found.error.message)
        else if (found.value) setChosen({ info: version, draft: found.value })
        else setProblem('This version is gone.')
      },
      (e: unknown) => setProblem(reasonOf(e)),
    )
  }
  if (problem) return <EmptyState>{problem}</EmptyState>
  if (!versions) return null
  if (versions.list.length === 0)
    return <EmptyState>There is one version. Each later change of the folder keeps the earlier one.</EmptyState>
  return (
    <>
      <div className={cx(css.cluster, css.gap4, css.low)}>
        <div className={styles.versions} data-testid="folder-versions">
          {versions.list.map((v) => (
            <RowButton key={v.key} selected={v.key === chosen?.info.key} onClick={() => choose(v)}>
              {timeText(v.at)}
            </RowButton>
          ))}
        </div>
        <div className={styles.diff}>
          {chosen ? <Since before={chosen.draft} now={versions.now} /> : <EmptyState>Choose a version.</EmptyState>}
        </div>
      </div>
      {chosen && (
        <DialogActions>
          <Button
            variant="primary"
            onClick={() => {
              done()
              void returnToVersion(info, chosen.draft)
            }}
          >
            Return to this version
          </Button>
        </DialogActions>
      )}
    </>
  )
}

function Since({ before, now }: { before: Draft; now: Draft }) {
  const diff = filesDiff(before.workspace.files, now.workspace.files)
  if (diff === '') return <EmptyState>Its files are as they are now.</EmptyState>
  return (
    <>
      <p className={css.muted}>What changed since this version:</p>
      <Diff diff={diff} />
    </>
  )
}
