/** Pasted output of TORCHINDUCTOR_PATTERN_MATCH_DEBUG; kept while the panel is hidden, until another workspace opens. */
import type { Command } from '../../commands/types'
import { createSessionStore } from '../../session/session_store'
import { useView } from '../../session/view_store'

export const usePasteOutput = createSessionStore(() => ({
  /** True if the pasted output is shown instead of the near misses. */
  open: false,
  text: '',
}))

export const PASTE_OUTPUT: Command = {
  id: 'paste-output',
  title: 'Paste the output of TORCHINDUCTOR_PATTERN_MATCH_DEBUG…',
  group: 'Panels',
  run() {
    usePasteOutput.setState({ open: true })
    useView.getState().setPanel('whynot')
  },
}
