import { useState } from 'react'
import { NEWEST_TORCH, TORCH_VERSIONS } from '../../../base/torch_version'
import { PLATFORMS, type Environment } from '../../../workspace/types'
import { flagsOf, flagsText, layersOf, layersText, listOf, PLATFORM_NAMES } from './environment'
import { Field, Input, Select, TextArea } from '../../ui/Field'
import styles from './EnvironmentForm.module.css'

interface Choice {
  label: string
  of: 'platform' | 'dtype' | 'torch' | 'functionalization'
  values: readonly string[]
  names?: Readonly<Record<string, string>>
}

/** A setting that is typed. */
interface Typed {
  label: string
  placeholder: string
  /** Rows of the field; absent: one, as wide as a choice. */
  rows?: number
  text(environment: Environment): string
  /** The setting that a text gives, or its error, one sentence. */
  read(text: string): Partial<Environment> | string
}

const FIELDS: readonly (Choice | Typed)[] = [
  { label: 'Platform', of: 'platform', values: PLATFORMS, names: PLATFORM_NAMES },
  { label: 'Model dtype', of: 'dtype', values: ['bfloat16', 'float16', 'float32'] },
  { label: 'PyTorch', of: 'torch', values: TORCH_VERSIONS },
  {
    label: 'Tokens',
    placeholder: 'symbolic',
    text: ({ tokens }) => String(tokens ?? ''),
    read: (text) => {
      const tokens = text.trim() === '' ? null : Number(text)
      return tokens === null || (Number.isInteger(tokens) && tokens > 0)
        ? { tokens }
        : `Tokens is “${text.trim()}”; enter a positive integer, or leave it empty for a symbolic size.`
    },
  },
  { label: 'Functionalization', of: 'functionalization', values: ['v1', 'v2'] },
  {
    label: 'Custom operators',
    placeholder: 'all, -silu_and_mul',
    rows: 1,
    text: ({ customOps }) => customOps.join(', '),
    read: (text) => ({ customOps: listOf(text) }),
  },
  {
    label: 'Flags',
    placeholder: 'fuse_norm_quant=false',
    rows: 2,
    text: ({ flags }) => flagsText(flags),
    read: (text) => {
      const { flags, problem } = flagsOf(text)
      return problem ?? { flags }
    },
  },
  {
    label: 'Layers of the model',
    placeholder: 'model.layers.0.self_attn.attn = Attention(32, 128, num_kv_heads=8)',
    rows: 2,
    text: ({ layers }) => layersText(layers),
    read: (text) => {
      const { layers, problem } = layersOf(text)
      return problem ?? { layers }
    },
  },
]

interface FormProps {
  environment: Environment
  change(next: Environment): void
}

/** Valid changes apply immediately; text applies on blur. */
export function EnvironmentForm({ environment, change }: FormProps) {
  const [problem, setProblem] = useState<{ label: string; text: string } | null>(null)
  const leave = ({ label, text, read }: Typed, typed: string): void => {
    const part = read(typed)
    if (typeof part === 'string') return setProblem({ label, text: part })
    if (problem?.label === label) setProblem(null)
    const next = { ...environment, ...part }
    if (text(next) !== text(environment)) change(next)
  }
  return (
    <form className={styles.form} aria-label="Environment" onSubmit={(e) => e.preventDefault()}>
      {FIELDS.map((field) => (
        <Field key={field.label} label={field.label} wide={'rows' in field}>
          {'of' in field ? (
            <Select
              value={environment[field.of] ?? NEWEST_TORCH}
              onValue={(value) => change({ ...environment, [field.of]: value })}
              options={field.values.map((v) => [v, field.names?.[v] ?? v])}
            />
          ) : (
            <TypedField field={field} text={field.text(environment)} leave={(typed) => leave(field, typed)} />
          )}
        </Field>
      ))}
      {problem && (
        <p className={styles.problem} role="alert">
          {problem.text}
        </p>
      )}
    </form>
  )
}

function TypedField({ field, text, leave }: { field: Typed; text: string; leave(text: string): void }) {
  const { rows, placeholder } = field
  const onBlur = (e: { target: { value: string } }): void => leave(e.target.value)
  const shared = { placeholder, defaultValue: text, spellCheck: false, mono: rows !== undefined, onBlur }
  if (rows === 2) return <TextArea key={text} rows={rows} {...shared} />
  return <Input key={text} inputMode={rows === undefined ? 'numeric' : undefined} {...shared} />
}
