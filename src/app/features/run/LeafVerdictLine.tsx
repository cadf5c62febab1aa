/** The verdict of this registration's run, and a link to run it. */
import { entryKey } from '../../../engine/queries/report_index'
import { useGpu } from './store'
import { useView } from '../../session/view_store'
import { MessageText } from '../../ui/MessageText'
import { useVerdicts } from './VariantTable'
import { LinkButton } from '../../ui/Button'

export function LeafVerdictLine({ pass, entry }: { pass: string; entry: number }) {
  const verdict = useVerdicts()[entryKey(pass, entry)]
  const open = (
    <LinkButton
      onClick={() => {
        useGpu.setState({ what: 'variant' })
        useView.getState().setPanel('run')
      }}
    >
      {verdict ? 'Run again' : 'Compare it with its replacement'}
    </LinkButton>
  )
  return verdict ? (
    <p data-testid="leaf-verdict">
      {verdict.headline !== null && `${verdict.headline}: `}
      <MessageText message={verdict.parts} /> {open}
    </p>
  ) : (
    <p>{open}</p>
  )
}
