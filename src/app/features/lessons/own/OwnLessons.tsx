/** The lessons that the user recorded or opened, in the list of lessons. */
import { useEffect } from 'react'
import { closeOverlay } from '../../../session/view_store'
import { LinkButton } from '../../../ui/Button'
import type { OwnLesson } from '../../../../workspace/library/own_lessons'
import { copyLink } from './open_files'
import { openLesson } from '../open_lesson'
import { editLesson, saveKept, startRecording } from '../recorder/store'
import { deleteLesson, loadOwnLessons, useOwnLessons } from './own_lessons'
import styles from './OwnLessons.module.css'
import { css } from '../../../ui/css'

/** Closes the list, then acts. */
const then = (act: () => unknown) => () => {
  closeOverlay()
  void act()
}

export function OwnLessons() {
  const list = useOwnLessons((s) => s.list)
  useEffect(() => void loadOwnLessons(), [])
  return (
    <section className={styles.own} aria-label="Your lessons">
      <h3>Your lessons</h3>
      <p className={css.muted}>
        Kept in this browser. <LinkButton onClick={then(startRecording)}>Record a lesson</LinkButton> from the present
        workspace, or drop a lesson file on the window.
      </p>
      <ul>
        {list.map((lesson) => (
          <Own key={lesson.id} lesson={lesson} />
        ))}
      </ul>
    </section>
  )
}

function Own({ lesson }: { lesson: OwnLesson }) {
  const { id, title, received } = lesson
  return (
    <li className={styles.row}>
      <LinkButton className={styles.title} onClick={then(() => openLesson(id))}>
        {title}
      </LinkButton>
      {received && <span className={css.muted}>asks before its code runs</span>}
      <LinkButton aria-label={`Edit ${title}`} onClick={then(() => editLesson(id))}>
        Edit
      </LinkButton>
      <LinkButton aria-label={`Copy a link to ${title}`} onClick={() => void copyLink(id)}>
        Link
      </LinkButton>
      <LinkButton aria-label={`Save ${title} as a file`} onClick={() => void saveKept(id)}>
        Save
      </LinkButton>
      <LinkButton aria-label={`Delete ${title}`} onClick={() => void deleteLesson(lesson)}>
        Delete
      </LinkButton>
    </li>
  )
}
