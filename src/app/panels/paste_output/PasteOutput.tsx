/** PyTorch's own words, pasted: each line found on the graph and told plainly. */
import { useView } from '../../stores/view'
import { Dialog } from '../../shell/Dialog'

export function PasteOutput() {
  const close = (): void => useView.getState().setOverlay(null)
  return (
    <Dialog label="PyTorch’s own output" onClose={close}>
      <p>Not read yet.</p>
    </Dialog>
  )
}
