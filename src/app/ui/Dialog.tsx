import { useEffect, useRef, type ReactNode } from 'react'

/** A modal over the page: focus goes in and comes back, Escape and a click beside it close it. */
export function Dialog({
  label,
  className = '',
  onClose,
  children,
}: {
  label: string
  className?: string
  onClose(): void
  children: ReactNode
}) {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = ref.current!
    const before = document.activeElement
    if (!dialog.open) dialog.showModal()
    // React focuses before the dialog is shown, which does nothing; showModal then takes whatever comes first.
    dialog.querySelector<HTMLElement>('input, textarea')?.focus()
    return () => {
      dialog.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={ref}
      className={`dialog ${className}`}
      aria-label={label}
      onCancel={(e) => {
        e.preventDefault()
        onClose()
      }}
      onClick={(e) => {
        if (e.target === ref.current) onClose()
      }}
    >
      <div className="dialog-body">{children}</div>
    </dialog>
  )
}
