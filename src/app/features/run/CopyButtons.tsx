/** Figures onto the clipboard, in one of several forms. */
import { useView } from '../../session/view_store'
import { Icon } from '../../ui/icons'

export function CopyButtons({ texts }: { texts: Readonly<Record<string, () => string>> }) {
  return (
    <div className="run-row copy-row">
      {Object.entries(texts).map(([name, text]) => (
        <button key={name} className="btn" aria-label={`Copy as ${name}`} onClick={() => void copy(text(), name)}>
          <Icon name="copy" />
          {name}
        </button>
      ))}
    </div>
  )
}

async function copy(text: string, as: string): Promise<void> {
  const { toast } = useView.getState()
  try {
    await navigator.clipboard.writeText(text)
    toast(`Copied as ${as}.`)
  } catch {
    toast('The browser refused to copy. Allow the clipboard for this page and try again.', { tone: 'bad' })
  }
}
