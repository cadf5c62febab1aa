/** The script that records captures, served beside the page. */

export const SCRIPT_NAME = 'fusescope_capture.py'

/** Relative to the page. */
export const SCRIPT_URL = `capture/${SCRIPT_NAME}`

export function downloadScript(): void {
  const a = document.createElement('a')
  a.href = new URL(SCRIPT_URL, document.baseURI).href
  a.download = SCRIPT_NAME
  a.click()
}
