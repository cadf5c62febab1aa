/** Types of a workspace and of a snapshot, which a link contains, inferred from their schemas. Parsed and upgraded in src/workspace. */

import type { z } from 'zod'
import type { textFile } from './carried_summary'
import type {
  environmentSchema,
  captureSchema,
  graphFileSchema,
  selectionSchema,
  snapshotFields,
  viewSchema,
  workspaceFields,
} from './fields/fields'

export type { FiredSummary, PassSummary, ReportSummary, SummaryMatch } from './carried_summary'
export * from './fields/choices'

export type TextFile = z.infer<typeof textFile>
export type GraphFile = z.infer<typeof graphFileSchema>
export type Workspace = z.infer<typeof workspaceFields>
export type WorkspaceOptions = Workspace['options']
export type CaptureFile = z.infer<typeof captureSchema>
export type Environment = z.infer<typeof environmentSchema>
export type Platform = Environment['platform']

/** Equal to the default in src/python/lib/_fusescope/environment.py; a test compares them. */
export const DEFAULT_ENVIRONMENT: Environment = {
  platform: 'cuda-sm90',
  dtype: 'bfloat16',
  tokens: null,
  customOps: ['all'],
  functionalization: 'v1',
  flags: {},
}

export type Selection = z.infer<typeof selectionSchema>
export type PlaceInFile = NonNullable<Extract<Selection, { kind: 'patternNode' }>['source']>

export type ViewState = z.infer<typeof viewSchema>
export type CanvasMode = ViewState['mode']
export type PanelId = ViewState['panel']
export type Pin = NonNullable<ViewState['pin']>
export type CameraPlace = NonNullable<ViewState['camera']>
export type LookState = NonNullable<ViewState['look']>
export type GroupBy = NonNullable<ViewState['groupBy']>

export type Snapshot = z.infer<typeof snapshotFields>
