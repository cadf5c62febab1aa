/** The form of a class page: its title and text, its entries in order, and what can be added. */
import { useEffect, useState } from 'react'
import type { ClassItem, ClassPage } from '../../../../workspace/class_page'
import { Button, CloseButton } from '../../../ui/Button'
import { Field, Input, Select, TextArea } from '../../../ui/Field'
import type { LessonInfo } from '../../../../engine/lessons/catalog'
import { keptFragment } from '../own/open_files'
import { loadOwnLessons, useOwnLessons } from '../own/own_lessons'
import { writeClass } from './store'
import styles from './ClassDialog.module.css'
import { css, cx } from '../../../ui/css'

export function ClassForm({ page, lessons }: { page: ClassPage; lessons: readonly LessonInfo[] }) {
  const { items } = page
  const put = (next: ClassItem[]): void => writeClass({ items: next })
  return (
    <div className={styles.form}>
      <Field label="Title">
        <Input value={page.title} maxLength={300} onValue={(value) => writeClass({ title: value })} />
      </Field>
      <Field label="Text for the class">
        <TextArea rows={2} value={page.text} maxLength={5000} onValue={(value) => writeClass({ text: value })} />
      </Field>
      <ol className={cx(css.stack, css.gap2)} aria-label="Entries of the page">
        {items.map((item, i) => (
          <Entry
            key={i}
            item={item}
            number={i + 1}
            lessons={lessons}
            onChange={(next) => put(items.toSpliced(i, 1, next))}
            onRemove={() => put(items.toSpliced(i, 1))}
            onUp={i === 0 ? null : () => put(items.toSpliced(i, 1).toSpliced(i - 1, 0, item))}
          />
        ))}
      </ol>
      <AddLesson lessons={lessons} onAdd={(item) => put([...items, item])} />
      <AddOwn onAdd={(item) => put([...items, item])} />
      <AddLink onAdd={(item) => put([...items, item])} />
    </div>
  )
}

interface EntryProps {
  item: ClassItem
  number: number
  lessons: readonly LessonInfo[]
  onChange(item: ClassItem): void
  onRemove(): void
  onUp: (() => void) | null
}

function Entry({ item, number, lessons, onChange, onRemove, onUp }: EntryProps) {
  const title = titleOf(item, lessons)
  return (
    <li className={styles.entry}>
      <span>
        {number}. <strong>{title}</strong>
      </span>
      <Input
        aria-label={`Note on ${title}`}
        placeholder="Note"
        value={item.note ?? ''}
        maxLength={1000}
        onValue={(value) => onChange({ ...item, note: value || undefined })}
      />
      <Button variant="quiet" disabled={!onUp} aria-label={`Move ${title} up`} onClick={() => onUp?.()}>
        ↑
      </Button>
      <CloseButton label={`Remove ${title}`} onClick={onRemove} />
    </li>
  )
}

function titleOf(item: ClassItem, lessons: readonly LessonInfo[]): string {
  if (!('lesson' in item)) return item.title || item.link
  const info = lessons.find((l) => l.id === item.lesson)
  const step = item.step === undefined ? undefined : info?.steps[item.step - 1]
  return `${info?.title ?? item.lesson}${step ? `: ${step.title}` : ''}`
}

function AddLesson({ lessons, onAdd }: { lessons: readonly LessonInfo[]; onAdd(item: ClassItem): void }) {
  const [id, setId] = useState('')
  const [step, setStep] = useState(0)
  const info = lessons.find((l) => l.id === id) ?? lessons[0]
  if (!info) return null
  return (
    <div className={styles.add}>
      <Select
        aria-label="Lesson"
        value={info.id}
        onValue={(value) => {
          setId(value)
          setStep(0)
        }}
        options={lessons.map((l) => [l.id, l.title])}
      />
      <Select
        aria-label="Step"
        value={step}
        onValue={(value) => setStep(Number(value))}
        options={[[0, 'whole lesson'], ...info.steps.map((s, i) => [i + 1, `${i + 1}. ${s.title}`] as const)]}
      />
      <Button data-testid="class-add-lesson" onClick={() => onAdd({ lesson: info.id, ...(step > 0 && { step }) })}>
        Add the lesson
      </Button>
    </div>
  )
}

/** Adds a lesson that the user recorded or received. The link contains the whole lesson. */
function AddOwn({ onAdd }: { onAdd(item: ClassItem): void }) {
  const list = useOwnLessons((s) => s.list)
  const [id, setId] = useState('')
  useEffect(() => void loadOwnLessons(), [])
  const chosen = list.find((l) => l.id === id) ?? list[0]
  if (!chosen) return null
  const add = async (): Promise<void> => {
    const link = await keptFragment(chosen.id)
    if (link !== null) onAdd({ title: chosen.title, link })
  }
  return (
    <div className={styles.add}>
      <Select
        aria-label="Lesson of your own"
        value={chosen.id}
        onValue={setId}
        options={list.map((l) => [l.id, l.title])}
      />
      <Button onClick={() => void add()}>Add your lesson</Button>
    </div>
  )
}

const LINK = /^(https?:\/\/\S+|[#?]\S+)$/

function AddLink({ onAdd }: { onAdd(item: ClassItem): void }) {
  const [title, setTitle] = useState('')
  const [link, setLink] = useState('')
  const address = link.trim()
  return (
    <form
      className={styles.add}
      onSubmit={(e) => {
        e.preventDefault()
        if (!LINK.test(address)) return
        onAdd({ title: title.trim() || address.slice(0, 80), link: address })
        setTitle('')
        setLink('')
      }}
    >
      <Input aria-label="Title of the link" placeholder="Title" value={title} onValue={setTitle} />
      <Input aria-label="Link" placeholder="https://… from Share, or any page" value={link} onValue={setLink} />
      <Button type="submit" disabled={!LINK.test(address)}>
        Add the link
      </Button>
    </form>
  )
}
