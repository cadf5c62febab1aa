import type { ReactNode } from 'react'
import type { CanvasMode } from '../../workspace/types'
import { runCommand } from '../commands/types'
import { commandById } from '../features'
import { showKeys } from '../commands/keys'
import { useDrafts } from '../session/autosave'
import { openDraft, openExample, useExamples } from '../features/gallery/examples'
import { stopRun } from '../session/runner'
import { galleryOf } from '../features/gallery/catalogue'
import { count } from '../../base/english'
import { statusText } from '../session/verdict'
import { useStaged } from '../features/pipeline/store'
import { isStale, useRun } from '../session/run_store'
import { useTheme } from '../theme/theme_store'
import { useView } from '../session/view_store'
import { useWorkspace } from '../session/workspace_store'
import { Icon, type IconName } from '../ui/icons'
import { useLasting } from '../ui/useLasting'
import './header.css'

export function Header() {
  const theme = useTheme((s) => s.theme)
  return (
    <header className="header">
      <h1 className="brand">
        <Icon name="graph" size={18} />
        <span className="brand-name">Fusescope</span>
      </h1>
      <ExamplePicker />
      <button
        className="btn"
        aria-label="Examples"
        data-testid="gallery-button"
        title={hint('gallery')}
        onClick={() => runCommand(commandById('gallery'))}
      >
        <Icon name="gallery" />
        <span className="wide-only">Examples</span>
      </button>
      <Status />
      <span className="spring" />
      <ModeSwitch />
      <span className="header-tools">
        <IconButton command="search" icon="search" />
        <IconButton command="palette" icon="command" />
        <IconButton command="theme" icon={theme === 'dark' ? 'sun' : 'moon'} />
        <IconButton command="help" icon="help" />
        <button
          className="btn primary"
          data-testid="share-button"
          title={hint('share')}
          onClick={() => runCommand(commandById('share'))}
        >
          <Icon name="share" />
          <span className="share-label">Share</span>
        </button>
      </span>
    </header>
  )
}

function hint(id: string): string {
  const c = commandById(id)
  return c.keys ? `${c.title} (${showKeys(c.keys[0]!)})` : c.title
}

export function IconButton({ command, icon, children }: { command: string; icon: IconName; children?: ReactNode }) {
  return (
    <button
      className="btn quiet"
      aria-label={commandById(command).title}
      title={hint(command)}
      onClick={() => runCommand(commandById(command))}
    >
      <Icon name={icon} size={16} />
      {children}
    </button>
  )
}

const NEW = '\u0001new'

function ExamplePicker() {
  const { list } = useExamples()
  const drafts = useDrafts((s) => s.list)
  const origin = useWorkspace((s) => s.origin)
  const name = useWorkspace((s) => s.workspace.name)
  const example = list.find((e) => e.id === origin)
  const listed = example !== undefined || drafts.some((d) => d.origin === origin)
  const choose = (value: string): void => {
    if (value === NEW) runCommand(commandById('new'))
    else if (list.some((e) => e.id === value)) void openExample(value)
    else openDraft(value)
  }
  return (
    <>
      <label className="visually-hidden" htmlFor="example-picker">
        Example or own work
      </label>
      <select
        id="example-picker"
        className="picker"
        data-testid="example-picker"
        value={origin}
        title={example?.description ?? name}
        onChange={(e) => choose(e.target.value)}
      >
        {!listed && (
          <option value={origin} disabled>
            {origin.startsWith('link') ? `From a link: ${name}` : name}
          </option>
        )}
        {galleryOf(list).map(({ system, examples }) => (
          <optgroup key={system} label={system}>
            {examples.map((e) => (
              <option key={e.id} value={e.id}>
                {e.title}
              </option>
            ))}
          </optgroup>
        ))}
        {drafts.length > 0 && (
          <optgroup label="Your work in this browser">
            {drafts.map((d) => (
              <option key={d.origin} value={d.origin}>
                {d.name}, {new Date(d.at).toLocaleString([], { dateStyle: 'short', timeStyle: 'short' })}
              </option>
            ))}
          </optgroup>
        )}
        <option value={NEW}>Empty workspace</option>
      </select>
      {example && <IconButton command="reset" icon="reset" />}
      {example && (
        <IconButton command="guide" icon="book">
          <span className="guide-label">What to look at</span>
        </IconButton>
      )}
    </>
  )
}

function Status() {
  const report = useRun((s) => s.report)
  const running = useRun((s) => s.running)
  const silent = useRun((s) => s.silent)
  const since = useRun((s) => s.since)
  const progress = useRun((s) => s.progress)
  const version = useWorkspace((s) => s.version)
  const stale = useRun((s) => isStale(s, version))
  const shown = useLasting(running && !silent, since, 300)
  const nodes = useRun((s) => s.graph?.nodes.length ?? s.summary?.nodesBefore ?? s.report?.graph.nodes.length)
  return (
    <div className="status" role="status" aria-live="polite">
      <span className={`verdict-line ${stale ? 'status-stale' : ''}`} data-testid="status">
        <strong>{statusText(report)}</strong>
        {nodes !== undefined && <span className="muted"> · {count(nodes, 'node')}</span>}
      </span>
      {stale && (
        <span className="badge" data-testid="stale-badge" title="The last good result; the text beside it is newer">
          stale
        </span>
      )}
      {shown && (
        <>
          <span className="muted ellipsis progress-text">{progress?.text ?? 'Running'}</span>
          <button className="btn danger" data-testid="stop-button" onClick={stopRun} title={hint('stop')}>
            <Icon name="stop" size={12} />
            Stop
          </button>
        </>
      )}
      {shown && (
        <span
          className={`progress-bar ${progress?.fraction == null ? 'unknown' : ''}`}
          role="progressbar"
          aria-label={progress?.text ?? 'Running'}
          aria-valuemin={0}
          aria-valuemax={100}
          {...(progress?.fraction != null ? { 'aria-valuenow': Math.round(progress.fraction * 100) } : {})}
        >
          <span style={{ width: progress?.fraction != null ? `${progress.fraction * 100}%` : '100%' }} />
        </span>
      )}
    </div>
  )
}

const MODES: { mode: CanvasMode; label: string }[] = [
  { mode: 'before', label: 'Before' },
  { mode: 'after', label: 'After' },
  { mode: 'split', label: 'Side by side' },
]

function ModeSwitch() {
  const mode = useView((s) => s.mode)
  const staged = useStaged()
  const hasAfter = useRun((s) => s.report?.after != null)
  return (
    <div
      className="segmented"
      role="radiogroup"
      aria-label="Graph shown"
      onKeyDown={(e) => {
        const step = e.key === 'ArrowRight' ? 1 : e.key === 'ArrowLeft' ? -1 : 0
        if (!step) return
        e.preventDefault()
        const i = MODES.findIndex((m) => m.mode === mode)
        const next = MODES[(i + step + MODES.length) % MODES.length]!.mode
        if (next === 'before' || hasAfter) useView.getState().setMode(next)
      }}
    >
      {MODES.map((m) => (
        <button
          key={m.mode}
          className="btn"
          role="radio"
          aria-checked={mode === m.mode && !staged}
          tabIndex={mode === m.mode ? 0 : -1}
          disabled={m.mode !== 'before' && !hasAfter}
          data-testid={`mode-${m.mode}`}
          title={hint(`mode-${m.mode}`)}
          onClick={() => useView.getState().setMode(m.mode)}
        >
          {m.label}
        </button>
      ))}
    </div>
  )
}
