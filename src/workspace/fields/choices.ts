/**
 * The names that a workspace and its view choose from. Separate from the schemas, because the first screen needs them without zod.
 */

/** The platforms that an environment can simulate. */
export const PLATFORMS = [
  'cuda-sm80',
  'cuda-sm89',
  'cuda-sm90',
  'cuda-sm100',
  'rocm',
  'rocm-aiter',
  'cpu',
  'ascend-a5',
  'ascend-910b',
  'ascend-310p',
  'xpu',
] as const

/** Ids of the panels, as stored in snapshots; each is one registration in src/app/features. */
export const PANEL_IDS = [
  'matches',
  'whynot',
  'steps',
  'patterns',
  'pipeline',
  'run',
  'inspector',
  'outline',
  'console',
  'problems',
] as const

/** What is folded together: equal layers, modules of the model, source lines, matches inside layers, or matches by pattern. */
export const GROUP_BY = ['layer', 'module', 'line', 'match', 'pattern'] as const
