/** A near miss as a sentence that can be pressed; names between backticks are set as code. */
import { Fragment } from 'react'
import type { NearMiss, PassReport } from '../../engine/protocol'
import { useView } from '../stores/view'

export function Sentence({ text }: { text: string }) {
  return (
    <>{text.split('`').map((part, i) => (i % 2 ? <code key={i}>{part}</code> : <Fragment key={i}>{part}</Fragment>))}</>
  )
}

export function NearMissButton({ pass, miss }: { pass: PassReport; miss: NearMiss }) {
  const selected = useView(
    (s) => s.selection?.kind === 'nearMiss' && s.selection.pass === pass.name && s.selection.index === miss.index,
  )
  const selection = { kind: 'nearMiss', pass: pass.name, index: miss.index } as const
  return (
    <button
      className={`note ${selected ? 'selected' : ''}`}
      data-testid="near-miss"
      aria-pressed={selected}
      onClick={() => useView.getState().select(selection)}
      onMouseEnter={() => useView.getState().setHover(selection)}
      onMouseLeave={() => useView.getState().setHover(null)}
    >
      <Sentence text={miss.sentence} />
    </button>
  )
}
