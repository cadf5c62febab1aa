import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { codeDistance, decode, encode, roundTo } from './convert'
import type { DTypeName } from './dtypes'

const golden = (name: string): Buffer =>
  readFileSync(new URL(`../../../conformance/golden/conversions/${name}.bin`, import.meta.url))

const SOURCES: [string, DTypeName][] = [
  ['bf16', 'bfloat16'],
  ['f16', 'float16'],
]
const TARGETS: [string, DTypeName][] = [
  ['f8e4m3fn', 'float8_e4m3fn'],
  ['f8e5m2', 'float8_e5m2'],
  ['f8e8m0fnu', 'float8_e8m0fnu'],
]

describe('conversions equal PyTorch 2.14.1 on every 16-bit input', () => {
  for (const [short, source] of SOURCES) {
    it(`${short} to float32 and back`, () => {
      const bytes = golden(`${short}_to_f32`)
      let bad = 0
      for (let code = 0; code < 65536; code++) {
        const want = bytes.readFloatLE(code * 4)
        if (!Object.is(decode(source, code), want)) bad++
        if (!Number.isNaN(want) && encode(source, want) !== code) bad++
      }
      expect(bad).toBe(0)
    })
    for (const [name, target] of TARGETS) {
      it(`${short} to ${name}`, () => {
        const want = golden(`${short}_to_${name}`)
        const bad: string[] = []
        for (let code = 0; code < 65536; code++) {
          const got = encode(target, decode(source, code))
          // NaN payloads (here: the sign of a NaN) are not part of the contract.
          if (got !== want[code] && !(Number.isNaN(decode(target, got)) && Number.isNaN(decode(target, want[code]!))))
            bad.push(`${code.toString(16)}: ${got} != ${want[code]}`)
        }
        expect(bad).toEqual([])
      })
    }
  }
  for (const [name, dtype] of TARGETS) {
    it(`${name} to float32`, () => {
      const bytes = golden(`${name}_to_f32`)
      for (let code = 0; code < 256; code++) expect(decode(dtype, code)).toBe(bytes.readFloatLE(code * 4))
    })
  }
})

describe('edges', () => {
  it('saturates f8e4m3fn at 448, infinity included, as PyTorch 2.14.1 does', () => {
    expect(encode('float8_e4m3fn', 464.001)).toBe(0x7e)
    expect(encode('float8_e4m3fn', -Infinity)).toBe(0xfe)
    expect(encode('float8_e4m3fn', NaN) & 0x7f).toBe(0x7f)
  })
  it('rounds ties to even and keeps subnormals', () => {
    expect(roundTo('bfloat16', 1 + 2 ** -8)).toBe(1)
    expect(roundTo('bfloat16', 1 + 3 * 2 ** -8)).toBe(1 + 2 ** -6)
    expect(roundTo('float16', 2 ** -25)).toBe(0)
    expect(roundTo('float16', 2 ** -24 * 1.5)).toBe(2 ** -23)
    expect(roundTo('float8_e4m3fn', 2 ** -9)).toBe(2 ** -9)
    expect(roundTo('float8_e4m3fn', 2 ** -10)).toBe(0)
  })
  it('counts steps between codes across zero', () => {
    expect(codeDistance('float8_e4m3fn', 0x01, 0x81)).toBe(3)
    expect(codeDistance('float8_e4m3fn', 0x7f, 0xff)).toBe(0)
    expect(codeDistance('float8_e4m3fn', 0x7f, 0x10)).toBeNull()
    expect(codeDistance('int8', 0xff, 0x01)).toBe(2)
  })
})
