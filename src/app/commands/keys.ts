/** Matches key events against the shortcuts of commands. */
import { isEnabled, type Command } from './types'

export interface Pressed {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  shiftKey: boolean
  altKey: boolean
}

export const isMac = (): boolean => typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform)

/** True if the event matches `keys` (`Mod+Shift+S`, `?`). */
export function matchesKeys(keys: string, e: Pressed, mac = isMac()): boolean {
  const parts = keys.split(/\+(?=.)/)
  const key = parts.at(-1)!
  const mods = new Set(parts.slice(0, -1))
  const mod = mac ? e.metaKey : e.ctrlKey
  const other = mac ? e.ctrlKey : e.metaKey
  if (mod !== mods.has('Mod') || other || e.altKey) return false
  // `?` and `+` imply Shift; for letters it must be explicit.
  const isLetter = /^[a-z]$/i.test(key) || key.length > 1
  if (isLetter && e.shiftKey !== mods.has('Shift')) return false
  return e.key.toLowerCase() === key.toLowerCase()
}

/** Fallback of a key while its own command is disabled. */
const IDLE: Command = { id: 'idle', title: '', group: 'View', run: () => {} }

/** `⌘K` or `Ctrl+K`. */
export function showKeys(keys: string, mac = isMac()): string {
  return mac
    ? keys
        .replace('Mod+', '⌘')
        .replace('Shift+', '⇧')
        .replace('Enter', '↩')
        .replace('ArrowDown', '↓')
        .replace('ArrowUp', '↑')
        .replace('ArrowRight', '→')
        .replace('ArrowLeft', '←')
    : keys
        .replace('Mod', 'Ctrl')
        .replace('Escape', 'Esc')
        .replace('ArrowDown', '↓')
        .replace('ArrowUp', '↑')
        .replace('ArrowRight', '→')
        .replace('ArrowLeft', '←')
}

export function commandFor(e: Pressed, typing: boolean, commands: readonly Command[]): Command | null {
  const fits = commands.filter((c) => (c.anywhere || !typing) && c.keys?.some((k) => matchesKeys(k, e)))
  const local = fits.find((c) => c.keysWhen?.())
  // Keys that belong to a panel have no other effect there, even at the end of a list.
  if (local) return isEnabled(local) ? local : IDLE
  return fits.find((c) => !c.keysWhen && isEnabled(c)) ?? null
}

/** True for a text field, which receives plain keys. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
    target.closest('.monaco-editor') !== null
  )
}

/** True while a dialog or a menu is open: plain keys then do not run commands. */
const inOverlay = (): boolean => document.querySelector('[role="dialog"], [role="menu"]') !== null

/**
 * Runs the command of each pressed key. @param commands returns the commands at the time of the key press
 * @returns a function that stops listening
 */
export function listenForKeys(commands: () => readonly Command[]): () => void {
  const onKey = (e: KeyboardEvent): void => {
    const typing = isTyping(e.target) || inOverlay()
    if (e.defaultPrevented && !e.ctrlKey && !e.metaKey) return
    const command = commandFor(e, typing, commands())
    if (!command) return
    // The canvas, lists and trees use plain arrow and Enter keys; commands get them only in their own context.
    e.preventDefault()
    e.stopPropagation()
    command.run()
  }
  // The capture phase, because Monaco binds chords to some of these keys.
  addEventListener('keydown', onKey, true)
  return () => removeEventListener('keydown', onKey, true)
}
