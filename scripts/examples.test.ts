import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { encodeSnapshot, workspaceSchema } from '../src/workspace'
import { EXAMPLE_IDS, exampleIndex, examplesDir, exampleWorkspace, strayExamples } from './examples'

const stored = (path: string): unknown => JSON.parse(readFileSync(join(examplesDir, path), 'utf8'))

describe('the examples', () => {
  it('are all listed', () => {
    expect(strayExamples()).toEqual([])
    expect(stored('index.json')).toEqual(exampleIndex())
    for (const { description } of exampleIndex()) expect(description.split('\n')).toHaveLength(2)
  })

  it.each(EXAMPLE_IDS)('%s is what its files make (else: npm run examples)', (id) => {
    const workspace = stored(`${id}/workspace.json`)
    expect(workspace).toEqual(exampleWorkspace(id))
    expect(workspaceSchema.safeParse(workspace).success).toBe(true)
  })

  it.each(EXAMPLE_IDS)('%s fits into a link that every browser keeps', async (id) => {
    const link = await encodeSnapshot({
      v: 1,
      workspace: exampleWorkspace(id),
      view: { selection: null, mode: 'before', panel: 'matches', openFile: '' },
      summary: null,
    })
    expect(link.length).toBeLessThan(65_536)
  })
})
