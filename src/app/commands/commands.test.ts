import { describe, expect, it } from 'vitest'
import { COMMANDS } from './commands'
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
  it('each has its own id, and no key is claimed twice', () => {
    const ids = COMMANDS.map((c) => c.id)
    expect(new Set(ids).size).toBe(ids.length)
    const keys = COMMANDS.flatMap((c) => c.keys ?? [])
    expect(new Set(keys).size).toBe(keys.length)
  })
  it('matches what is pressed: Mod is Ctrl here and ⌘ on a Mac, Shift has to be said for letters only', () => {
    expect(matchesKeys('Mod+K', press('k', { ctrlKey: true }), false)).toBe(true)
    expect(matchesKeys('Mod+K', press('k', { metaKey: true }), true)).toBe(true)
    expect(matchesKeys('Mod+K', press('k'), false)).toBe(false)
    expect(matchesKeys('N', press('N', { shiftKey: true }), false)).toBe(false)
    expect(matchesKeys('Shift+N', press('N', { shiftKey: true }), false)).toBe(true)
    expect(matchesKeys('?', press('?', { shiftKey: true }), false)).toBe(true)
    expect(matchesKeys('+', press('+', { shiftKey: true }), false)).toBe(true)
  })
  it('leaves plain keys to the text that is being typed, but not the palette', () => {
    expect(commandFor(press('/'), true, COMMANDS)).toBeNull()
    expect(commandFor(press('/'), false, COMMANDS)?.id).toBe('search')
    expect(commandFor(press('k', { ctrlKey: true }), true, COMMANDS)?.id).toBe('palette')
  })
  it('shows keys as the platform writes them', () => {
    expect(showKeys('Mod+Shift+S', false)).toBe('Ctrl+Shift+S')
    expect(showKeys('Mod+Shift+S', true)).toBe('⌘⇧S')
  })
})
