/** State of the table of inputs: open or not, and earlier shapes for undo. */
import { createSessionStore } from '../../session/session_store'

/** Shapes by node name, as the workspace has them. */
export type InputShapes = Readonly<Record<string, string>>

export const useShapes = createSessionStore(() => ({
  open: false,
  /** Shapes before each edit, the oldest first. */
  past: [] as readonly InputShapes[],
  /** The row of the last edit, while its keystrokes are one edit. */
  typingIn: null as string | null,
}))

/** Opens the table of inputs; the first field without a shape takes the focus. */
export const openShapes = (): void => useShapes.setState({ open: true })
