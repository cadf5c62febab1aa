/** Writes lib/_fusescope/engine.py from src/python/calls/table.ts. Usage: npm run tables */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { engineModule } from '../src/python/calls/python_text'
import { formatPython } from './check-python.mjs'
import { root } from './lib.mjs'

writeFileSync(join(root, 'src/python/lib/_fusescope/engine.py'), formatPython(engineModule()))
