import { Component, type ReactNode } from 'react'
import { Button } from './Button'
import { EmptyState } from './Messages'

/** Keeps our own mistake in one part of the screen from taking the rest, and the person's text, with it. */
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
