/** Saves a file through the browser. */
export function download(name: string, content: string | Blob, type = 'text/plain'): void {
  const url = URL.createObjectURL(typeof content === 'string' ? new Blob([content], { type }) : content)
  const a = document.createElement('a')
  a.href = url
  a.download = name
  a.click()
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}

/** Opens the browser's file dialog. @param folder picks a whole folder */
export function pick(take: (files: readonly File[]) => Promise<void>, folder = false): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = true
  input.webkitdirectory = folder
  input.onchange = () => void take([...(input.files ?? [])])
  input.click()
}
