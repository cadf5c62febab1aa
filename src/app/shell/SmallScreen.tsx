/** The layout of a screen without room for three columns: the graph or the code, and the panels beside or below it. */
import type { ReactNode } from 'react'
import { Group, Panel } from 'react-resizable-panels'
import { useView } from '../session/view_store'
import { Segmented } from '../ui/Segmented'
import { Separator } from './Separator'
import styles from './SmallScreen.module.css'
import { css, cx } from '../ui/css'

interface SmallScreenProps {
  /** `vertical`: the panels are below. */
  orientation: 'horizontal' | 'vertical'
  graph: ReactNode
  code: ReactNode
  /** The content of the code pane. */
  codeLabel: string
  panels: ReactNode
}

export function SmallScreen({ orientation, graph, code, codeLabel, panels }: SmallScreenProps) {
  const pane = useView((s) => s.pane)
  const vertical = orientation === 'vertical'
  return (
    <Group key={orientation} className={css.fill} orientation={orientation}>
      <Panel id="small-pane" defaultSize={vertical ? '45' : '58'} minSize={vertical ? 180 : 260}>
        <div className={cx(css.column, css.tall)}>
          <Segmented
            wide
            className={styles.choice}
            label="Show"
            value={pane}
            segments={[
              { value: 'graph', label: 'Graph' },
              { value: 'code', label: codeLabel },
            ]}
            onChange={(next) => useView.getState().setPane(next)}
          />
          {/* Both stay mounted: the editor keeps its caret, the canvas its camera. */}
          <div className={cx(styles.content, css.fill)} hidden={pane !== 'graph'}>
            {graph}
          </div>
          <div className={cx(styles.content, css.fill)} hidden={pane !== 'code'}>
            {code}
          </div>
        </div>
      </Panel>
      <Separator touch label="Size of the panels" />
      <Panel id="small-panels" minSize={vertical ? 160 : 260}>
        {panels}
      </Panel>
    </Group>
  )
}
