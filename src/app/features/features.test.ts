import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { PANEL_IDS } from '../../workspace/types'
import { commandById } from '../commands/registry'
import { COMMANDS, panelById, PANELS } from './index'

describe('features', () => {
  it('register each panel of a snapshot exactly once', () => {
    expect(PANELS.map((p) => p.id).toSorted()).toEqual([...PANEL_IDS].toSorted())
  })
  it('give each panel a command with its title and key', () => {
    for (const p of PANELS) expect(commandById(`panel-${p.id}`)).toMatchObject({ title: p.title, keys: [p.key] })
    expect(COMMANDS.filter((c) => c.id.startsWith('panel-'))).toHaveLength(PANELS.length)
  })
  it('have every command that a view names by its id', () => {
    const app = fileURLToPath(new URL('..', import.meta.url))
    const views = readdirSync(app, { recursive: true, encoding: 'utf8' }).filter((f) => /\.tsx$/.test(f))
    const named = views.flatMap((file) =>
      [
        ...readFileSync(join(app, file), 'utf8').matchAll(
          /(?:runById|commandHint)\('([\w-]+)'\)|CommandButton command="([\w-]+)"/g,
        ),
      ].map((m) => m[1] ?? m[2]!),
    )
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((id) => !COMMANDS.some((c) => c.id === id))).toEqual([])
  })
  it('resolve an unknown panel to the first one', () => {
    expect(panelById('of a later version' as never)).toBe(PANELS[0])
  })
})
