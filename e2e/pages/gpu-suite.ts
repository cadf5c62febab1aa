/** Runs src/gpu/suite/suite.ts on WebGPU and leaves JSON in #result; `globalThis.__fusescopeGpu` runs programs. */
import { GpuClient } from '../../src/gpu/worker/client'
import { blockQuantPrograms, rmsInt8Programs, staticFp8Programs } from '../../src/gpu/suite/fixtures'
import { runSuite, type SuiteData } from '../../src/gpu/suite/suite'
import { webgpuDevice, type OpDevice } from '../../src/gpu/device/op_device'
import { Gpu } from '../../src/gpu/device/webgpu'
import { PARALLEL, type DeviceTraits } from '../../src/ops/kernel'

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
    cases: files.flatMap((f) => f.cases ?? []),
    programs: files.flatMap((f) => f.programs ?? []),
    conversions: Object.fromEntries(entries),
  }
}

async function main(): Promise<unknown> {
  const found = await Gpu.open()
  if (!found.gpu) return { error: found.reason }
  const began = performance.now()
  const data = await load()
  // Shaders that every device supports, and shaders for this device's features.
  const forms = [PARALLEL, found.gpu.traits]
  const results = await runSuite(
    forms.map((traits) => inForm(found.gpu, traits)),
    data,
  )
  const tagged = results.map((r) => ({ ...r, traits: forms[r.device]! }))
  return { adapter: found.gpu.name, ms: performance.now() - began, results: tagged }
}

function inForm(gpu: Gpu, traits: DeviceTraits): OpDevice {
  const device = webgpuDevice(gpu)
  return {
    ...device,
    run(kernel, call, bytes) {
      gpu.traits = traits
      return device.run(kernel, call, bytes)
    },
  }
}

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
