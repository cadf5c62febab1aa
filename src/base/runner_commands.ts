/**
 * What the runner of a workflow obeys in the log of a program: `::set-env name=…::` of GitHub, Gitea and Forgejo begins a line;
 * `##[group]`, `##vso[task.uploadfile]…` (Azure Pipelines), `##teamcity[…]` and `##octopus[…]` stand anywhere, as CTest's
 * `<DartMeasurementFile>`, the `[[ATTACHMENT|FILE]]` of Jenkins and GitLab, and `travis_fold:`; `---` and `+++` fold the lines below in
 * Buildkite. What begins with an escape character (GitLab's sections, Buildkite's images, Jenkins's notes) is hidden text.
 *
 * The Python files that print names have the same expression (scripts/python.test.ts). The last character of a match is to be escaped.
 */
export const RUNNER_COMMAND =
  /^\s*:(?=:)|^(?:--|\+\+|~~|\^\^)[-+~^](?=\s|$)|##(?=\w*\[)|travis_(?=(?:fold|time):)|<(?=(?:CTest|Dart)[A-Z])|\[(?=\[ATTACHMENT\|)/g

/** A line in which `escape` has taken commands apart. */
export const commandsEscaped = (line: string, escape: (c: string) => string): string =>
  line.replace(RUNNER_COMMAND, (command) => command.slice(0, -1) + escape(command.slice(-1)))

/** Variables by which programs know that a runner reads what they print. */
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
