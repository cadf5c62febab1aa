/** The registration types of a feature: its panel and its commands. `features/index.ts` lists all features. */
import type { ComponentType } from 'react'
import type { PanelId } from '../../workspace/types'
import type { Command } from '../commands/types'
import type { OpenPart } from '../session/session'

/** A short text beside a tab's label. */
export interface PanelBadge {
  text: string
  /** `bad` marks an error. */
  tone: 'neutral' | 'bad'
}

/** One panel. Its tab or button, its `panel-ID` command, its key and its line in the help derive from this. */
export interface Panel {
  id: PanelId
  /** The tab's text. */
  label: string
  /** The command's title, in palette and help. */
  title: string
  /** The key that opens the panel, as in Command.keys. */
  key: string
  /** A hook that returns the tab's badge, or null. Its identity must not change. */
  useBadge?(): PanelBadge | null
  /** Replaces the plain switch to the panel, for a panel that opens on the selection. */
  open?(): void
  /** The panel shows the selection itself, so the strip below the panels is hidden. */
  showsSelection?: boolean
  /** Its tab is there only while it is open: it opens from a match, a miss or a node. */
  transient?: true
  Component: ComponentType
}

export interface Feature {
  panel?: Panel
  commands?: readonly Command[]
  /** Commands that depend on loaded data, evaluated on each use. */
  dynamicCommands?(): readonly Command[]
  /** The feature's session part: its work for the open workspace besides rendering. */
  sessionPart?: OpenPart
}
