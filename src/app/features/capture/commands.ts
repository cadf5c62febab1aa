/** The command that downloads the recording script. */
import type { Command } from '../../commands/types'
import { downloadScript } from './script'

export const DOWNLOAD_CAPTURE_SCRIPT: Command = {
  id: 'capture-script',
  title: 'Download fusescope_capture.py, which records a real run',
  group: 'Files',
  run: downloadScript,
}
