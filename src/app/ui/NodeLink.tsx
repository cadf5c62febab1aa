import { useView } from '../session/view_store'
import { LinkButton } from './Button'

/** A node's name as a link: a click selects the node, hovering highlights it. */
interface NodeLinkProps {
  name: string
  side?: 'before' | 'after'
  /** Shown instead of the name. */
  text?: string
}

export function NodeLink({ name, side = 'before', text = name }: NodeLinkProps) {
  const selection = { kind: 'node', side, name } as const
  return (
    <LinkButton
      mono={text === name}
      onClick={() => useView.getState().select(selection)}
      onMouseEnter={() => useView.getState().setHover(selection)}
      onMouseLeave={() => useView.getState().setHover(null)}
    >
      {text}
    </LinkButton>
  )
}
