/** The embedded page: the graph, and the panels that only show results. */
import { panelById } from '../features'
import { LessonPanel, useOpenLesson } from '../features/lessons/LessonPanel'
import { useLessons } from '../features/lessons/store'
import { CanvasPane } from '../features/graph/CanvasPane'
import { count } from '../../base/english'
import { statusText } from '../../engine/queries/report_text'
import type { ReportSummary } from '../../workspace/types'
import { useRun } from '../session/run_store'
import { useView } from '../session/view_store'
import { useWorkspace } from '../session/workspace_store'
import { Toasts } from '../shell/Toasts'
import { css, cx } from '../ui/css'
import { Guard } from '../ui/Guard'
import { Icon } from '../ui/icons'
import { EmptyState } from '../ui/Messages'
import { Segmented } from '../ui/Segmented'
import { Tab, TabList, TabPanel, Tabs } from '../ui/Tabs'
import { TooltipProvider } from '../ui/Tooltip'
import { useMedia } from '../ui/use_media'
import inspectorStyles from '../shell/Inspector.module.css'
import frameStyles from '../on_screen/frame.module.css'
import { fullAddress, lessonSuffix, useOpened } from './address'
import styles from './EmbedApp.module.css'

/** Panels that only show results; the other panels edit or run. */
const SHOWN = ['matches', 'whynot', 'steps', 'inspector'] as const
/** In CSS pixels; below it, the panels are below the graph. */
const NARROW = '(max-width: 640px)'

export function EmbedApp() {
  const suffix = useSuffix()
  const lesson = useOpenLesson()
  const mode = useView((s) => s.mode)
  const narrow = useMedia(NARROW)
  return (
    <TooltipProvider>
      <div className={cx(css.column, css.tall)}>
        <Head />
        {suffix === '' ? (
          <EmptyState align="center">
            Nothing is open: the address of this page names no link and no example.
          </EmptyState>
        ) : (
          <div className={styles.columns} data-narrow={narrow || undefined}>
            <main className={frameStyles.canvases} data-mode={mode}>
              {mode !== 'after' && <CanvasPane side="before" />}
              {mode !== 'before' && <CanvasPane side="after" />}
            </main>
            {lesson ? (
              <aside className={styles.panels} aria-label="Lesson">
                <LessonPanel lesson={lesson} readOnly />
              </aside>
            ) : (
              <Panels />
            )}
          </div>
        )}
        <Toasts />
      </div>
    </TooltipProvider>
  )
}

/** The part of the address that opens the full page: the step of a lesson, or the opened workspace. */
function useSuffix(): string {
  const opened = useOpened((s) => s.suffix)
  const lesson = useOpenLesson()
  const step = useLessons((s) => s.step)
  return lesson ? lessonSuffix(lesson.own ? opened : lesson.id, step) : opened
}

function Head() {
  const suffix = useSuffix()
  const name = useWorkspace((s) => s.workspace.name)
  const report = useRun((s) => s.result.value)
  const nodes = useRun((s) => s.graphRead.value?.nodes.length ?? s.result.sent?.nodesBefore)
  const mode = useView((s) => s.mode)
  const summary = useRun((s) => s.result.sent)
  return (
    <header className={styles.head}>
      <Icon name="graph" size={16} />
      <h1 className={cx(styles.name, css.ellipsis)}>{suffix === '' ? 'Fusescope' : name}</h1>
      {suffix !== '' && (
        <span className={cx(css.muted, css.ellipsis, styles.status)} data-testid="status">
          {[report && statusText(report), nodes !== undefined && count(nodes, 'node'), summary && seenBy(summary)]
            .filter(Boolean)
            .join(' · ')}
        </span>
      )}
      <span className={css.spring} />
      {report?.after && (
        <Segmented
          label="Graph shown"
          value={mode}
          onChange={(next) => useView.getState().setMode(next)}
          segments={[
            { value: 'before', label: 'Before' },
            { value: 'after', label: 'After' },
          ]}
        />
      )}
      <a className={styles.open} data-testid="open-full" href={fullAddress(suffix)} target="_blank" rel="noopener">
        Open in Fusescope
      </a>
    </header>
  )
}

const seenBy = ({ recorded }: ReportSummary): string =>
  recorded ? `as PyTorch ${recorded} recorded it` : 'as its sender saw it'

function Panels() {
  const wanted = useView((s) => s.panel)
  const id = SHOWN.find((p) => p === wanted) ?? 'matches'
  const panel = panelById(id)
  return (
    <Tabs asChild value={id} onValueChange={(next) => useView.getState().setPanel(panelById(next as typeof id).id)}>
      <aside className={cx(inspectorStyles.inspector, styles.panels)} aria-label="Panels">
        <TabList className={inspectorStyles.tabs} aria-label="Panels">
          {SHOWN.map((p) => (
            <Tab key={p} value={p} data-testid={`panel-tab-${p}`}>
              {panelById(p).label}
            </Tab>
          ))}
        </TabList>
        <TabPanel className={cx(css.fill, css.scroll)} value={id} tabIndex={-1}>
          <Guard key={id} what="This panel">
            <panel.Component />
          </Guard>
        </TabPanel>
      </aside>
    </Tabs>
  )
}
