import { describe, expect, it } from 'vitest'
import { codeHash, FOREIGN, hasCode, needsConsent } from './code_origin'

const files = (...texts: string[]) => ({ files: texts.map((text, i) => ({ name: `f${i}.py`, text })) })

describe('code of a link', () => {
  it('needs consent unless exactly this code was allowed', () => {
    const code = files('a', 'b')
    expect(needsConsent(code, null)).toBe(false)
    expect(needsConsent(code, FOREIGN)).toBe(true)
    expect(needsConsent(code, { allowed: codeHash(code) })).toBe(false)
    expect(needsConsent(files('a', 'c'), { allowed: codeHash(code) })).toBe(true)
  })
  it('has a hash of names, texts and their order', () => {
    const [a, b] = files('a', 'b').files as [{ name: string; text: string }, { name: string; text: string }]
    expect(codeHash({ files: [a, b] })).toBe(codeHash(files('a', 'b')))
    expect(codeHash({ files: [b, a] })).not.toBe(codeHash({ files: [a, b] }))
    expect(codeHash({ files: [{ ...a, name: 'x.py' }, b] })).not.toBe(codeHash({ files: [a, b] }))
  })
  it('includes kernels; blank files are no code', () => {
    expect(needsConsent({ files: [{ name: 'k.wgsl', text: '// op: a.b' }] }, FOREIGN)).toBe(true)
    expect([hasCode(files('', ' \n')), needsConsent(files('', ' \n'), FOREIGN)]).toEqual([false, false])
  })
})
