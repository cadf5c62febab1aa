/** Opens the browser's file dialog. @param folder picks a whole folder */
export function pick(take: (files: readonly File[]) => Promise<void>, folder = false): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = true
  input.webkitdirectory = folder
  input.onchange = () => void take([...(input.files ?? [])])
  input.click()
}
