/** Reads settings of the environment as text: `platform=npu,dtype=bf16,fuse_norm_quant=false`. */
import { closestName } from '../base/closest'
import { TORCH_VERSIONS, torchVersion } from '../base/torch_version'
import { err, ok, type Result } from '../base/result'
import { DEFAULT_ENVIRONMENT, PLATFORMS, type Environment, type Platform } from './types'

/** Other common names of platforms and dtypes. */
const PLATFORM_ALIASES: Readonly<Record<string, Platform>> = {
  cuda: 'cuda-sm90',
  sm80: 'cuda-sm80',
  sm89: 'cuda-sm89',
  sm90: 'cuda-sm90',
  sm100: 'cuda-sm100',
  aiter: 'rocm-aiter',
  npu: 'ascend-910b',
  ascend: 'ascend-910b',
  intel: 'xpu',
}
const DTYPES: Readonly<Record<string, Environment['dtype']>> = {
  bfloat16: 'bfloat16',
  bf16: 'bfloat16',
  float16: 'float16',
  fp16: 'float16',
  f16: 'float16',
  half: 'float16',
  float32: 'float32',
  fp32: 'float32',
  f32: 'float32',
  float: 'float32',
}

/** The value of a flag: true, false and numbers become booleans and numbers. */
export function flagValue(text: string): boolean | number | string {
  if (/^true$/i.test(text)) return true
  if (/^false$/i.test(text)) return false
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

/**
 * The default environment, or a given one, with these settings. Each text has one or more NAME=VALUE, separated by commas; a part
 * without `=` belongs to the `customOps` list before it. A name that is not a field of the environment is a flag.
 * @returns the environment, or an error message that names the setting, what was found and what is expected
 */
export function readEnvironment(texts: readonly string[], from = DEFAULT_ENVIRONMENT): Result<Environment, string> {
  let environment = from
  let list = false
  const parts = texts.flatMap((t) => t.split(',')).map((t) => t.trim())
  for (const part of parts.filter((p) => p !== '')) {
    const m = /^([\w.]+)\s*=\s*(.*)$/.exec(part)
    if (!m && list) environment = { ...environment, customOps: [...environment.customOps, part] }
    else if (!m) return err(`needs NAME=VALUE, found ${JSON.stringify(part)}`)
    else {
      const [, name, value] = m as unknown as [string, string, string]
      const made = withSetting(environment, name, value)
      if (!made.ok) return made
      environment = made.value
      list = fieldOf(name) === customOps
    }
  }
  return ok(environment)
}

type Field = (value: string) => Partial<Environment> | string

const customOps: Field = (value) => ({ customOps: value === '' ? [] : [value] })

const FIELDS: Readonly<Record<string, Field>> = {
  platform: (value) => {
    const platform = Object.hasOwn(PLATFORM_ALIASES, value)
      ? PLATFORM_ALIASES[value]
      : PLATFORMS.find((p) => p === value)
    return platform ? { platform } : `${PLATFORMS.join(', ')}, or ${Object.keys(PLATFORM_ALIASES).join(', ')}`
  },
  dtype: (value) => {
    const dtype = Object.hasOwn(DTYPES, value) ? DTYPES[value] : undefined
    return dtype ? { dtype } : 'bfloat16, float16 or float32'
  },
  tokens: (value) => {
    if (value === '' || value === 'symbolic') return { tokens: null }
    return /^[1-9]\d{0,14}$/.test(value) ? { tokens: Number(value) } : 'a positive integer, or symbolic'
  },
  customOps,
  custom_ops: customOps,
  torch: (value) => {
    const torch = torchVersion(value)
    return torch ? { torch } : TORCH_VERSIONS.join(' or ')
  },
  layers: () => '--config FILE, whose field layers names them',
  functionalization: (value) => (value === 'v1' || value === 'v2' ? { functionalization: value } : 'v1 or v2'),
}

const fieldOf = (name: string): Field | undefined => (Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined)

function withSetting(environment: Environment, name: string, value: string): Result<Environment, string> {
  const field = fieldOf(name)
  // A misspelled name would become a flag that nothing reads.
  const meant = field ? null : closestName(name, Object.keys(FIELDS))
  if (meant !== null) return err(`${name}: expected ${meant}, or a flag with a less similar name`)
  if (!field) return ok({ ...environment, flags: { ...environment.flags, [name]: flagValue(value) } })
  const made = field(value)
  return typeof made === 'string'
    ? err(`${name}: expected ${made}, found ${JSON.stringify(value)}`)
    : ok({ ...environment, ...made })
}
