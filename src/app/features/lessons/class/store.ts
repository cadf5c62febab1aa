/** The open class page, and the class page that the user writes; the browser keeps both. */
import { create } from 'zustand'
import { keepText, keptText } from '../../../session/kept_text'
import {
  classFragment,
  isClassFragment,
  readClassFragment,
  readClassPage,
  writeClassPage,
  type ClassPage,
} from '../../../../workspace/class_page'
import type { Result } from '../../../../base/result'
import type { LessonInfo } from '../../../../engine/lessons/catalog'
import { isEmbed } from '../../../session/framed'
import { closeOverlay, toast, useView, toastUndo } from '../../../session/view_store'
import { pageAddress } from '../../../site_files'

const OPENED = 'fusescope:class'
const WRITTEN = 'fusescope:class-draft'
/** The page before anything was written; a page that the user emptied is a different object. */
const EMPTY: ClassPage = { title: '', text: '', items: [] }

function kept(key: string): ClassPage | null {
  const text = isEmbed() ? null : keptText(key)
  const page = text ? readClassPage(text) : null
  return page?.ok ? page.value : null
}

const keep = (key: string, page: ClassPage): void => keepText(key, writeClassPage(page))

export const useClass = create(() => ({
  /** The page that was opened last; null: none. */
  opened: kept(OPENED),
  written: kept(WRITTEN) ?? EMPTY,
  /** True if the dialog shows the page that the user writes. */
  editing: false,
}))

/** Shows a class page, or a toast with the problem of reading it. */
export function openClass(page: Result<ClassPage>): void {
  if (!page.ok) return toast(page.error.message, { tone: 'bad' })
  keep(OPENED, page.value)
  useClass.setState({ opened: page.value, editing: false })
  useView.getState().setOverlay('class')
}

/** Opens the class page that the address names. @returns false if it names none */
export function openClassOfAddress(): boolean {
  if (!isClassFragment(location.hash)) return false
  openClass(readClassFragment(location.hash))
  return true
}

/** The class page stays available as a button in the list of lessons; the address belongs to the workspace again. */
export function closeClass(): void {
  closeOverlay()
  if (isClassFragment(location.hash)) history.replaceState(history.state, '', location.pathname + location.search)
}

/** The page in the form, initially with the core lessons. */
export const pageInForm = (written: ClassPage, lessons: readonly LessonInfo[]): ClassPage =>
  written === EMPTY ? { ...EMPTY, items: lessons.filter((l) => l.core).map((l) => ({ lesson: l.id })) } : written

export function writeClass(change: Partial<ClassPage>): void {
  const written = { ...useClass.getState().written, ...change }
  useClass.setState({ written })
  keep(WRITTEN, written)
}

export function editClass(): void {
  useClass.setState({ editing: true })
  useView.getState().setOverlay('class')
}

/** Continues with a copy of the open page. */
export function editCopy(): void {
  const { opened, written } = useClass.getState()
  if (!opened) return
  if (written.items.length > 0 && JSON.stringify(written) !== JSON.stringify(opened))
    toastUndo('Your class page is replaced by a copy of this one.', () => writeClass(written))
  writeClass(opened)
  editClass()
}

/** The address that opens a class page. */
export const classAddress = (page: ClassPage): string => pageAddress() + classFragment(page)
