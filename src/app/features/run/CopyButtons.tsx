/** Buttons that copy figures in one of several formats. */
import { toast } from '../../session/view_store'
import { Icon } from '../../ui/icons'
import { cx } from '../../ui/cx'
import { Button } from '../../ui/Button'
import { copyText } from '../../ui/clipboard'
import css from '../../ui/text.module.css'
import styles from './CopyButtons.module.css'

export function CopyButtons({ texts }: { texts: Readonly<Record<string, () => string>> }) {
  return (
    <div className={cx(css.row, styles.copy)}>
      {Object.entries(texts).map(([name, text]) => (
        <Button key={name} aria-label={`Copy as ${name}`} onClick={() => void copy(text(), name)}>
          <Icon name="copy" />
          {name}
        </Button>
      ))}
    </div>
  )
}

async function copy(text: string, as: string): Promise<void> {
  if (await copyText(text)) toast(`Copied as ${as}.`)
  else toast('The browser refused to copy. Allow the clipboard for this page and try again.', { tone: 'bad' })
}
