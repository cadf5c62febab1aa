/** What to look at: a page of docs/systems below the editor, beside what it speaks of. */
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { runCommand } from '../../commands/types'
import { OPEN_GALLERY } from './commands'
import { exampleNow, openExample, useExamples } from './examples'
import { hasPage, loadPage } from './pages'
import { messageOf } from '../../../base/error_message'
import { readMarkdown } from './markdown'
import { Icon } from '../../ui/icons'
import { useGuide } from './guide_store'
import { Markdown } from './Markdown'
import './guide.css'

export function Guide() {
  const page = useGuide((s) => s.page)
  return page && <GuidePage page={page} />
}

function GuidePage({ page }: { page: string }) {
  const region = useRef<HTMLElement>(null)
  const [{ text, of }, setShown] = useState({ text: '', of: '' })
  useEffect(() => {
    let gone = false
    const show = (found: string): void => void (!gone && setShown({ text: found, of: page }))
    loadPage(page).then(
      (found) => show(found ?? `There is no page ${page}.`),
      (e) => show(`The page could not be loaded: ${messageOf(e)}`),
    )
    return () => {
      gone = true
    }
  }, [page])
  // When it opens; another page in it leaves the keyboard where it is.
  useEffect(() => region.current?.focus(), [])
  return (
    <section ref={region} className="guide" aria-label="What to look at" data-testid="guide" tabIndex={-1}>
      <div className="guide-bar">
        <span className="muted">What to look at</span>
        <button className="link" onClick={() => runCommand(OPEN_GALLERY)}>
          All examples
        </button>
        <button
          className="btn quiet"
          aria-label="Close what to look at"
          title="Close"
          onClick={() => useGuide.setState({ page: null })}
        >
          <Icon name="close" />
        </button>
      </div>
      <div key={of} className="guide-body" tabIndex={0}>
        <Markdown blocks={readMarkdown(text)} link={linkTo} />
      </div>
    </section>
  )
}

/** A link to another page opens it here, one to an example's folder opens the example; null for what is not in the app. */
function linkTo(to: string, text: string): ReactNode {
  const page = /^(?:\.\/)?([\w-]+)\.md$/.exec(to)?.[1]
  const example = /public\/examples\/([\w-]+)\/?$/.exec(to)?.[1]
  if (page && hasPage(page))
    return (
      <button className="link" onClick={() => useGuide.setState({ page })}>
        {text}
      </button>
    )
  if (example && useExamples.getState().list.some((e) => e.id === example))
    return (
      <button className="link" onClick={() => exampleNow()?.id !== example && void openExample(example)}>
        {text}
      </button>
    )
  if (/^https?:\/\//.test(to))
    return (
      <a href={to} target="_blank" rel="noreferrer">
        {text}
      </a>
    )
  return null
}
