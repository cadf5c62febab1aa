/** Commands of the pasted debug output. */
import type { Command } from '../../commands/types'
import { openPasteOutput } from './store'

export const PASTE_OUTPUT: Command = {
  id: 'paste-output',
  title: 'Paste the output of TORCHINDUCTOR_PATTERN_MATCH_DEBUG…',
  group: 'Panels',
  run: openPasteOutput,
}
