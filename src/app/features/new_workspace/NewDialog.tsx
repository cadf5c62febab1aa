/** "New": a name and a template. */
import { useState } from 'react'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { Field, Input } from '../../ui/Field'
import { css, cx } from '../../ui/css'
import { startFrom } from './commands'
import { TEMPLATES } from './templates'
import styles from './NewDialog.module.css'

export function NewDialog() {
  const [name, setName] = useState('')
  return (
    <Dialog title="New workspace" width={520}>
      <Field label="Name">
        <Input
          data-testid="new-name"
          value={name}
          placeholder="Optional: without one, it is named after its content"
          maxLength={100}
          spellCheck={false}
          autoComplete="off"
          onValue={setName}
        />
      </Field>
      <ul className={cx(css.stack, css.gap2)} data-testid="templates">
        {TEMPLATES.map((t) => (
          <li key={t.id}>
            <Button className={styles.template} onClick={() => startFrom(t, name)}>
              <span className={css.strong}>{t.title}</span>
              <span className={css.muted}>{t.description}</span>
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
