import type { ComponentProps, ElementType } from 'react'
import { cx } from './css'
import styles from './Section.module.css'

/** The small heading of a panel section. */
export function SectionTitle({
  as = 'h3',
  className,
  ...props
}: ComponentProps<'h3'> & { as?: 'h2' | 'h3' | 'h4' | 'summary' }) {
  const Tag: ElementType = as
  return <Tag className={cx(styles.title, className)} {...props} />
}

/** A panel section with its heading. */
export function Section({ title, children, ...props }: Omit<ComponentProps<'section'>, 'title'> & { title: string }) {
  return (
    <section {...props}>
      <SectionTitle>{title}</SectionTitle>
      {children}
    </section>
  )
}
