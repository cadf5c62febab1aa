import { useView } from '../session/view_store'
import { Button, CloseButton } from '../ui/Button'
import styles from './Toasts.module.css'

export function Toasts() {
  const toasts = useView((s) => s.toasts)
  const { dismiss } = useView.getState()
  return (
    <div className={styles.toasts} role="status" aria-live="polite">
      {toasts.map((t) => (
        <div key={t.id} className={styles.toast} data-tone={t.tone}>
          <span>{t.text}</span>
          {t.action && (
            <Button
              onClick={() => {
                dismiss(t.id)
                t.action!.run()
              }}
            >
              {t.action.label}
            </Button>
          )}
          <CloseButton label="Dismiss" onClick={() => dismiss(t.id)} />
        </div>
      ))}
    </div>
  )
}
