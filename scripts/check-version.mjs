// @ts-check
/**
 * Checks that package.json, package-lock.json and CHANGELOG.md name one version. `npm version` runs it before it commits.
 *   node scripts/check-version.mjs          the newest heading may say (unreleased)
 *   node scripts/check-version.mjs v1.2.3   for a release: the tag is that version, and its heading says nothing of the kind
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './lib.mjs'

/** @typedef {{ version: string, locked: readonly string[], changelog: string, tag?: string }} Versions */

/** The lock file names the version twice. @param {string} text @returns {string[]} */
export function lockedVersions(text) {
  const { version, packages } = JSON.parse(text)
  return [version, packages[''].version]
}

/**
 * @param {Versions} versions
 * @returns {string | null} the versions that disagree, one sentence
 */
export function versionFault({ version, locked, changelog, tag }) {
  const other = locked.find((v) => v !== version)
  if (other !== undefined) return `package-lock.json has version ${other}, package.json ${version}.`
  const heading = /^## (\S+)(.*)$/m.exec(changelog)
  if (heading?.[1] !== version)
    return `The newest heading of CHANGELOG.md is of ${heading?.[1] ?? 'no version'}, package.json of ${version}.`
  if (tag === undefined) return null
  if (tag !== `v${version}`) return `The tag is ${tag}, package.json has version ${version}.`
  return heading[2]?.includes('unreleased') ? `CHANGELOG.md calls ${version} unreleased; write its date.` : null
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const read = (/** @type {string} */ name) => readFileSync(join(root, name), 'utf8')
  const fault = versionFault({
    version: JSON.parse(read('package.json')).version,
    locked: lockedVersions(read('package-lock.json')),
    changelog: read('CHANGELOG.md'),
    ...(process.argv[2] !== undefined && { tag: process.argv[2] }),
  })
  if (fault) console.error(fault)
  process.exit(fault ? 1 : 0)
}
