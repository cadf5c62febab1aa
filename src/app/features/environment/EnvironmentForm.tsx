import { useState, type ComponentProps } from 'react'
import { NEWEST_TORCH, TORCH_VERSIONS } from '../../../base/torch_version'
import { PLATFORMS, type Environment } from '../../../workspace/types'
import { flagsOf, flagsText, layersOf, layersText, listOf, PLATFORM_NAMES } from './environment'
import { Field, Input, Select, TextArea } from '../../ui/Field'
import styles from './EnvironmentForm.module.css'

type Chosen = 'platform' | 'dtype' | 'torch' | 'functionalization'

/** Valid changes apply immediately; text applies on blur. */
export function EnvironmentForm({
  environment,
  change,
}: {
  environment: Environment
  change(next: Environment): void
}) {
  const { tokens, customOps, flags, layers } = environment
  const [problem, setProblem] = useState<string | null>(null)
  const set = (part: Partial<Environment>): void => change({ ...environment, ...part })
  const choice = (
    label: string,
    field: Chosen,
    values: readonly string[],
    names: Readonly<Record<string, string>> = {},
  ) => (
    <Field label={label}>
      <Select
        value={environment[field] ?? NEWEST_TORCH}
        onValue={(value) => set({ [field]: value })}
        options={values.map((v) => [v, names[v] ?? v])}
      />
    </Field>
  )
  return (
    <form className={styles.form} aria-label="Environment" onSubmit={(e) => e.preventDefault()}>
      {choice('Platform', 'platform', PLATFORMS, PLATFORM_NAMES)}
      {choice('Model dtype', 'dtype', ['bfloat16', 'float16', 'float32'])}
      {choice('PyTorch', 'torch', TORCH_VERSIONS)}
      <Field label="Tokens">
        <Written
          inputMode="numeric"
          placeholder="symbolic"
          text={String(tokens ?? '')}
          read={(text) => {
            const next = text.trim() === '' ? null : Number(text)
            if (next !== null && !(Number.isInteger(next) && next > 0))
              return setProblem(
                `Tokens is “${text.trim()}”; enter a positive integer, or leave it empty for a symbolic size.`,
              )
            setProblem(null)
            if (next !== tokens) set({ tokens: next })
          }}
        />
      </Field>
      {choice('Functionalization', 'functionalization', ['v1', 'v2'])}
      <Field wide label="Custom operators">
        <Written
          mono
          text={customOps.join(', ')}
          placeholder="all, -silu_and_mul"
          read={(text) => {
            const next = listOf(text)
            if (next.join() !== customOps.join()) set({ customOps: next })
          }}
        />
      </Field>
      <Field wide label="Flags">
        <WrittenLines
          text={flagsText(flags)}
          placeholder="fuse_norm_quant=false"
          read={(text) => {
            const { flags: next, problem: wrong } = flagsOf(text)
            setProblem(wrong)
            if (!wrong && flagsText(next) !== flagsText(flags)) set({ flags: next })
          }}
        />
      </Field>
      <Field wide label="Layers of the model">
        <WrittenLines
          text={layersText(layers)}
          placeholder="model.layers.0.self_attn.attn = Attention(32, 128, num_kv_heads=8)"
          read={(text) => {
            const { layers: next, problem: wrong } = layersOf(text)
            setProblem(wrong)
            if (!wrong && layersText(next) !== layersText(layers)) set({ layers: next })
          }}
        />
      </Field>
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </form>
  )
}

/** `read`: called with the text when the user leaves the field. */
interface WrittenProps {
  text: string
  read(text: string): void
}

const Written = ({ text, read, ...props }: WrittenProps & ComponentProps<typeof Input>) => (
  <Input key={text} defaultValue={text} spellCheck={false} onBlur={(e) => read(e.target.value)} {...props} />
)

const WrittenLines = ({ text, read, placeholder }: WrittenProps & { placeholder: string }) => (
  <TextArea
    mono
    key={text}
    rows={2}
    defaultValue={text}
    placeholder={placeholder}
    spellCheck={false}
    onBlur={(e) => read(e.target.value)}
  />
)
