import { describe, expect, test } from 'vitest'
import { connectTrampoline } from './trampoline'

const RUNTIME = 64
const OFFSET_AT = 16
const OFFSET = 8

/** A module that exports one function of `parameters` ints, as Pyodide compiles its trampoline. */
function functionOf(parameters: number): unknown {
  const ints = Array<number>(parameters).fill(0x7f)
  const section = (id: number, bytes: number[]): number[] => [id, bytes.length, ...bytes]
  const bytes = [
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, parameters, ...ints, 1, 0x7f]),
    ...section(3, [1, 0]),
    ...section(7, [1, 1, 0x66, 0, 0]),
    ...section(10, [1, 4, 0, 0x41, 0, 0x0b]),
  ]
  return new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes))).exports.f
}

function moduleWith(last: unknown) {
  const heap = new Int32Array(64)
  heap[OFFSET_AT / 4] = OFFSET
  heap[(RUNTIME + OFFSET) / 4] = 14174
  const wasmTable = new WebAssembly.Table({ element: 'anyfunc', initial: 3 })
  if (last) wasmTable.set(2, last)
  const module = {
    HEAPU8: new Uint8Array(heap.buffer),
    wasmTable,
    __PyRuntime: RUNTIME,
    __PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET: OFFSET_AT,
  }
  return { module, index: () => heap[(RUNTIME + OFFSET) / 4] }
}

describe('connectTrampoline', () => {
  test('puts the index of the last function, the trampoline, into the memory', () => {
    const { module, index } = moduleWith(functionOf(5))
    expect(connectTrampoline(module)).toBe(true)
    expect(index()).toBe(2)
  })

  test.each([
    ['no function', null],
    ['a function of another form', functionOf(3)],
  ])("a runtime with %s loses the snapshot's index: Python then calls through JavaScript", (_, last) => {
    const { module, index } = moduleWith(last)
    expect(connectTrampoline(module)).toBe(false)
    expect(index()).toBe(0)
  })
})
