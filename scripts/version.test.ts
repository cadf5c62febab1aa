import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { lockedVersions, versionFault } from './check-version.mjs'

it('this version agrees with the lock file and the changelog', () => {
  const text = (name: string): string => readFileSync(name, 'utf8')
  const { version } = JSON.parse(text('package.json'))
  const locked = lockedVersions(text('package-lock.json'))
  expect(locked).toHaveLength(2)
  expect(versionFault({ version, locked, changelog: text('CHANGELOG.md') })).toBeNull()
})

it('says what does not agree', () => {
  const versions = {
    version: '1.2.0',
    locked: ['1.2.0', '1.2.0'],
    changelog: '# Changelog\n\n## 1.2.0 (unreleased)\n\n## 1.1.0\n',
  }
  expect(versionFault(versions)).toBeNull()
  expect(versionFault({ ...versions, locked: ['1.2.0', '1.1.0'] })).toContain('package-lock.json has version 1.1.0')
  expect(versionFault({ ...versions, version: '1.3.0', locked: ['1.3.0'] })).toContain(
    'of 1.2.0, package.json of 1.3.0',
  )
  expect(versionFault({ ...versions, tag: 'v1.2' })).toBe('The tag is v1.2, package.json has version 1.2.0.')
  expect(versionFault({ ...versions, tag: 'v1.2.0' })).toContain('unreleased')
  const changelog = '## 1.2.0 (2026-12-01)\n'
  expect(versionFault({ ...versions, changelog, tag: 'v1.2.0' })).toBeNull()
})
