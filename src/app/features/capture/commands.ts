/** The command that downloads the recording script, which is served beside the page. */
import type { Command } from '../../commands/types'

export const SCRIPT_NAME = 'fusescope_capture.py'

export const DOWNLOAD_CAPTURE_SCRIPT: Command = {
  id: 'capture-script',
  title: 'Download fusescope_capture.py, which records a real run',
  group: 'Files',
  run() {
    const a = document.createElement('a')
    a.href = new URL(`capture/${SCRIPT_NAME}`, document.baseURI).href
    a.download = SCRIPT_NAME
    a.click()
  },
}
