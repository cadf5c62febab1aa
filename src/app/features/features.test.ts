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
  it('resolve an unknown panel to the first one', () => {
    expect(panelById('of a later version' as never)).toBe(PANELS[0])
  })
})
