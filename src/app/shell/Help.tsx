import { groupCommands } from '../commands/types'
import { COMMANDS } from '../features'
import { showKeys } from '../commands/keys'
import { Dialog } from '../ui/Dialog'
import { docsAddress } from '../docs/DocsLink'
import { Kbd } from '../ui/Badge'
import styles from './Help.module.css'

/** The help dialog: the areas of the screen, and all keys, derived from the commands. */
export function Help() {
  return (
    <Dialog label="Help" title="Fusescope" width={860} className={styles.help}>
      <p>
        The code registers patterns; the graph shows their matches while you type. The verdict says what matched and
        what to do next, and the panels below it hold matches, near misses with their causes, the tree of registrations
        and runs on your GPU.
      </p>
      <p>
        Drop the output of <code>print(graph)</code>, an <code>fx_graph_readable.py</code> or a Python file anywhere on
        the page. Select a node, a match, a pattern or a source line: all panels highlight it.
      </p>
      <p>
        <a href={docsAddress('start')} target="_blank" rel="noreferrer">
          Documentation
        </a>
        : how-to, causes, command line, kernels, links, limits, with search.
      </p>
      <div className={styles.groups}>
        {groupCommands(COMMANDS).map(([group, commands]) => (
          <section key={group}>
            <h3>{group}</h3>
            <ul>
              {commands.map((c) => (
                <li key={c.id}>
                  <span>{c.title}</span>
                  <span>
                    {c.keys?.map((k) => (
                      <Kbd key={k}>{showKeys(k)}</Kbd>
                    ))}
                  </span>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
