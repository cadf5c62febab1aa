/** A list of workspaces or pattern folders that the browser stores, by name; deleted ones can be restored. */
import { useState, type ComponentProps, type ReactNode } from 'react'
import { count } from '../../base/english'
import type { WorkspaceInfo } from '../../workspace/library'
import { LinkButton } from './Button'
import { RenameInput } from './Field'
import { SectionTitle } from './Section'
import { css } from './css'
import styles from './KeptList.module.css'

/** A point in time in the reader's locale. */
export const timeText = (at: number): string =>
  new Date(at).toLocaleString([], { dateStyle: 'short', timeStyle: 'medium' })

interface KeptListProps extends ComponentProps<'ul'> {
  list: readonly WorkspaceInfo[]
  /** `workspace` */
  what: string
  /** The deleted ones are folded. */
  folded?: boolean
  row(info: WorkspaceInfo): ReactNode
  restore(id: string): unknown
}

export function KeptList({ list, what, folded = false, row, restore, ...props }: KeptListProps) {
  const kept = list.filter((info) => info.deletedAt === undefined)
  const deleted = list.filter((info) => info.deletedAt !== undefined)
  return (
    <>
      {kept.length > 0 && (
        <ul className={styles.list} {...props}>
          {kept.map(row)}
        </ul>
      )}
      {deleted.length > 0 && (
        <details open={!folded}>
          <SectionTitle as="summary">{count(deleted.length, `deleted ${what}`)}</SectionTitle>
          <ul className={styles.list}>
            {deleted.map(({ id, name, deletedAt }) => (
              <li key={id} className={styles.row}>
                <span className={styles.name}>{name}</span>
                <span className={css.muted}>deleted {timeText(deletedAt!)}</span>
                <LinkButton aria-label={`Restore ${name}`} onClick={() => void restore(id)}>
                  Restore
                </LinkButton>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

interface KeptRowProps extends ComponentProps<'li'> {
  name: string
  note: string
  /** The action of pressing the name; absent: none. */
  open?: () => void
  isOpen?: boolean
  rename(to: string): Promise<boolean | void>
  /** @param rename lets the user edit the name */
  actions(rename: () => void): readonly (readonly [label: string, run: () => void])[]
}

/** @param children shown before the name */
export function KeptRow({ name, note, open, isOpen, rename, actions, children, ...props }: KeptRowProps) {
  const [renaming, setRenaming] = useState(false)
  return (
    <li className={styles.row} data-open={isOpen || undefined} {...props}>
      {children}
      {renaming ? (
        <RenameInput name={name} rename={rename} done={() => setRenaming(false)} />
      ) : open ? (
        <LinkButton className={styles.name} onClick={open} {...(isOpen && { 'aria-current': true })}>
          {name}
        </LinkButton>
      ) : (
        <span className={styles.name}>{name}</span>
      )}
      <span className={css.muted}>{note}</span>
      <span className={css.cluster}>
        {actions(() => setRenaming(true)).map(([label, run]) => (
          <LinkButton key={label} aria-label={`${label === 'Versions' ? 'Versions of' : label} ${name}`} onClick={run}>
            {label}
          </LinkButton>
        ))}
      </span>
    </li>
  )
}
