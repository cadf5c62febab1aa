/** Pasted output of TORCHINDUCTOR_PATTERN_MATCH_DEBUG; kept while the panel is hidden, until another workspace opens. */
import { createSessionStore } from '../../session/session_store'
import { useView } from '../../session/view_store'

export const usePasteOutput = createSessionStore(() => ({
  /** The pasted output is shown instead of the near misses. */
  open: false,
  text: '',
}))

export function openPasteOutput(): void {
  usePasteOutput.setState({ open: true })
  useView.getState().setPanel('whynot')
}
