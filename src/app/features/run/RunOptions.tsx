/** Options for the inputs of a run. */
import { DISTRIBUTIONS, type Distribution } from '../../../gpu/types'
import { useGpu, type Subject } from './store'
import { Field, Input, Select } from '../../ui/Field'
import styles from './RunOptions.module.css'

const LABELS: Record<Distribution, string> = {
  normal: 'normal',
  uniform: 'uniform',
  outliers: 'with outliers',
  zeros: 'zeros',
  'non-finite': 'infinities and NaN',
  'equal groups': 'all-equal groups',
  subnormals: 'subnormals',
}

/** @param fixed the sizes are numbers, not symbols, so a token count has no effect */
export function RunOptions({ kind, fixed }: { kind: Subject['kind']; fixed: boolean }) {
  const { tokens, distribution, seed } = useGpu()
  const whole = (text: string): number | null => (text === '' ? null : Math.max(1, Math.floor(Number(text)) || 1))
  return (
    <div className={styles.options}>
      <Field label="Tokens">
        <Input
          type="number"
          min={1}
          max={65536}
          disabled={fixed}
          title={fixed ? 'The sizes of this graph are fixed numbers, not symbols' : undefined}
          placeholder={fixed ? 'fixed sizes' : kind === 'match' ? 'as matched' : 'as given'}
          value={fixed ? '' : (tokens ?? '')}
          onValue={(value) => useGpu.setState({ tokens: whole(value) })}
        />
      </Field>
      <Field label="Inputs">
        <Select
          value={distribution}
          onValue={(value) => useGpu.setState({ distribution: value as Distribution })}
          options={DISTRIBUTIONS.map((d) => [d, LABELS[d]])}
        />
      </Field>
      <Field label="Seed">
        <Input
          type="number"
          min={1}
          max={999999}
          value={seed}
          onValue={(value) => useGpu.setState({ seed: whole(value) ?? 1 })}
        />
      </Field>
    </div>
  )
}
