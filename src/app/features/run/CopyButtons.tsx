/** Buttons that copy figures in one of several formats. */
import { Icon } from '../../ui/icons'
import { css, cx } from '../../ui/css'
import { Button } from '../../ui/Button'
import { copyAndSay } from '../../ui/clipboard'
import styles from './CopyButtons.module.css'

export function CopyButtons({ texts }: { texts: Readonly<Record<string, () => string>> }) {
  return (
    <div className={cx(css.row, styles.copy)}>
      {Object.entries(texts).map(([name, text]) => (
        <Button key={name} aria-label={`Copy as ${name}`} onClick={() => void copyAndSay(text(), `Copied as ${name}.`)}>
          <Icon name="copy" />
          {name}
        </Button>
      ))}
    </div>
  )
}
