/** The frame of the documentation: head with search, navigation, and the page that the address names. */
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useTheme } from '../theme/theme_store'
import { IconButton } from '../ui/Button'
import { Icon } from '../ui/icons'
import { placeOf, type DocsPlace } from './address'
import { DocsPage } from './DocsPage'
import { Navigation } from './Navigation'
import { titleOf } from './pages'
import { Search } from './Search'
import styles from './DocsApp.module.css'
import { css, cx } from '../ui/css'

const onHash = (notify: () => void): (() => void) => {
  addEventListener('hashchange', notify)
  return () => removeEventListener('hashchange', notify)
}

/** The page and anchor that the address names. */
function usePlace(): DocsPlace {
  const hash = useSyncExternalStore(onHash, () => location.hash)
  return placeOf(hash)
}

export function DocsApp() {
  const place = usePlace()
  const [open, setOpen] = useState(false)
  useEffect(() => {
    document.title = `${titleOf(place.page)} · Fusescope`
  }, [place.page])
  return (
    <div className={cx(css.column, css.tall)}>
      <header className={styles.head}>
        <a className={styles.home} href="./">
          <Icon name="graph" size={18} />
          Fusescope
        </a>
        <button className={styles.menu} aria-expanded={open} onClick={() => setOpen(!open)}>
          Pages
        </button>
        <Search />
        <ThemeButton />
      </header>
      <div className={cx(styles.columns, css.fill, css.flex)}>
        <div className={styles.side} data-open={open || undefined}>
          <Navigation page={place.page} onGo={() => setOpen(false)} />
        </div>
        <main className={styles.main} tabIndex={0} aria-label="Page">
          <DocsPage place={place} />
        </main>
      </div>
    </div>
  )
}

function ThemeButton() {
  const { theme, toggle } = useTheme()
  const other = theme === 'dark' ? 'light' : 'dark'
  return (
    <IconButton
      variant="quiet"
      icon={theme === 'dark' ? 'sun' : 'moon'}
      label={`Switch to the ${other} theme`}
      onClick={toggle}
    />
  )
}
