/** What can be asked of a node, beside it. */
import { useEffect, useRef, useState } from 'react'
import { useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { runCommand } from '../../commands/types'
import { STEP_THROUGH } from '../steps/commands'
import { choosePattern } from './commands'
import './whynot.css'

interface At {
  name: string
  clientX: number
  clientY: number
}

export interface NodeMenuState {
  at: At | null
  open(name: string, at: { clientX: number; clientY: number }): void
  close(): void
}

export function useNodeMenu(): NodeMenuState {
  const [at, setAt] = useState<At | null>(null)
  return { at, open: (name, { clientX, clientY }) => setAt({ name, clientX, clientY }), close: () => setAt(null) }
}

const WIDTH = 280
const ROW = 30

export function NodeMenu({ at: { name, clientX, clientY }, close }: { at: At; close(): void }) {
  const ref = useRef<HTMLDivElement>(null)
  const hasPatterns = useRun((s) => s.report?.passes.some((p) => p.entries.length > 0) ?? false)
  const items = [
    ...(hasPatterns ? [{ label: 'Why doesn’t a pattern match here?…', run: () => choosePattern(name) }] : []),
    ...(hasPatterns ? [{ label: 'Step through what is tried here', run: () => runCommand(STEP_THROUGH) }] : []),
    { label: 'All facts about this node', run: () => useView.getState().setPanel('inspector') },
  ]
  const closing = useRef(close)
  closing.current = close
  useEffect(() => {
    const before = document.activeElement
    ref.current?.querySelector('button')?.focus()
    const away = (e: Event): void => {
      if (!ref.current?.contains(e.target as Node)) closing.current()
    }
    addEventListener('pointerdown', away, true)
    addEventListener('wheel', away, true)
    return () => {
      removeEventListener('pointerdown', away, true)
      removeEventListener('wheel', away, true)
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus()
    }
  }, [])
  const step = (by: number): void => {
    const all = [...(ref.current?.querySelectorAll('button') ?? [])]
    const i = all.findIndex((b) => b === document.activeElement)
    all[(i + by + all.length) % all.length]?.focus()
  }
  return (
    <div
      ref={ref}
      className="node-menu"
      role="menu"
      aria-label={`Node ${name}`}
      style={{
        left: Math.min(clientX, innerWidth - WIDTH - 8),
        top: Math.min(clientY, innerHeight - items.length * ROW - 40),
        width: WIDTH,
      }}
      onKeyDown={(e) => {
        if (e.key === 'ArrowDown') step(1)
        else if (e.key === 'ArrowUp') step(-1)
        else if (e.key === 'Escape' || e.key === 'Tab') close()
        else return
        e.preventDefault()
        e.stopPropagation()
      }}
    >
      <p className="muted mono ellipsis" aria-hidden="true">
        {name}
      </p>
      {items.map(({ label, run }) => (
        <button
          key={label}
          role="menuitem"
          onClick={() => {
            close()
            run()
          }}
        >
          {label}
        </button>
      ))}
    </div>
  )
}
