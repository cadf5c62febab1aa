/** Saves the open workspace as a case of conformance/, with PyTorch's counts as what is expected. */
import { pythonFiles } from '../../../workspace/python_files'
import { toast } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { download } from '../../files/download'
import { check } from './check'

export async function saveCase(): Promise<void> {
  const { workspace } = useWorkspace.getState()
  const answer = await check({ case: true })
  if (!answer || !('counts' in answer) || !answer.case)
    return toast('PyTorch gave no verdict, so there is nothing to save.', { tone: 'bad' })
  const files = pythonFiles(workspace)
  const id = `live-${workspace.name.replace(/\W+/g, '-').slice(0, 60)}`
  const line = {
    id,
    family: 'live',
    pattern_py: files.length === 1 ? files[0]!.text : '',
    ...(files.length > 1 && { files }),
    ...(workspace.passes && { passes: workspace.passes }),
    ...(workspace.environment && { environment: workspace.environment }),
    ...answer.case,
  }
  download(`${id}.jsonl`, `${JSON.stringify(line)}\n`, 'application/jsonl')
  toast(`${id}.jsonl is downloaded: npx tsx conformance/run.ts ${id}.jsonl replays it.`)
}
