/** `fusescope baseline`: the counts that `fusescope check` compares with. */
import { tableRows } from '../../engine/table/table'
import { complain, writeDocument } from '../output'
import { BAD_INPUT, DONE } from '../status'
import { countTable } from '../table/table'
import { readTableInput } from '../table/table_input'
import type { BatchOptions } from '../threads/shard'
import type { BaselineCommand } from './baseline_args'
import { baselineText } from './baseline_text'

export async function baselineCommand(command: BaselineCommand & BatchOptions): Promise<number> {
  const input = readTableInput(command)
  const counted = typeof input === 'string' ? input : await countTable(input, command)
  if (typeof counted === 'string') {
    complain(counted)
    return BAD_INPUT
  }
  writeDocument(baselineText({ graphs: counted.graphs, rows: tableRows(counted.results) }))
  return DONE
}
