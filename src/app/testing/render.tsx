/** Renders components over the stores of a fresh session, in a test with a DOM (`@vitest-environment happy-dom`). */
import { cleanup, configure, render, type RenderResult } from '@testing-library/react'
import type { ReactNode } from 'react'
import type { Report } from '../../engine/protocol'
import type { Workspace } from '../../workspace/types'
import { useRun, withReport, type RunState } from '../session/run_store'
import { replaceSession } from '../session/session'
import { useView, type ViewStore } from '../session/view_store'
import { useWorkspace } from '../session/workspace_store'
import { TooltipProvider } from '../ui/Tooltip'
import { WORKSPACE } from '../../engine/queries/testing/report_fixture'

/** A busy machine may need more than the second that findBy and waitFor give by default; a test that passes waits no longer. */
configure({ asyncUtilTimeout: 60_000 })

export interface Opened {
  workspace?: Workspace
  /** The report of the current workspace. */
  report?: Report
  run?: Partial<RunState>
  view?: Partial<ViewStore>
}

/** The initial view of each test; session stores keep the view across workspaces. */
const PLAIN_VIEW: Partial<ViewStore> = {
  mode: 'before',
  panel: 'matches',
  places: { tabs: 'matches', drawer: null, graph: null },
  overlay: null,
  toasts: [],
}

/** Replaces the session; nothing runs. */
export function openInTest({ workspace = WORKSPACE, report, run, view }: Opened = {}): void {
  replaceSession(() => {
    useWorkspace.getState().load(workspace, 'own:test')
    const { version } = useWorkspace.getState()
    if (report) useRun.setState((s) => withReport(s, report, version, workspace))
    useRun.setState(run ?? {})
    useView.setState({ ...PLAIN_VIEW, ...view })
  })
}

export function renderOpened(element: ReactNode, opened: Opened = {}): RenderResult {
  openInTest(opened)
  return render(element, { wrapper: TooltipProvider })
}

/** For `afterEach`: unmounts the rendered components and resets the stores to those of a new page. */
export function closeAfterTest(): void {
  cleanup()
  openInTest()
}
