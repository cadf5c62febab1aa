/** Runs src/gpu/testing/suite.ts on WebGPU and leaves JSON in #result (`#sample`: a part of it); `globalThis.__fusescopeGpu` runs programs. */
import { GpuClient } from '../../src/gpu/worker/client'
import { blockQuantPrograms, rmsInt8Programs, staticFp8Programs } from '../../src/gpu/testing/fixtures'
import { runSuite, type SuiteData } from '../../src/gpu/testing/suite'
import { webgpuDevice, type OpDevice } from '../../src/gpu/device/op_device'
import { Gpu } from '../../src/gpu/device/webgpu'
import { PARALLEL, type DeviceTraits, type Kernel } from '../../src/ops/kernel'

const conversionFiles = import.meta.glob<string>('../../conformance/golden/conversions/*.bin', {
  query: '?url',
  import: 'default',
  eager: true,
})
const caseFiles = import.meta.glob<string>('../../conformance/golden/*.json', {
  query: '?url',
  import: 'default',
  eager: true,
})

async function load(): Promise<SuiteData> {
  const entries = await Promise.all(
    Object.entries(conversionFiles).map(async ([path, url]) => {
      const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer())
      return [path.split('/').pop()!.replace('.bin', ''), bytes] as const
    }),
  )
  const files = await Promise.all(
    Object.values(caseFiles).map(async (url) => (await fetch(url)).json() as Promise<Partial<SuiteData>>),
  )
  return {
    cases: some(files.flatMap((f) => f.cases ?? [])),
    programs: files.flatMap((f) => f.programs ?? []),
    conversions: Object.fromEntries(entries),
  }
}

/** Recordings of an operator that `#sample` takes, spread over all of its own: shaders may run on a CPU. */
const SAMPLE = 2

function some(cases: SuiteData['cases']): SuiteData['cases'] {
  if (location.hash !== '#sample') return cases
  return cases.filter((c) => {
    const own = cases.filter((other) => other.op === c.op)
    const part = (at: number): number => Math.floor((at * SAMPLE) / own.length)
    const at = own.indexOf(c)
    return part(at) !== part(at - 1)
  })
}

async function main(): Promise<unknown> {
  const found = await Gpu.open()
  if (!found.gpu) return { error: found.reason }
  const began = performance.now()
  const data = await load()
  // Shaders that every device supports, and shaders for this device's features.
  const forms = [PARALLEL, found.gpu.traits]
  const results = await runSuite(inForms(found.gpu, forms), data)
  const tagged = results.map((r) => ({ ...r, traits: forms[r.device]! }))
  return { adapter: found.gpu.name, ms: performance.now() - began, results: tagged }
}

/**
 * The GPU in several forms. A form whose shaders and dispatches for a call equal those of the first takes its result:
 * the suite compares many calls, and each run of a shader on a CPU costs.
 */
function inForms(gpu: Gpu, forms: readonly DeviceTraits[]): OpDevice[] {
  const device = webgpuDevice(gpu)
  let first: { kernel: Kernel; key: string; bytes: Bytes; result: ReturnType<OpDevice['run']> } | null = null
  return forms.map((traits, i) => ({
    ...device,
    run(kernel, call, bytes) {
      const key = JSON.stringify([call, kernel.plan(call, traits)])
      if (i > 0 && first?.kernel === kernel && first.key === key && equal(first.bytes, bytes)) return first.result
      gpu.traits = traits
      const result = device.run(kernel, call, bytes)
      if (i === 0) first = { kernel, key, bytes, result }
      return result
    },
  }))
}

type Bytes = Readonly<Record<string, Uint8Array>>

const equal = (a: Bytes, b: Bytes): boolean =>
  Object.keys(a).length === Object.keys(b).length &&
  Object.entries(a).every(([name, data]) => b[name]?.length === data.length && b[name].every((v, i) => v === data[i]))

const hooks = { client: new GpuClient(), blockQuantPrograms, rmsInt8Programs, staticFp8Programs }
export type GpuSuiteHooks = typeof hooks
Object.assign(globalThis, { __fusescopeGpu: hooks })

// `#idle`: only the hooks, for scripts that run their own programs.
if (location.hash !== '#idle')
  main()
    .catch((e: unknown) => ({ error: String(e) }))
    .then((result) => {
      const out = document.getElementById('result')!
      out.textContent = JSON.stringify(result)
      out.dataset['done'] = 'true'
    })
