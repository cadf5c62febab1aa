/** The offer to record a real run, in one sentence. */
import { runCommand } from '../../commands/types'
import { LinkButton } from '../../ui/Button'
import { css } from '../../ui/css'
import { DOWNLOAD_CAPTURE_SCRIPT, SCRIPT_NAME } from './commands'

export function RecordHint() {
  return (
    <>
      <LinkButton onClick={() => runCommand(DOWNLOAD_CAPTURE_SCRIPT)}>Download {SCRIPT_NAME}</LinkButton>{' '}
      <span className={css.muted}>
        to see PyTorch’s own verdict: run <code>python -m fusescope_capture your_script.py</code> and drop the file that
        it writes here.
      </span>
    </>
  )
}
