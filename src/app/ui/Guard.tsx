import { Component, type ReactNode } from 'react'
import { Button } from './Button'
import { copyText } from './clipboard'
import { EmptyState } from './Messages'

interface Props {
  /** The part, as the beginning of a sentence: `The editor`. */
  what: string
  /** Closes the part, if it can be closed. */
  onClose?(): void
  /** An element around the message; absent: none. */
  frame?(message: ReactNode, close: () => void): ReactNode
  children: ReactNode
}

/** Error boundary: a bug in one part of the screen does not take down the rest, or the user's text. */
export class Guard extends Component<Props, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }

  static getDerivedStateFromError(thrown: unknown): { error: Error } {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) }
  }

  override componentDidCatch(error: unknown): void {
    console.error(error)
  }

  override render(): ReactNode {
    const { error } = this.state
    const { what, onClose, frame, children } = this.props
    if (!error) return children
    const close = (): void => {
      onClose?.()
      this.setState({ error: null })
    }
    const said = (
      <EmptyState align="center" role="alert">
        <p>
          {what} failed: {error.message.slice(0, 300)}
        </p>
        <Button onClick={() => this.setState({ error: null })}>Try again</Button>
        <Button onClick={() => void copyText(detailsOf(what, error))}>Copy the details</Button>
        {onClose && !frame && <Button onClick={close}>Close</Button>}
      </EmptyState>
    )
    return frame ? frame(said, close) : said
  }
}

/** For a bug report. */
const detailsOf = (what: string, { message, stack }: Error): string =>
  [`${what} failed: ${message}`, stack, navigator.userAgent].join('\n').slice(0, 20_000)
