/**
 * Reporter of Playwright: one line for each file with its tests and its time, each failed try with its error, and the figures that a test
 * annotates. */
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { FullConfig, Reporter, Suite, TestCase, TestResult } from '@playwright/test/reporter'

interface File {
  /** Tests that have no final result. */
  open: number
  count: number
  failed: number
  flaky: number
  ms: number
}

export default class FileLines implements Reporter {
  private readonly files = new Map<string, File>()
  private root = ''

  onBegin({ rootDir }: FullConfig, suite: Suite): void {
    this.root = rootDir
    for (const test of suite.allTests()) {
      const file = this.fileOf(test)
      file.open++
      file.count++
    }
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    const file = this.fileOf(test)
    file.ms += result.duration
    const isExpected = result.status === test.expectedStatus || result.status === 'skipped'
    if (!isExpected) this.printTry(test, result)
    if (!isExpected && result.retry < test.retries && result.status !== 'interrupted') return
    file.open--
    if (!isExpected) file.failed++
    else if (result.retry > 0) file.flaky++
    for (const { type, description } of result.annotations) if (type === 'figures') console.log(description)
    if (file.open === 0) this.printFile(test.location.file, file)
  }

  private printTry(test: TestCase, { retry, status, errors }: TestResult): void {
    const name = test.titlePath().filter(Boolean).slice(2).join(' › ')
    console.log(`\n${status} in try ${retry + 1} of ${test.retries + 1}: ${this.nameOf(test.location.file)} › ${name}`)
    for (const { message, stack, snippet, location } of errors) {
      const text = [stack ?? message, snippet].filter(Boolean).join('\n')
      console.log(process.stdout.isTTY ? text : stripVTControlCharacters(text))
      if (location) console.log(`at ${this.nameOf(location.file)}:${location.line}`)
    }
  }

  private printFile(path: string, { count, failed, flaky, ms }: File): void {
    const tests = `${count} ${count === 1 ? 'test' : 'tests'}`
    const faults = [failed > 0 ? `, ${failed} failed` : '', flaky > 0 ? `, ${flaky} flaky` : ''].join('')
    console.log(`${failed > 0 ? 'FAILED' : 'ok'}  ${this.nameOf(path)}, ${tests}${faults}, ${(ms / 1000).toFixed(1)} s`)
  }

  private nameOf(path: string): string {
    return relative(this.root, path)
  }

  private fileOf({ location }: TestCase): File {
    const file = this.files.get(location.file) ?? { open: 0, count: 0, failed: 0, flaky: 0, ms: 0 }
    this.files.set(location.file, file)
    return file
  }
}
