import { useView } from '../session/view_store'
import { Icon } from '../ui/icons'

export function Toasts() {
  const toasts = useView((s) => s.toasts)
  const { dismiss } = useView.getState()
  return (
    <div className="toasts" role="status" aria-live="polite">
      {toasts.map((t) => (
        <div key={t.id} className={`toast ${t.tone}`}>
          <span>{t.text}</span>
          {t.action && (
            <button
              className="btn"
              onClick={() => {
                dismiss(t.id)
                t.action!.run()
              }}
            >
              {t.action.label}
            </button>
          )}
          <button className="btn quiet" aria-label="Dismiss" onClick={() => dismiss(t.id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  )
}
