/**
 * Commands that a workflow runner obeys in a program's log. `::set-env name=…::` (GitHub, Gitea, Forgejo) begins a line.
 * `##[group]`, `##vso[task.uploadfile]…` (Azure Pipelines), `##teamcity[…]`, `##octopus[…]`, CTest's `<DartMeasurementFile>`,
 * `[[ATTACHMENT|FILE]]` (Jenkins, GitLab) and `travis_fold:` can be anywhere. `---` and `+++` fold the lines below in Buildkite.
 * Text that begins with an escape character (GitLab's sections, Buildkite's images, Jenkins's notes) is hidden. The Python files
 * that print names have the same expression (scripts/python.test.ts). The last character of a match must be escaped.
 */
export const RUNNER_COMMAND =
  /^\s*:(?=:)|^(?:--|\+\+|~~|\^\^)[-+~^](?=\s|$)|##(?=\w*\[)|travis_(?=(?:fold|time):)|<(?=(?:CTest|Dart)[A-Z])|\[(?=\[ATTACHMENT\|)/g

/** A line in which `escape` has broken up commands. */
export const commandsEscaped = (line: string, escape: (c: string) => string): string =>
  line.replace(RUNNER_COMMAND, (command) => command.slice(0, -1) + escape(command.slice(-1)))

/** Environment variables that show a program that a runner reads its output. */
export const RUNNERS = [
  'CI',
  'GITHUB_ACTIONS',
  'TF_BUILD',
  'TEAMCITY_VERSION',
  'GITLAB_CI',
  'BUILDKITE',
  'JENKINS_URL',
  'TRAVIS',
  'CIRCLECI',
  'APPVEYOR',
  'BITBUCKET_BUILD_NUMBER',
  'CODEBUILD_BUILD_ID',
  'OctopusCalamariWorkingDirectory',
  'DASHBOARD_TEST_FROM_CTEST',
]

export const inRunner = (environment: Readonly<Record<string, string | undefined>>): boolean =>
  RUNNERS.some((name) => !/^(?:|0|false|no)$/i.test(environment[name] ?? ''))
