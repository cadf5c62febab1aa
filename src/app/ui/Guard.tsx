import { Component, type ReactNode } from 'react'
import { Button } from './Button'
import { EmptyState } from './Messages'

/** Error boundary: a bug in one part of the screen does not take down the rest, or the user's text. */
export class Guard extends Component<{ what: string; children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error }
  }

  override componentDidCatch(error: Error): void {
    console.error(error)
  }

  override render(): ReactNode {
    if (!this.state.error) return this.props.children
    return (
      <EmptyState align="center" role="alert">
        <p>
          {this.props.what} failed: {this.state.error.message}
        </p>
        <Button onClick={() => this.setState({ error: null })}>Try again</Button>
      </EmptyState>
    )
  }
}
