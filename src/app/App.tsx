import { useEffect, type ReactNode } from 'react'
import { Group, Panel, useDefaultLayout } from 'react-resizable-panels'
import { listenForKeys } from './commands/keys'
import { Dialogs } from './Dialogs'
import { allCommands } from './features'
import { CompareView } from './features/compare/CompareView'
import { useCompare } from './on_screen/compare/store'
import { EditorPane } from './features/editor/EditorPane'
import { Guide } from './features/gallery/Guide'
import { FirstVisitStrip } from './features/lessons/FirstVisitStrip'
import { LessonPanel, useOpenLesson } from './features/lessons/LessonPanel'
import { RecorderPanel } from './features/lessons/recorder/RecorderPanel'
import { useRecorder } from './features/lessons/recorder/store'
import { TermScope } from './features/lessons/terms/TermScope'
import { CanvasBar } from './shell/CanvasBar'
import { Inspector } from './shell/Inspector'
import { PanelPlace } from './shell/PanelToggle'
import { Separator } from './shell/Separator'
import { SmallScreen } from './shell/SmallScreen'
import { StageCanvases } from './features/pipeline/StageCanvases'
import { LinkBanner } from './shell/Banners'
import { CanvasPane } from './features/graph/CanvasPane'
import { UpdateBanner } from './features/offline/UpdateBanner'
import { DropZone } from './features/open_files/DropZone'
import { OpenDialog } from './features/open_files/OpenDialog'
import { ask } from './files/question'
import { GraphBar } from './features/graph/GraphBar'
import { PickedBar } from './features/graph/PickedBar'
import { Header } from './shell/Header'
import { TabBanner, UnsavedBanner } from './shell/SavingBanners'
import { SearchBox } from './features/graph/SearchBox'
import { ShapesSection } from './features/shapes/ShapesSection'
import { Toasts } from './shell/Toasts'
import type { OpenLesson } from './features/lessons/store'
import { useStaged } from './on_screen/stage/store'
import { DialogGuard } from './ui/Dialog'
import { Guard } from './ui/Guard'
import { TooltipProvider } from './ui/Tooltip'
import { useMedia } from './ui/use_media'
import { keepText, keptJson, keptText } from './session/kept_text'
import { useView } from './session/view_store'
import styles from './App.module.css'
import frameStyles from './on_screen/frame.module.css'
import { css, cx } from './ui/css'

export function App() {
  useEffect(() => listenForKeys(allCommands), [])
  return (
    <TooltipProvider>
      <TermScope>
        <div className={cx(css.column, css.tall)}>
          <Guard what="The header">
            <Header />
          </Guard>
          <Guard what="The notice about the code">
            <LinkBanner />
          </Guard>
          <Guard what="The notice about saving">
            <TabBanner />
            <UnsavedBanner />
          </Guard>
          <Guard what="The notice about a new version">
            <UpdateBanner />
          </Guard>
          <Guard what="The first steps">
            <FirstVisitStrip />
          </Guard>
          <Columns />
          <Dialogs />
          <Guard what="The place to drop files">
            <DropZone />
          </Guard>
          <DialogGuard onClose={() => ask(null)}>
            <OpenDialog />
          </DialogGuard>
          <Guard what="The messages">
            <Toasts />
          </Guard>
        </div>
      </TermScope>
    </TooltipProvider>
  )
}

