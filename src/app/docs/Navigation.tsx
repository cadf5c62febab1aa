/** The pages by group. */
import { hashOf } from './address'
import { groupsOf } from './catalog'
import { PAGES, titleOf } from './pages'
import styles from './Navigation.module.css'

export const DOCS_GROUPS = groupsOf([...PAGES.keys()])

/** @param onGo a page was chosen */
export function Navigation({ page, onGo }: { page: string; onGo(): void }) {
  return (
    <nav className={styles.nav} aria-label="Documentation">
      {DOCS_GROUPS.map(({ title, pages }) => (
        <section key={title} aria-label={title}>
          <h2>{title}</h2>
          <ul>
            {pages.map((p) => (
              <li key={p}>
                <a href={hashOf({ page: p, anchor: '' })} aria-current={p === page ? 'page' : undefined} onClick={onGo}>
                  {titleOf(p)}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}
