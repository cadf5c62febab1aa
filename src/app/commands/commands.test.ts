import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../features'
import type { Command } from './types'
import { fits } from './fits'
import { commandFor, matchesKeys, showKeys, type Pressed } from './keys'

const press = (key: string, more: Partial<Pressed> = {}): Pressed => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...more,
})

describe('commands', () => {
  it('have unique ids, and each key has one command per context', () => {
    const ids = COMMANDS.map((c) => c.id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const own of [false, true]) {
      const keys = COMMANDS.filter((c) => (c.keysWhen !== undefined) === own).flatMap((c) => c.keys ?? [])
      expect(new Set(keys).size).toBe(keys.length)
    }
  })
  it('gives a key to the command of the focused context, even if that command is disabled', () => {
    let [here, able] = [true, true]
    const run = (): void => {}
    const list: Command[] = [
      { id: 'everywhere', title: '', group: 'View', keys: ['N'], run },
      { id: 'own', title: '', group: 'Steps', keys: ['N'], keysWhen: () => here, enabled: () => able, run },
    ]
    expect(commandFor(press('n'), false, list)?.id).toBe('own')
    able = false
    expect(commandFor(press('n'), false, list)?.id).toBe('idle')
    here = false
    expect(commandFor(press('n'), false, list)?.id).toBe('everywhere')
  })
  it('matches key events: Mod is Ctrl here and ⌘ on a Mac, Shift is explicit for letters only', () => {
    expect(matchesKeys('Mod+K', press('k', { ctrlKey: true }), false)).toBe(true)
    expect(matchesKeys('Mod+K', press('k', { metaKey: true }), true)).toBe(true)
    expect(matchesKeys('Mod+K', press('k'), false)).toBe(false)
    expect(matchesKeys('N', press('N', { shiftKey: true }), false)).toBe(false)
    expect(matchesKeys('Shift+N', press('N', { shiftKey: true }), false)).toBe(true)
    expect(matchesKeys('?', press('?', { shiftKey: true }), false)).toBe(true)
    expect(matchesKeys('+', press('+', { shiftKey: true }), false)).toBe(true)
  })
  it('leaves plain keys to text fields, except the palette shortcut', () => {
    expect(commandFor(press('/'), true, COMMANDS)).toBeNull()
    expect(commandFor(press('/'), false, COMMANDS)?.id).toBe('search')
    expect(commandFor(press('k', { ctrlKey: true }), true, COMMANDS)?.id).toBe('palette')
  })
  it('formats keys for the platform', () => {
    expect(showKeys('Mod+Shift+S', false)).toBe('Ctrl+Shift+S')
    expect(showKeys('Mod+Shift+S', true)).toBe('⌘⇧S')
  })
  it('are found by word prefixes, matches in earlier words first', () => {
    const best = (typed: string): string =>
      COMMANDS.reduce((a, b) => (fits(b.title, typed) > fits(a.title, typed) ? b : a)).id
    expect(best('pipel')).toBe('panel-pipeline')
    expect(best('light dark')).toBe('theme')
    expect(fits('Open the example: Attention + FP8', 'fp8 att')).toBeGreaterThan(0)
    expect(fits('Go to the next area: editor, graph, panels', 'pipel')).toBe(0)
  })
})
