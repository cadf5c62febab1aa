/** One row of the table of inputs: its shape as typed, its dtype, and the guessed shape. */
import { useState } from 'react'
import type { ShapeRow } from '../../../engine/protocol'
import { annotationOf, DTYPE_CHOICES, partsOf } from '../../../engine/shapes/typed_text'
import { Badge } from '../../ui/Badge'
import { LinkButton } from '../../ui/Button'
import { Input, Select } from '../../ui/Field'
import { NodeLink } from '../../ui/NodeLink'
import { giveShape } from './shapes'
import { useShapes } from './shapes'
import { css, cx } from '../../ui/css'
import styles from './ShapesTable.module.css'

interface Props {
  row: ShapeRow
  /** From the workspace, which may be newer than the report. */
  given: string | null
  /** The model's dtype, for a shape typed without one. */
  dtype: string
  /** True if a place that lacks only shapes depends on it. */
  needed: boolean
  move(by: 1 | -1): void
}

export function ShapeRowView({ row, given, dtype: ofModel, needed, move }: Props) {
  const { text, setText, dtype, setDtype, problem, accept, settle } = useShapeField(row, given, ofModel)
  return (
    <tr data-testid="shape-row" data-needed={needed || undefined}>
      <th scope="row" className={css.mono}>
        <NodeLink name={row.name} />
        {row.target !== null && <div className={styles.target}>{row.target}</div>}
      </th>
      <td>
        <Input
          mono
          data-row={row.name}
          aria-label={`Shape of ${row.name}`}
          aria-invalid={problem !== null || undefined}
          placeholder={row.guess ? partsOf(row.guess.text).shape : '48, 256'}
          spellCheck={false}
          autoComplete="off"
          value={text}
          onValue={setText}
          onBlur={settle}
          onKeyDown={(e) => {
            if (e.key === 'Enter') {
              if (text === '') accept()
              move(e.shiftKey ? -1 : 1)
            } else if (e.key === 'ArrowDown') move(1)
            else if (e.key === 'ArrowUp') move(-1)
            else return
            e.preventDefault()
          }}
        />
        {problem !== null && (
          <p className={cx(css.tiny, css.bad)} role="alert">
            {problem}
          </p>
        )}
      </td>
      <td>
        <Select
          mono
          aria-label={`dtype of ${row.name}`}
          value={dtype}
          onValue={setDtype}
          options={DTYPE_CHOICES.map((d) => [d, d])}
        />
      </td>
      <td>
        {given === null ? (
          <Guess row={row} needed={needed} accept={accept} />
        ) : (
          <span className={css.muted}>given</span>
        )}
      </td>
    </tr>
  )
}

/** The text of a row. While it is not a shape, it stays here and the workspace keeps the last valid shape. */
function useShapeField(row: ShapeRow, given: string | null, ofModel: string) {
  const parts = given === null ? null : partsOf(given)
  const [draft, setDraft] = useState<string | null>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const dtype = parts?.dtype ?? chosen ?? (row.guess && partsOf(row.guess.text).dtype) ?? ofModel
  const typed = draft === null ? null : annotationOf(draft, dtype)
  return {
    text: draft ?? parts?.shape ?? '',
    dtype,
    problem: typed && 'problem' in typed ? typed.problem : draft === null ? row.problem : null,
    setText(text: string): void {
      setDraft(text)
      const next = annotationOf(text, dtype)
      if (next === null) giveShape(row.name, null, true)
      else if ('text' in next) giveShape(row.name, next.text, true)
    },
    setDtype(next: string): void {
      setChosen(next)
      if (parts?.dtype) giveShape(row.name, next + parts.shape)
    },
    accept(): void {
      if (!row.guess || row.guess.text.includes('?')) return
      setDraft(null)
      giveShape(row.name, row.guess.text)
    },
    /** The field shows the shape as the workspace has it. */
    settle(): void {
      useShapes.setState({ typingIn: null })
      if (typed === null || 'text' in typed) setDraft(null)
    },
  }
}

function Guess({ row: { name, guess }, needed, accept }: Pick<Props, 'row' | 'needed'> & { accept(): void }) {
  if (!guess) return needed ? <span className={css.muted}>a place needs it</span> : null
  return (
    <span className={styles.guess}>
      <Badge tone={guess.used ? 'warn' : undefined}>{guess.used ? 'assumed' : 'guess'}</Badge> <code>{guess.text}</code>{' '}
      {!guess.text.includes('?') && (
        <LinkButton aria-label={`Accept the guess for ${name}`} onClick={accept}>
          Accept
        </LinkButton>
      )}
      <span className={cx(styles.source, css.block)}>from {guess.source}</span>
    </span>
  )
}
