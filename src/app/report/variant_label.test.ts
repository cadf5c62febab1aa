import { expect, it } from 'vitest'
import type { EntryReport, PassReport } from '../../engine/protocol'
import { variantLabel } from './variant_label'

it('labels a variant by its differing values, without repetition', () => {
  const entries = ['128', '64'].flatMap((n) =>
    ['True', 'False'].map((e8m0) => ({
      title: 'P',
      bindings: { is_e8m0: e8m0, quant_key: `kFp8Dynamic${n}Sym`, group_size: n, dtype: 'bf16' },
    })),
  ) as unknown as EntryReport[]
  const pass = { entries } as PassReport
  expect(entries.map((e) => variantLabel(pass, e))).toEqual([
    'kFp8Dynamic128Sym is_e8m0',
    'kFp8Dynamic128Sym',
    'kFp8Dynamic64Sym is_e8m0',
    'kFp8Dynamic64Sym',
  ])
})
