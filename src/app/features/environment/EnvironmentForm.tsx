import { useState } from 'react'
import { NEWEST_TORCH, TORCH_VERSIONS, type TorchVersion } from '../../../base/torch_version'
import { PLATFORMS, type Environment, type Platform } from '../../../workspace/types'
import { flagsOf, flagsText, layersOf, layersText, listOf, PLATFORM_NAMES } from './environment'
import { Field, Input, Select, TextArea } from '../../ui/Field'
import styles from './EnvironmentForm.module.css'

/** Valid changes apply immediately; text applies on blur. */
export function EnvironmentForm({
  environment,
  change,
}: {
  environment: Environment
  change(next: Environment): void
}) {
  const [problem, setProblem] = useState<string | null>(null)
  const set = (part: Partial<Environment>): void => change({ ...environment, ...part })
  return (
    <form className={styles.form} aria-label="Environment" onSubmit={(e) => e.preventDefault()}>
      <Field label="Platform">
        <Select
          value={environment.platform}
          onValue={(value) => set({ platform: value as Platform })}
          options={PLATFORMS.map((p) => [p, PLATFORM_NAMES[p]])}
        />
      </Field>
      <Field label="Model dtype">
        <Select
          value={environment.dtype}
          onValue={(value) => set({ dtype: value as Environment['dtype'] })}
          options={['bfloat16', 'float16', 'float32'].map((d) => [d, d])}
        />
      </Field>
      <Field label="PyTorch">
        <Select
          value={environment.torch ?? NEWEST_TORCH}
          onValue={(value) => set({ torch: value as TorchVersion })}
          options={TORCH_VERSIONS.map((v) => [v, v])}
        />
      </Field>
      <TokensField environment={environment} set={set} setProblem={setProblem} />
      <Field label="Functionalization">
        <Select
          value={environment.functionalization}
          onValue={(value) => set({ functionalization: value as 'v1' | 'v2' })}
          options={['v1', 'v2'].map((v) => [v, v])}
        />
      </Field>
      <CustomOpsField environment={environment} set={set} />
      <FlagsField environment={environment} set={set} setProblem={setProblem} />
      <LayersField environment={environment} set={set} setProblem={setProblem} />
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </form>
  )
}

interface FieldProps {
  environment: Environment
  set(part: Partial<Environment>): void
}

interface CheckedFieldProps extends FieldProps {
  setProblem(problem: string | null): void
}

/** Number of tokens; empty means a symbolic size. */
function TokensField({ environment, set, setProblem }: CheckedFieldProps) {
  return (
    <Field label="Tokens">
      <Input
        inputMode="numeric"
        placeholder="symbolic"
        key={`t${environment.tokens}`}
        defaultValue={environment.tokens ?? ''}
        onBlur={(e) => {
          const text = e.target.value.trim()
          const tokens = text === '' ? null : Number(text)
          if (tokens !== null && !(Number.isInteger(tokens) && tokens > 0))
            return setProblem(`Tokens is “${text}”; enter a positive integer, or leave it empty for a symbolic size.`)
          setProblem(null)
          if (tokens !== environment.tokens) set({ tokens })
        }}
      />
    </Field>
  )
}

function CustomOpsField({ environment, set }: FieldProps) {
  return (
    <Field wide label="Custom operators">
      <Input
        mono
        key={`c${environment.customOps.join()}`}
        defaultValue={environment.customOps.join(', ')}
        placeholder="all, -silu_and_mul"
        spellCheck={false}
        onBlur={(e) => {
          const customOps = listOf(e.target.value)
          if (customOps.join() !== environment.customOps.join()) set({ customOps })
        }}
      />
    </Field>
  )
}

function FlagsField({ environment, set, setProblem }: CheckedFieldProps) {
  return (
    <Field wide label="Flags">
      <TextArea
        mono
        key={`f${flagsText(environment.flags)}`}
        rows={2}
        defaultValue={flagsText(environment.flags)}
        placeholder={'fuse_norm_quant=false'}
        spellCheck={false}
        onBlur={(e) => {
          const { flags, problem: wrong } = flagsOf(e.target.value)
          setProblem(wrong)
          if (!wrong && flagsText(flags) !== flagsText(environment.flags)) set({ flags })
        }}
      />
    </Field>
  )
}

/** The layers of the model; empty means a layer of attention. */
function LayersField({ environment, set, setProblem }: CheckedFieldProps) {
  const text = layersText(environment.layers)
  return (
    <Field wide label="Layers of the model">
      <TextArea
        mono
        key={`l${text}`}
        rows={2}
        defaultValue={text}
        placeholder={'model.layers.0.self_attn.attn = Attention(32, 128, num_kv_heads=8)'}
        spellCheck={false}
        onBlur={(e) => {
          const { layers, problem: wrong } = layersOf(e.target.value)
          setProblem(wrong)
          if (!wrong && layersText(layers) !== text) set({ layers })
        }}
      />
    </Field>
  )
}
