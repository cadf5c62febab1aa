/** One step in the recorder: its title, text and checks; the other steps are one line each. */
import { useState } from 'react'
import { plainText } from '../../../../base/message'
import type { PanelId } from '../../../../workspace/types'
import { useRun } from '../../../session/run_store'
import { useView } from '../../../session/view_store'
import { useWorkspace } from '../../../session/workspace_store'
import { Button, CloseButton } from '../../../ui/Button'
import { Field, Input, Select, TextArea } from '../../../ui/Field'
import type { Check } from '../../../../engine/lessons/catalog'
import { evaluate } from '../../../../engine/lessons/checks'
import type { LessonDraft } from '../files/lesson_files'
import { checksNow, shownText } from './record'
import { deleteStep, isOnScreen, moveStep, recordAgain, setChecks, setText, showStep } from './store'
import styles from './RecorderPanel.module.css'
import { css, cx } from '../../../ui/css'

interface RecordedStepProps {
  draft: LessonDraft
  step: LessonDraft['steps'][number]
  index: number
  editing: boolean
}

const PANEL_LABELS: Partial<Record<PanelId, string>> = { whynot: 'Why not', inspector: 'Node' }
const labelOf = (id: PanelId | undefined): string =>
  id === undefined ? '' : (PANEL_LABELS[id] ?? id[0]!.toUpperCase() + id.slice(1))

export function RecordedStep({ draft, step, index, editing }: RecordedStepProps) {
  const name = `step ${index + 1}`
  if (!editing)
    return (
      <li className={css.flex}>
        <Button variant="quiet" className={styles.open} title="Show this step" onClick={() => void showStep(index)}>
          {index + 1}. {step.title}
        </Button>
      </li>
    )
  return (
    <li className={styles.step} data-editing data-testid="recorded-step">
      <div className={cx(css.row, css.gap2, css.wraps)}>
        <strong>Step {index + 1}</strong>
        <span className={css.spring} />
        <Button
          variant="quiet"
          disabled={index === 0}
          aria-label={`Move ${name} up`}
          onClick={() => moveStep(index, -1)}
        >
          ↑
        </Button>
        <Button
          variant="quiet"
          disabled={index === draft.steps.length - 1}
          aria-label={`Move ${name} down`}
          onClick={() => moveStep(index, 1)}
        >
          ↓
        </Button>
        <CloseButton label={`Delete ${name}`} disabled={draft.steps.length < 2} onClick={() => deleteStep(index)} />
      </div>
      <Field label="Heading">
        <Input value={step.title} maxLength={200} onValue={(value) => setText(index, { title: value })} />
      </Field>
      <Field label="Text, Markdown; [mul](#mul) links a node, [anchor](term:anchor) explains a term">
        <TextArea
          rows={6}
          value={step.text}
          data-testid="recorder-text"
          onValue={(value) => setText(index, { text: value })}
        />
      </Field>
      <p className={css.muted}>Shows: {shownText(step, labelOf(step.panel))}.</p>
      <div className={cx(css.row, css.gap2, css.wraps)}>
        <Button onClick={() => void showStep(index)}>Show it</Button>
        <Button onClick={() => recordAgain(index)}>Record this screen instead</Button>
      </div>
      <Checks draft={draft} index={index} claims={step.claims ?? []} />
    </li>
  )
}

/** Facts that the text states; `npm run lessons` verifies them. */
function Checks({ draft, index, claims }: { draft: LessonDraft; index: number; claims: readonly Check[] }) {
  const report = useRun((s) => s.result.value)
  const workspace = useWorkspace((s) => s.workspace)
  const selection = useView((s) => s.selection)
  const [chosen, setChosen] = useState(0)
  const here = report !== null && isOnScreen(draft, index)
  const known = claims.map((c) => JSON.stringify(c))
  const offered = here ? checksNow(report, selection).filter((c) => !known.includes(JSON.stringify(c))) : []
  const context = here ? { report, workspace } : null
  const goalOf = (check: Check): string =>
    report ? plainText(evaluate(check, { report, workspace }).goal) : check.check
  return (
    <div className={cx(css.stack, css.gap2)}>
      <ul aria-label={`Checks of step ${index + 1}`}>
        {claims.map((check, i) => {
          const differs = context && check.check !== 'visits' ? evaluate(check, context).differs : null
          return (
            <li key={known[i]} className={styles.check} data-fails={differs !== null || undefined}>
              <span>
                {goalOf(check)}
                {differs && `: ${plainText(differs)}`}
              </span>
              <CloseButton
                label={`Remove the check “${goalOf(check)}”`}
                onClick={() => setChecks(index, claims.toSpliced(i, 1))}
              />
            </li>
          )
        })}
      </ul>
      {offered.length > 0 ? (
        <div className={cx(css.row, css.gap2, css.wraps)}>
          <Select
            className={styles.choice}
            aria-label="A fact of the present result"
            value={Math.min(chosen, offered.length - 1)}
            onValue={(value) => setChosen(Number(value))}
            options={offered.map((check, i) => [i, goalOf(check)])}
          />
          <Button
            data-testid="recorder-check"
            onClick={() => setChecks(index, [...claims, offered[Math.min(chosen, offered.length - 1)]!])}
          >
            Add a check
          </Button>
        </div>
      ) : (
        !here && <p className={css.muted}>Show the step to add checks of its result.</p>
      )}
    </div>
  )
}
