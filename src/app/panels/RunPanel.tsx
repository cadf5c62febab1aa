/** Runs the matched operators and their replacement on the GPU and compares them. */
export function RunPanel() {
  return <p className="empty">Running on the GPU is on its way.</p>
}
