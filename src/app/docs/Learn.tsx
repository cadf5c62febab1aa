/** Lessons and articles (public/lessons/index.json) as links into the app. */
import { useEffect, useState } from 'react'
import { messageOf } from '../../base/error_message'
import type { LessonInfo } from '../../engine/lessons/catalog'
import { siteJson } from '../site_files'
import styles from './Learn.module.css'

export function Learn() {
  const [list, setList] = useState<readonly LessonInfo[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    siteJson<LessonInfo[]>('lessons/index.json').then(setList, (e) => setProblem(messageOf(e)))
  }, [])
  return (
    <section className={styles.learn} aria-label="List of lessons and articles">
      {problem && <p role="status">The list could not be loaded: {problem}</p>}
      <h2>Lessons</h2>
      <Lessons list={list.filter((l) => !l.kind)} />
      <h2>Articles</h2>
      <Lessons list={list.filter((l) => l.kind === 'article')} />
    </section>
  )
}

function Lessons({ list }: { list: readonly LessonInfo[] }) {
  return (
    <ol>
      {list.map(({ id, title, summary, minutes }) => (
        <li key={id}>
          <a href={`./?lesson=${id}&step=1`}>{title}</a> ({minutes} min)
          <p>{summary}</p>
        </li>
      ))}
    </ol>
  )
}
