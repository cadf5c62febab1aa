/** Tables and lists of facts. */
import type { ComponentProps } from 'react'
import { css, cx } from './css'
import styles from './Table.module.css'

/** @param variant `grid`: text side by side, every cell framed; `figures`: columns of numbers, rules between rows */
export function Table({ variant, className, ...props }: ComponentProps<'table'> & { variant: 'grid' | 'figures' }) {
  return <table className={cx(styles[variant], className)} {...props} />
}

/** A label, or a label with an explanation. */
type Column = string | readonly [label: string, title: string]

/** A table of figures with its head. */
export function FiguresTable({
  columns,
  children,
  ...props
}: ComponentProps<'table'> & { columns: readonly Column[] }) {
  return (
    <Table variant="figures" {...props}>
      <thead>
        <tr>
          {columns.map((column) => {
            const [label, title] = typeof column === 'string' ? [column] : column
            return (
              <th key={label} scope="col" title={title}>
                {label}
              </th>
            )
          })}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </Table>
  )
}

/** Scrolls a table that is wider than its panel. */
export function ScrollX(props: ComponentProps<'div'>) {
  return <div className={styles.scroll} {...props} />
}

/** A `dl` in two columns, names and values. @param pairs those whose value is code, before the children */
export function Facts({
  pairs = [],
  children,
  ...props
}: ComponentProps<'dl'> & { pairs?: readonly (readonly [name: string, value: string | null])[] }) {
  return (
    <dl className={styles.facts} {...props}>
      {pairs.map(([name, value], i) => (
        <Fact key={i} name={name} className={css.mono}>
          {value}
        </Fact>
      ))}
      {children}
    </dl>
  )
}

export const Fact = ({ name, ...value }: ComponentProps<'dd'> & { name: string }) => (
  <div>
    <dt>{name}</dt>
    <dd {...value} />
  </div>
)
