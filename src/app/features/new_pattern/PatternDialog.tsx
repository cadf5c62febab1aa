/** "Pattern from the selection": its matches, its options, its Python. */
import { useEffect } from 'react'
import { count } from '../../../base/english'
import type { ConstantChoice, MadePattern, PatternConstant } from '../../../engine/protocol'
import { useRun } from '../../session/run_store'
import { Button, LinkButton } from '../../ui/Button'
import { copyText } from '../../ui/clipboard'
import { Dialog, DialogActions } from '../../ui/Dialog'
import { Field, Input } from '../../ui/Field'
import { Icon } from '../../ui/icons'
import { Notice } from '../../ui/Messages'
import { Segmented } from '../../ui/Segmented'
import { Table } from '../../ui/Table'
import { css } from '../../ui/css'
import { nodesBetween } from './nodes_between'
import { setPicked } from '../../on_screen/picked/picking'
import { addToWorkspace, requestPattern } from './request'
import { useNewPattern } from '../../on_screen/picked/store'
import styles from './PatternDialog.module.css'

export function PatternDialog() {
  const { picked, name, form, parameters, answer, waiting } = useNewPattern()
  useEffect(() => {
    void requestPattern()
  }, [picked, name, form, parameters])
  const made = answer?.made ?? null
  return (
    <Dialog label="Pattern from the selection" title={`Pattern from ${count(picked.length, 'node')}`} width={860}>
      <Picked picked={picked} />
      {!waiting && answer?.refused ? (
        <Notice tone="bad">{answer.refused}</Notice>
      ) : (
        <p role="status" data-testid="pattern-status">
          {waiting || !made ? 'Running the pattern…' : <Matches made={made} />}
        </p>
      )}
      {made && <Choices made={made} choices={answer!.choices} />}
      {made?.notes.map((note) => (
        <p key={note} className={css.muted}>
          {note}
        </p>
      ))}
      {made && (
        <pre className={styles.python} data-testid="pattern-python" tabIndex={0} aria-label="Python of the pattern">
          {made.python}
        </pre>
      )}
      <DialogActions>
        <Button disabled={!made} onClick={() => made && void copyText(made.python)}>
          <Icon name="copy" />
          Copy
        </Button>
        <Button
          variant="primary"
          data-testid="pattern-add"
          disabled={!made || waiting}
          onClick={() => made && void addToWorkspace(made.name, made.python)}
        >
          Add to the workspace
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** The picked nodes, and those between them. */
function Picked({ picked }: { picked: readonly string[] }) {
  const graph = useRun((s) => s.graphRead.value ?? s.result.value?.graph ?? null)
  const between = graph ? nodesBetween(graph, picked) : []
  return (
    <div>
      <p className={styles.nodes}>{picked.join(', ')}</p>
      {between.length > 0 && (
        <LinkButton onClick={() => setPicked([...picked, ...between])}>
          Add the {count(between.length, 'node')} between them
        </LinkButton>
      )}
    </div>
  )
}

function Matches({ made: { matches } }: { made: MadePattern }) {
  return (
    <>
      Matches the selection
      {matches > 1 && ` and ${count(matches - 1, 'equal place')}`}.
    </>
  )
}

function Choices({ made, choices }: { made: MadePattern; choices: readonly ConstantChoice[] }) {
  const { form } = useNewPattern()
  return (
    <>
      <div className={styles.row}>
        <Field label="Name">
          <Input
            mono
            data-testid="pattern-name"
            defaultValue={made.name}
            spellCheck={false}
            autoComplete="off"
            onBlur={(e) => rename(e.target.value)}
            onKeyDown={(e) => {
              if (e.key === 'Enter') rename(e.currentTarget.value)
            }}
          />
        </Field>
        <Segmented
          label="Form of the pattern"
          value={form ?? made.form}
          segments={[
            { value: 'traced', label: 'Search function', disabled: form === null && made.form === 'expression' },
            { value: 'expression', label: 'PatternExpr' },
          ]}
          onChange={(next) => useNewPattern.setState({ form: next })}
        />
      </div>
      {made.constants.length > 0 && (
        <Table variant="grid" aria-label="Constants">
          <tbody>
            {made.constants.map((c) => (
              <ConstantRow key={c.name} constant={c} made={made} choice={choices.find((x) => x.name === c.name)} />
            ))}
          </tbody>
        </Table>
      )}
    </>
  )
}

function rename(name: string): void {
  const { answer } = useNewPattern.getState()
  if (name !== '' && name !== answer?.made?.name) useNewPattern.setState({ name })
}

interface ConstantRowProps {
  constant: PatternConstant
  made: MadePattern
  choice: ConstantChoice | undefined
}

function ConstantRow({ constant: { name, text, nodes }, made, choice }: ConstantRowProps) {
  const places = (n: number | null | undefined): string =>
    n === undefined || n === null ? '' : ` · ${count(n, 'place')}`
  const set = (value: string): void => {
    const others = made.parameters.filter((p) => p !== name)
    useNewPattern.setState({ parameters: value === 'parameter' ? [...others, name] : others })
  }
  return (
    <tr>
      <th scope="row" className={css.mono} title={nodes.join(', ')}>
        {name} = {text}
      </th>
      <td>
        <Segmented
          label={`Constant ${name}`}
          value={made.parameters.includes(name) ? 'parameter' : 'written'}
          segments={[
            { value: 'written', label: `${text}${places(choice?.written)}` },
            {
              value: 'parameter',
              label: `Any ${name}${places(choice?.parameter)}`,
              disabled: choice?.parameter === null,
            },
          ]}
          onChange={set}
        />
      </td>
    </tr>
  )
}
