/** The shared styles of any element, and what joins them. */
export { default as css } from './text.module.css'

/** Joins the class names that are set. */
export const cx = (...names: readonly (string | false | null | undefined)[]): string => names.filter(Boolean).join(' ')
