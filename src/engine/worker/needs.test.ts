import { expect, it } from 'vitest'
import { requireNeeds } from './needs'

it('names what a browser lacks, and nothing where it can run Python', () => {
  const { WebAssembly: wasm, Blob } = globalThis
  const Worker = class {} as unknown as typeof globalThis.Worker
  expect(() => requireNeeds({ WebAssembly: wasm, Worker, Blob })).not.toThrow()
  expect(() => requireNeeds({ Worker, Blob })).toThrow(/^This browser cannot run Python: it has no WebAssembly\. /)
  expect(() => requireNeeds({ Blob })).toThrow('it has no WebAssembly and no workers.')
})
