import * as Radix from '@radix-ui/react-dialog'
import { useRef, type ComponentProps, type ReactNode } from 'react'
import { visibleText } from '../../base/escapes'
import { perPage } from '../session/scope'
import { closeOverlay } from '../session/view_store'
import { CloseButton } from './Button'
import { css, cx } from './css'
import { Guard } from './Guard'
import styles from './Dialog.module.css'

/** The element that had the focus before a dialog opened, also if one dialog opens another, as the palette does. */
const outside = perPage(() => ({ focus: null as Element | null }))

function opener(): Element | null {
  const { activeElement } = document
  if (!activeElement?.closest('[role="dialog"]')) outside().focus = activeElement
  return outside().focus
}

interface DialogProps {
  title?: string
  label?: string
  flush?: boolean
  width?: number
  tall?: boolean
  className?: string
  onClose?(): void
  children: ReactNode
}

/**
 * A modal dialog: Escape, the button in its corner and a press outside close it, and the focus returns.
 * @param title its heading; absent: the content has one
 * @param label its accessible name; absent: the title
 * @param flush without padding
 * @param width in CSS pixels, where the page is as wide; absent: 640
 * @param tall as high as dialogs may be, whatever the content
 * @param onClose absent: the dialog is the page's overlay
 */
export function Dialog(props: DialogProps) {
  const { title, label = title, flush = false, width = 640, tall, className, onClose = closeOverlay, children } = props
  const before = useRef<Element | null>(null)
  before.current ??= opener()
  const content = useRef<HTMLDivElement>(null)
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        {/* Radix's overlay locks scrolling with a style sheet, which restyles the document; this page does not scroll. */}
        <div className={styles.overlay} />
        <Radix.Content
          ref={content}
          className={cx(styles.dialog, className)}
          style={{ width: `min(${width}px, 94vw)` }}
          data-flush={flush || undefined}
          data-tall={tall || undefined}
          aria-label={label}
          aria-labelledby={undefined}
          aria-describedby={undefined}
          onOpenAutoFocus={(e) => {
            e.preventDefault()
            // A focused button opens its tooltip, and Escape closes that first.
            const first = content.current?.querySelector<HTMLElement>('input, textarea') ?? content.current
            first?.focus()
          }}
          onCloseAutoFocus={(e) => {
            e.preventDefault()
            // The selected command may have moved the focus already.
            const lost = !document.activeElement || document.activeElement === document.body
            if (lost && before.current instanceof HTMLElement) before.current.focus()
          }}
        >
          <Radix.Title asChild>
            <span className={css.hidden}>{label}</span>
          </Radix.Title>
          <CloseButton size={16} className={styles.close} label="Close" hint="Close (Esc)" onClick={onClose} />
          {title !== undefined && <DialogHead title={title} />}
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** The visible heading of a dialog. @param children controls at its right */
export function DialogHead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={styles.head}>
      <h2 className={styles.title}>{visibleText(title)}</h2>
      {children}
    </div>
  )
}

/** The head of a dialog without padding: its content scrolls below it. */
export const DialogTop = (props: ComponentProps<'div'>) => <div className={styles.top} {...props} />

export function DialogActions(props: ComponentProps<'div'>) {
  return <div className={styles.actions} {...props} />
}

/** Error boundary of a dialog: an error is shown in a dialog too, which Escape closes. */
export const DialogGuard = ({ onClose, children }: { onClose(): void; children: ReactNode }) => (
  <Guard
    what="This dialog"
    onClose={onClose}
    frame={(said, close) => (
      <Dialog label="Failure" onClose={close}>
        {said}
      </Dialog>
    )}
  >
    {children}
  </Guard>
)
