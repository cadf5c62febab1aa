/** Browser features that the engine needs. Lockdown modes remove WebAssembly, company policies remove workers. */

type Scope = Partial<Pick<typeof globalThis, 'WebAssembly' | 'Worker' | 'Blob'>>

const NEEDS: readonly (readonly [name: string, has: (scope: Scope) => boolean])[] = [
  ['WebAssembly', ({ WebAssembly: w }) => typeof w?.compileStreaming === 'function'],
  ['workers', ({ Worker: w }) => typeof w === 'function'],
  ['blobs', ({ Blob: b }) => typeof b === 'function'],
]

/** This browser cannot run the engine; the message says what it lacks. */
export class Lack extends Error {}

/** @throws Lack */
export function requireNeeds(scope: Scope = globalThis): void {
  const missing = NEEDS.filter(([, has]) => !has(scope)).map(([name]) => `no ${name}`)
  if (missing.length === 0) return
  throw new Lack(
    `This browser cannot run Python: it has ${missing.join(' and ')}. Stored results can be read; to run code, use a current Chrome, Edge, Firefox or Safari, without lockdown mode.`,
  )
}
