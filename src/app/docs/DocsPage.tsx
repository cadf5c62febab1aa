/** One page: its sections with anchors, and links to the pages before and after it. */
import { useEffect, useMemo, useRef, type ReactNode, useState } from 'react'
import { Markdown } from '../markdown/Markdown'
import type { Block, Span } from '../markdown/markdown'
import { elementOf, plainText, rowIds, sectionsOf, type Section } from './anchors'
import { hashOf, targetOf, type DocsPlace } from './address'
import { LEARN } from './catalog'
import { DOCS_GROUPS } from './Navigation'
import { PAGES, titleOf } from './pages'
import styles from './DocsPage.module.css'
import { messageOf } from '../../base/error_message'
import type { LessonInfo } from '../../engine/lessons/catalog'
import { siteJson } from '../site_files'
import learnStyles from './Learn.module.css'
import { css, cx } from '../ui/css'

const NONE: readonly Block[] = []

export function DocsPage({ place: { page, anchor } }: { place: DocsPlace }) {
  const article = useRef<HTMLElement>(null)
  const blocks = PAGES.get(page) ?? NONE
  const sections = useMemo(() => sectionsOf(blocks), [blocks])
  const rows = useMemo(() => rowIds(blocks), [blocks])
  useEffect(() => {
    const target = anchor === '' ? null : document.getElementById(elementOf(blocks, anchor))
    for (const marked of article.current?.querySelectorAll('[data-target]') ?? [])
      delete (marked as HTMLElement).dataset.target
    if (!target) return article.current?.parentElement?.scrollTo(0, 0)
    target.dataset.target = ''
    target.scrollIntoView({ block: target instanceof HTMLTableRowElement ? 'center' : 'start' })
  }, [page, anchor, blocks])
  return (
    <article ref={article} className={styles.page}>
      {sections.map((s) => (
        <SectionView key={s.anchor} page={page} section={s} rowId={(cell) => rows.get(cell)} />
      ))}
      {sections.length === 0 && <p>There is no page {page.slice(0, 80)}.</p>}
      {page === LEARN && <Learn />}
      <Neighbors page={page} />
    </article>
  )
}

function SectionView({
  page,
  section,
  rowId,
}: {
  page: string
  section: Section
  rowId(cell: readonly Span[]): string | undefined
}) {
  const { anchor, level, heading, blocks } = section
  const title = plainText(heading)
  const Heading = level === 1 ? 'h1' : level === 2 ? 'h2' : 'h3'
  return (
    <section className={cx(styles.section, css.stack)} aria-label={title}>
      <Heading id={anchor || undefined}>
        {title}
        {anchor && (
          <a className={styles.anchor} href={hashOf({ page, anchor })} aria-label={`Link to “${title}”`}>
            #
          </a>
        )}
      </Heading>
      <Markdown blocks={blocks} link={(to, text) => linkOf(page, to, text)} rowId={rowId} wide />
    </section>
  )
}

function linkOf(from: string, to: string, text: string): ReactNode {
  const target = targetOf(from, to)
  if (target.kind === 'page') return PAGES.has(target.place.page) ? <a href={hashOf(target.place)}>{text}</a> : null
  if (target.kind === 'file') return <code>{text === target.path ? text : `${text} (${target.path})`}</code>
  return (
    <a href={target.href} {...(target.kind === 'web' && { target: '_blank', rel: 'noreferrer' })}>
      {text}
    </a>
  )
}

function Neighbors({ page }: { page: string }) {
  const all = DOCS_GROUPS.flatMap((g) => g.pages)
  const at = all.indexOf(page)
  const link = (to: string | undefined, label: string): ReactNode =>
    to && (
      <a href={hashOf({ page: to, anchor: '' })}>
        <small>{label}</small>
        {titleOf(to)}
      </a>
    )
  return (
    <nav className={styles.neighbors} aria-label="Pages before and after">
      <span>{link(at > 0 ? all[at - 1] : undefined, 'Before')}</span>
      <span>{link(at >= 0 ? all[at + 1] : undefined, 'Next')}</span>
    </nav>
  )
}

/** Lessons and articles (public/lessons/index.json) as links into the app. */
function Learn() {
  const [list, setList] = useState<readonly LessonInfo[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    siteJson<LessonInfo[]>('lessons/index.json').then(setList, (e) => setProblem(messageOf(e)))
  }, [])
  return (
    <section className={cx(learnStyles.learn, css.stack)} aria-label="List of lessons and articles">
      {problem && <p role="status">The list could not be loaded: {problem}</p>}
      <h2>Lessons</h2>
      <Lessons list={list.filter((l) => !l.kind)} />
      <h2>Articles</h2>
      <Lessons list={list.filter((l) => l.kind === 'article')} />
    </section>
  )
}

function Lessons({ list }: { list: readonly LessonInfo[] }) {
  return (
    <ol>
      {list.map(({ id, title, summary, minutes }) => (
        <li key={id}>
          <a href={`./?lesson=${id}&step=1`}>{title}</a> ({minutes} min)
          <p>{summary}</p>
        </li>
      ))}
    </ol>
  )
}
