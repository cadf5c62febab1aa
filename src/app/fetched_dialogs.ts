/**
 * The dialogs outside the first bundle, by the overlay that opens them. They form one chunk: separate chunks would split the code
 * that they share.
 */
import type { ComponentType } from 'react'
import { FindInFilesDialog } from './features/find_in_files/FindInFilesDialog'
import { FusionsDialog } from './features/fusions/FusionsDialog'
import { Gallery } from './features/gallery/Gallery'
import { ClassDialog } from './features/lessons/class/ClassDialog'
import { GlossaryDialog } from './features/lessons/GlossaryDialog'
import { LessonsDialog } from './features/lessons/LessonsDialog'
import { VersionsDialog } from './features/library/VersionsDialog'
import { WorkspacesDialog } from './features/library/WorkspacesDialog'
import { MyPatternsDialog } from './features/my_patterns/MyPatternsDialog'
import { PatternDialog } from './features/new_pattern/PatternDialog'
import { NewDialog } from './features/new_workspace/NewDialog'
import { ShareDialog } from './features/share/ShareDialog'
import { PinDialog } from './features/whynot/PinDialog'
import type { Overlay } from './session/view_store'

/** The palette and the help are part of the first bundle. */
export type FetchedOverlay = Exclude<Overlay, 'palette' | 'help'>

export const DIALOGS: Record<FetchedOverlay, ComponentType> = {
  share: ShareDialog,
  pin: PinDialog,
  fusions: FusionsDialog,
  new: NewDialog,
  pattern: PatternDialog,
  'find-files': FindInFilesDialog,
  gallery: Gallery,
  lessons: LessonsDialog,
  glossary: GlossaryDialog,
  class: ClassDialog,
  workspaces: WorkspacesDialog,
  versions: VersionsDialog,
  'my-patterns': MyPatternsDialog,
  // One component for both: it reads which overlay opened it, and stays mounted when the overlay changes.
  'add-patterns': MyPatternsDialog,
}