function Columns() {
  const narrow = useMedia('(max-width: 1180px)')
  const small = useMedia('(max-width: 960px)')
  const phone = useMedia('(max-width: 700px)')
  const open = useOpenLesson()
  const recorded = useRecorder((s) => s.draft)
  const lesson = recorded ? null : open
  const beside = recorded ? (
    <Guard key="recorder" what="The recorder">
      <RecorderPanel draft={recorded} />
    </Guard>
  ) : (
    open && (
      <Guard key={open.id} what="The lesson">
        <LessonPanel lesson={open} />
      </Guard>
    )
  )
  const id = narrow ? 'fusescope-columns-narrow' : 'fusescope-columns'
  const { defaultLayout, onLayoutChanged } = useDefaultLayout({ id, storage: layoutStorage })
  if (lesson && phone) return <LessonStack lesson={lesson} />
  if (small)
    return (
      <SmallScreen
        orientation={phone ? 'vertical' : 'horizontal'}
        graph={<Canvases />}
        code={beside ? <LessonColumn>{beside}</LessonColumn> : <EditorColumn />}
        codeLabel={beside ? 'Lesson' : 'Code'}
        panels={<Inspector />}
      />
    )
  return (
    <Group
      key={id}
      className={styles.columns}
      orientation="horizontal"
      defaultLayout={defaultLayout}
      onLayoutChanged={onLayoutChanged}
    >
      <Panel id="editor-panel" defaultSize={narrow ? '31' : '32'} minSize={220} collapsible>
        {beside ? <LessonColumn>{beside}</LessonColumn> : <EditorColumn />}
      </Panel>
      <Separator label="Width of the editor" />
      <Panel id="canvas" defaultSize={narrow ? '37' : '39'} minSize={260}>
        <Canvases />
      </Panel>
      <Separator label="Width of the panels" />
      <Panel id="inspector" defaultSize={narrow ? '32' : '29'} minSize={260}>
        <Inspector />
      </Panel>
    </Group>
  )
}

function EditorColumn() {
  return (
    <div className={cx(styles.editorColumn, css.column, css.tall)}>
      <EditorPane />
      <Guard what="The guide">
        <Guide />
      </Guard>
    </div>
  )
}

/** The lesson, or its recorder, above the editor. */
function LessonColumn({ children }: { children: ReactNode }) {
  return (
    <Group orientation="vertical" className={css.tall}>
      <Panel id="lesson-text" defaultSize="60" minSize={160}>
        {children}
      </Panel>
      <Separator label="Height of the lesson" />
      <Panel id="lesson-editor" defaultSize="40" minSize={80} collapsible>
        <EditorColumn />
      </Panel>
    </Group>
  )
}

/** On a narrow screen a lesson is a page: its text, then the graph, the panels and the editor. */
function LessonStack({ lesson }: { lesson: OpenLesson }) {
  return (
    <div className={styles.stack} data-page-scrolls>
      <Guard what="The lesson">
        <LessonPanel lesson={lesson} />
      </Guard>
      <div className={styles.stackCanvas}>
        <Canvases />
      </div>
      <div className={styles.stackEditor}>
        <EditorColumn />
      </div>
      <div className={styles.stackPanels}>
        <Inspector />
      </div>
    </div>
  )
}

function Canvases() {
  const staged = useStaged()
  const compared = useCompare((s) => s.compared.value !== null)
  return (
    <div className={styles.canvasColumn}>
      <Guard what="The bar above the graph">
        <CanvasBar />
        <GraphBar />
        <PickedBar />
      </Guard>
      <PanelPlace place="graph" />
      {!compared && (
        <Guard what="The shapes">
          <ShapesSection />
        </Guard>
      )}
      <Guard what="The search">
        <SearchBox />
      </Guard>
      {compared ? <CompareView /> : staged ? <StageCanvases /> : <BothSides />}
    </div>
  )
}

function BothSides() {
  const mode = useView((s) => s.mode)
  return (
    <main className={frameStyles.canvases} data-mode={mode}>
      {mode !== 'after' && <CanvasPane side="before" />}
      {mode !== 'before' && <CanvasPane side="after" />}
    </main>
  )
}

const layoutStorage = {
  getItem: (key: string): string | null => (isLayout(keptJson(key)) ? keptText(key) : null),
  setItem: keepText,
}

/** Sizes by panel, at any depth: a stored value may have any type. */
const isLayout = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((v) => (typeof v === 'number' ? Number.isFinite(v) : isLayout(v)))
