/** The guide: a page of docs/systems, shown below the editor. */
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { activeEditor } from '../../commands/surfaces'
import { runById } from '../../commands/registry'
import { graphsOf } from '../../../workspace'
import { useWorkspace } from '../../session/workspace_store'
import { exampleNow, openExample, useExamples, useGuide } from '../../examples/examples'
import { messageOf } from '../../../base/error_message'
import { paragraph, type Block } from '../../markdown/markdown'
import { Markdown } from '../../markdown/Markdown'
import { CloseButton, LinkButton } from '../../ui/Button'
import styles from './Guide.module.css'
import { css, cx } from '../../ui/css'

/** The pages of docs/systems, each fetched on demand. */
const PAGES = import.meta.glob<readonly Block[]>('../../../../docs/systems/*.md', { import: 'default' })

const pathOf = (page: string): string => `../../../../docs/systems/${page}.md`

const hasPage = (page: string): boolean => pathOf(page) in PAGES

/** The blocks of docs/systems/PAGE.md; null if the page does not exist. */
async function loadPage(page: string): Promise<readonly Block[] | null> {
  return (await PAGES[pathOf(page)]?.()) ?? null
}

export function Guide() {
  const page = useGuide((s) => s.page)
  return page && <GuidePage page={page} />
}

/** Closes the guide once no graph that it opened with is left, because it describes those graphs. */
function useClosedWithItsGraphs(page: string): void {
  const origin = useWorkspace((s) => s.origin)
  const workspace = useWorkspace((s) => s.workspace)
  const names = graphsOf(workspace).map((g) => g.name)
  const key = JSON.stringify([page, origin])
  const [opened, setOpened] = useState({ key, names })
  if (opened.key !== key) setOpened({ key, names })
  const gone = opened.key === key && !names.some((n) => opened.names.includes(n))
  useEffect(() => {
    if (gone) useGuide.setState({ page: null })
  }, [gone])
}

function GuidePage({ page }: { page: string }) {
  useClosedWithItsGraphs(page)
  const region = useRef<HTMLElement>(null)
  const [{ blocks, of }, setShown] = useState<{ blocks: readonly Block[]; of: string }>({ blocks: [], of: '' })
  useEffect(() => {
    let gone = false
    const show = (found: readonly Block[]): void => void (!gone && setShown({ blocks: found, of: page }))
    loadPage(page).then(
      (found) => show(found ?? [paragraph(`There is no page ${page}.`)]),
      (e) => show([paragraph(`The page could not be loaded: ${messageOf(e)}`)]),
    )
    return () => {
      gone = true
    }
  }, [page])
  // Focuses the guide when it opens; a change of page keeps the focus.
  useEffect(() => {
    region.current?.focus()
    // Text that the guide tells the user to edit stays visible above it.
    const startAt = exampleNow()?.view?.startAt
    if (startAt !== undefined) requestAnimationFrame(() => activeEditor()?.reveal(startAt))
  }, [])
  return (
    <section
      ref={region}
      className={styles.guide}
      data-region="guide"
      aria-label="What to look at"
      data-testid="guide"
      tabIndex={-1}
    >
      <div className={styles.bar}>
        <span className={cx(css.grow, css.muted)}>What to look at</span>
        <LinkButton onClick={() => runById('gallery')}>All examples</LinkButton>
        <CloseButton label="Close the guide" hint="Close" onClick={() => useGuide.setState({ page: null })} />
      </div>
      <div key={of} className={styles.body} tabIndex={0}>
        <Markdown blocks={blocks} link={linkTo} />
      </div>
    </section>
  )
}

/** Link handler: a page opens in the guide, an example's folder opens the example; null for targets outside the app. */
function linkTo(to: string, text: string): ReactNode {
  const page = /^(?:\.\/)?([\w-]+)\.md$/.exec(to)?.[1]
  const example = /public\/examples\/([\w-]+)\/?$/.exec(to)?.[1]
  if (page && hasPage(page)) return <LinkButton onClick={() => useGuide.setState({ page })}>{text}</LinkButton>
  if (example && useExamples.getState().list.some((e) => e.id === example))
    return <LinkButton onClick={() => exampleNow()?.id !== example && void openExample(example)}>{text}</LinkButton>
  if (/^https?:\/\//.test(to))
    return (
      <a href={to} target="_blank" rel="noreferrer">
        {text}
      </a>
    )
  return null
}
