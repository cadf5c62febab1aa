// @ts-check
/**
 * The built page in one file, by Python's standard library, without a network.
 *   npm run wheel   python/dist/fusescope-*.whl, with the recorder, for pip
 *   npm run zip     python/dist/fusescope-*.zip, for any folder of a static host
 */
import { ensureBuilt, ensureInstalled, requireNode20, root, run } from './lib.mjs'

const form = process.argv[2]
if (form !== 'wheel' && form !== 'zip') {
  console.error('archive: expected wheel or zip.')
  process.exit(2)
}
requireNode20()
if (!(await ensureInstalled()) || !(await ensureBuilt())) process.exit(1)
process.exit(await run('python3', [`${root}python/build_${form}.py`]))
