import { useView } from '../session/view_store'
import { LinkButton } from './Button'

/** A node's name as a link: a click selects the node, hovering highlights it. */
export function NodeLink({ name, side = 'before' }: { name: string; side?: 'before' | 'after' }) {
  const selection = { kind: 'node', side, name } as const
  return (
    <LinkButton
      mono
      onClick={() => useView.getState().select(selection)}
      onMouseEnter={() => useView.getState().setHover(selection)}
      onMouseLeave={() => useView.getState().setHover(null)}
    >
      {name}
    </LinkButton>
  )
}
