import { useView } from '../session/view_store'

/** A node's name; pressing it selects the node, pointing at it lights it up. */
export function NodeLink({ name, side = 'before' }: { name: string; side?: 'before' | 'after' }) {
  const selection = { kind: 'node', side, name } as const
  return (
    <button
      className="link mono"
      onClick={() => useView.getState().select(selection)}
      onMouseEnter={() => useView.getState().setHover(selection)}
      onMouseLeave={() => useView.getState().setHover(null)}
    >
      {name}
    </button>
  )
}
