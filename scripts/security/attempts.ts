/**
 * Attacks and their results. Tests run the list of a group, so the numbers of the group count that list. A single attack names the
 * test that runs it, and security.test.ts checks that the test exists; or it names the command that ran it once.
 */
import { CONNECTIONS } from '../../e2e/pages/connections'
import { PAGE_PLACES } from '../../e2e/injections/places'
import { HOSTILE_KERNELS } from '../../src/gpu/testing/hostile/kernels'
import { SCRIPT_ATTACKS } from '../../src/python/box/testing/script_attacks'
import { DENIALS } from '../../src/python/testing/hostile/denials'
import { ESCAPES } from '../../src/python/testing/hostile/escapes'
import { PATCHES, SHADOWING } from '../../src/python/testing/hostile/patches'
import { TEXTS } from '../../conformance/read_fuzz/texts'
import recorder from '../../python/tests/hostile.json'
import { SAMPLE } from './exports/cases'
import requests from './requests.json'
import { TEXT_PLACES } from './text_places'

/** Attacks of one kind. `mended`: the number of them that gained something once. */
export interface Group {
  what: string
  tried: number
  mended: number
  tests: readonly string[]
}

const count = (list: readonly { mended?: boolean }[]): Pick<Group, 'tried' | 'mended'> => ({
  tried: list.length,
  mended: list.filter((a) => a.mended).length,
})

export const GROUPS: readonly Group[] = [
  { what: 'Python that would leave the box, or outlive its run', tried: ESCAPES.length + PATCHES.length + SHADOWING.length, mended: 0, tests: ['src/python/testing/hostile/escapes.test.ts', 'e2e/hostile.spec.ts'] },
  { what: 'Python that would stop the page', tried: DENIALS.length, mended: 0, tests: ['src/python/testing/hostile/escapes.test.ts', 'e2e/hostile.spec.ts'] },
  { what: 'JavaScript in the locked worker', tried: SCRIPT_ATTACKS.length, mended: 0, tests: ['e2e/hostile.spec.ts'] },
  { what: 'ways out of the worker before the lock: connections, WebRTC, imports, workers, beacons, Cache Storage, fonts', tried: Object.keys(CONNECTIONS).length, mended: 0, tests: ['e2e/hostile.spec.ts'] },
  { what: 'kernels', tried: HOSTILE_KERNELS.length, mended: 0, tests: ['e2e/hostile_kernels.spec.ts'] },
  { what: 'texts of strangers in a place of the page, a file or a terminal', tried: Object.keys(PAGE_PLACES).length + TEXT_PLACES.length, mended: 0, tests: ['e2e/injections.spec.ts', 'scripts/security/security.test.ts'] },
  { what: 'mutated texts of graphs', tried: TEXTS.seeds.length * TEXTS.each, mended: 0, tests: ['conformance/read_fuzz/texts.test.ts'] },
  { what: 'mutated graphs, captures, patterns, selections and lessons as Python (100,000 by hand, below)', tried: SAMPLE, mended: 0, tests: ['scripts/security/exports/exports.test.ts'] },
  { what: 'odd requests to the server of `npm start`', tried: requests.length, mended: 0, tests: ['scripts/security/requests.test.ts'] },
  { what: 'the same to the server of the Python package', ...count(requests), tests: ['python/tests/test_package.py'] },
  { what: 'objects of a program that is recorded: that raise, lie about their class, nest without end', ...count(recorder), tests: ['python/tests/test_recorder.py'] },
] // prettier-ignore

/** `held`, or `mended`: it gained something once. */
export type Outcome = 'held' | 'mended'

/** `test`: its file and a part of its title; a string: how it was made by hand. */
export interface Attempt {
  tried: string
  outcome: Outcome
  seen: string
  test: readonly (readonly [file: string, title: string])[] | string
}

export const ATTEMPTS: readonly Attempt[] = [
  {
    tried: '100,000 mutated graphs, captures, printed patterns, selections and lessons (`npx tsx scripts/security/exports/main.ts --count=100000 --seed=20261126`): 103,608 Python files, whose trees are compared with the allowed forms',
    outcome: 'mended',
    seen: 'no file has another form; empty traces, indented patterns, ints of 5,000 digits, methods of numbers, nodes that are read above their line, a line break behind `=` and white space at the end were no Python that runs',
    test: [['scripts/security/exports/exports.test.ts', 'hold allowed forms only'], ['src/engine/export/hostile.test.ts', 'is more than classes, names and literals']],
  },
  {
    tried: '265 of such files, run on PyTorch 2.14.1 (`main.ts --count=240 --seed=99 --sample=FOLDER`, `run_sample.py FOLDER`)',
    outcome: 'held',
    seen: 'none wrote a file outside its own temporary folder, started a process or opened a socket',
    test: 'by hand',
  },
  {
    tried: 'text of a graph in a pattern from a selection: an opaque value, a function outside the table, metadata that are no sizes',
    outcome: 'mended',
    seen: 'refused before anything is written or run',
    test: [['src/engine/from_selection/hostile.test.ts', 'refuses %s'], ['src/engine/from_selection/hostile.test.ts', 'refuses metadata that are no sizes']],
  },
  {
    tried: 'a site swaps the address of a window that it opened, under a press of Run',
    outcome: 'mended',
    seen: 'it has lost the window; on a host without headers no press counts there',
    test: [['e2e/consent.spec.ts', 'cannot change what a press runs'], ['src/app/session/consent.test.ts', 'is void in a window that another site opened']],
  },
  {
    tried: 'a link, a file of `?from=` or a lesson with the 32-bit hash of another',
    outcome: 'mended',
    seen: 'it neither opens nor replaces the other, nor has its consent',
    test: [['src/app/features/share/identity.test.ts', 'with the same 32-bit hash'], ['src/app/features/lessons/own/open_files.test.ts', 'never takes the place of a stored one']],
  },
  {
    tried: 'two graphs with one 53-bit hash, which a search of 13 s on one core found: one drawn, counted or kept for the other',
    outcome: 'mended',
    seen: 'graphs, code and views are kept by SHA-256',
    test: [['src/engine/cases/graph_key.test.ts', 'one hash of 53 bits']],
  },
  {
    tried: 'a lesson of 80 kB of `_a__`, which took 12 s, and 3,000 `>`, which overflowed the stack',
    outcome: 'mended',
    seen: 'both are refused at once; the slowest 80 kB within the limits took 0.64 s',
    test: [['src/app/markdown/read_markdown.test.ts', '']],
  },
  {
    tried: 'a gzipped file of a few kB that unpacks to GBs, dropped, of `?from=`, or given to the Python package',
    outcome: 'mended',
    seen: 'refused at 512 MiB',
    test: [['src/app/files/read_file.test.ts', 'so that a bomb does not end the page'], ['python/tests/test_package.py', 'test_a_bomb_of_gzip_is_refused']],
  },
  {
    tried: 'a link in a lesson or a class page, whose host a browser may look up before anybody follows it',
    outcome: 'held',
    seen: 'Chromium asks for no host; a header and a tag, `x-dns-prefetch-control: off`, say it to each browser',
    test: [['scripts/serve.test.ts', 'are the table of docs/hosting.md']],
  },
  {
    tried: 'names with line breaks, controls, marks of direction or `::add-mask::` and `##[error]`, which the runner of a GitHub workflow obeys; prints of user code',
    outcome: 'mended',
    seen: 'escaped in each line and in JSON; prints are on stderr',
    test: [['src/cli/forged.test.ts', 'says only what Fusescope saw'], ['src/cli/forged.test.ts', 'escapes each hidden character'], ['python/tests/test_package.py', 'acts_in_the_terminal_or_in_a_workflow']],
  },
  {
    tried: 'another user of the machine makes the folder again that `fusescope run` left on the PYTHONPATH of a scheduler, a service, a shell',
    outcome: 'mended',
    seen: 'the folder stays, and only its user can write there; code of the other user ran in each Python that the service started',
    test: [['python/tests/test_recorder.py', 'has_no_folder_on_its_path_that_others_can_make']],
  },
  {
    tried: 'a graph beside one’s own patterns, with code in a target, a name, a keyword, a method, a dtype: trials of fixes write and run files by themselves',
    outcome: 'mended',
    seen: 'no fix is made of it; an expression as a target ran in the box, and in the user’s PyTorch once the fix was applied',
    test: [['src/engine/session/hostile_fixes.test.ts', 'the target of a call, beside a handler'], ['src/explain/fixes/plain_names.test.ts', 'a keyword']],
  },
  {
    tried: 'a lesson that was sent, whose step holds no code and whose solution does',
    outcome: 'mended',
    seen: 'the solution asks as the code of a link does; it counted as an edit of the user and ran in the box',
    test: [['src/app/session/consent.test.ts', 'such as the solution of a lesson without code']],
  },
  {
    tried: 'a file whose first line declares an encoding in which a comment holds code, or with bytecode beside it, in an exported script and in a live process',
    outcome: 'mended',
    seen: 'the script runs the text that is shown, and refuses other encodings than UTF-8 and files that are no Python; the hidden code ran there, and in the box nothing',
    test: [['python/tests/test_exported.py', 'runs_the_text_that_is_shown'], ['python/tests/test_exported.py', 'writes_no_bytecode']],
  },
  {
    tried: '`npm run lessons -- PATH` of a lesson that does not end, links to a file of its reader, or has a name that a terminal obeys',
    outcome: 'mended',
    seen: 'it plays in the box of the command line, with its limits of time and memory',
    test: [['scripts/play-lessons.test.ts', 'is stopped at the time limit'], ['scripts/play-lessons.test.ts', 'reads nothing outside of its folder']],
  },
  {
    tried: '`--pattern FOLDER` with links out of the folder',
    outcome: 'mended',
    seen: 'they are named and not followed',
    test: [['src/cli/folders.test.ts', 'does not follow links out of a folder']],
  },
  {
    tried: 'the action in a pull request with a `json.py`, a `fusescope/`, an `.npmrc`, and a link at the path of the JUnit file',
    outcome: 'mended',
    seen: 'no file of the checkout runs but the passes, in the box; the link is replaced',
    test: [['scripts/security/action.test.ts', 'runs no file of the checkout'], ['scripts/security/action.test.ts', 'settings and modules from no checkout']],
  },
  {
    tried: '200 clients that send half a request, and 20 that read nothing, to both servers; clients that leave',
    outcome: 'mended',
    seen: 'a good client is answered within 2 s; the Python server wrote a traceback into the terminal for each that left',
    test: [['scripts/security/requests.test.ts', 'answers beside 200 clients'], ['python/tests/test_package.py', 'test_an_odd_request_gives_nothing_away']],
  },
  {
    tried: '`--host`: nine names in `Host`, seven paths out of the folder',
    outcome: 'held',
    seen: 'names of other hosts get 421, the paths 404',
    test: [['scripts/serve.test.ts', 'so that another site cannot read it by DNS rebinding'], ['scripts/serve.test.ts', 'stays inside its folders']],
  },
  {
    tried: 'requests to a live process: another origin, no origin, another host, another token, before it is allowed',
    outcome: 'held',
    seen: '403, and nothing runs',
    test: [['python/tests/test_live.py', 'test_answers_its_own_page_alone'], ['python/tests/test_live.py', 'test_runs_a_file_of_the_page_once_it_is_allowed']],
  },
  {
    tried: 'a file that somebody sent, dropped into the page of a live process that was allowed, with a name of its own or of an allowed file; pasted; put in place of the shown one while the terminal waits',
    outcome: 'mended',
    seen: 'it asks again and shows its lines; it ran with the rights of the process’s user',
    test: [['python/tests/test_live.py', 'A file that was dropped into the page asks again'], ['python/tests/test_live.py', 'test_runs_no_text_from_elsewhere_under_a_name_that_was_allowed'], ['src/app/features/live/live.test.ts', 'a file name alone allows nothing']],
  },
  {
    tried: 'a graph that somebody sent, in the page of a live process that was allowed, whose values are compared: methods that lead from a tensor to os.system, operators that write files',
    outcome: 'mended',
    seen: 'only nodes of graphs that the process recorded run there; they ran with the rights of the process’s user',
    test: [['conformance/python/live_checks.py', 'runs no node of a graph that the process did not record']],
  },
  {
    tried: 'code after 200 blanks, or after 40 lines, in the question of a live process; letters that look like blanks',
    outcome: 'mended',
    seen: 'long lines are wrapped, such letters escaped, and what is not shown needs the answer “all”; lines were cut at 160 characters',
    test: [['python/tests/test_live.py', 'test_asks_in_few_lines_without_control_characters']],
  },
  {
    tried: 'a full storage in the middle of a save (the browser’s own quota), 61,000 characters pasted into the editor or typed by a tool, 300 workspaces',
    outcome: 'mended',
    seen: 'named until there is room, and then kept; the page answers; typed text was inserted character by character, 15,000 of them in 11 s',
    test: [['e2e/library.spec.ts', 'a full storage is named']],
  },
  {
    tried: 'closing, reloading or crashing while a save is under way; two tabs',
    outcome: 'held',
    seen: 'at most the last second is lost, and the lines of both tabs stay',
    test: [['e2e/library.spec.ts', 'a crash during continuous typing'], ['e2e/library.spec.ts', 'a reload right after a key'], ['e2e/library.spec.ts', 'two tabs keep the lines of both']],
  },
  {
    tried: 'a private window that denies IndexedDB and local storage (the other specs run in a private profile, which has both)',
    outcome: 'held',
    seen: 'the page says that nothing is kept, and asks before it closes',
    test: [['e2e/library.spec.ts', 'without storage the page says so'], ['src/workspace/library/library.test.ts', 'fails where the browser denies storage']],
  },
  {
    tried: 'damaged rows, journals and settings; a database of a later version, of an earlier one and without its tables',
    outcome: 'mended',
    seen: 'listed as damaged, left in the journal, opened read-only, refused with a sentence',
    test: [['e2e/damaged_storage.spec.ts', 'a database of a later version'], ['src/workspace/library/library.test.ts', 'lists damaged rows'], ['src/workspace/library/library.test.ts', 'lacks its tables']],
  },
  {
    tried: 'addresses such as `https://[` in a class page',
    outcome: 'mended',
    seen: 'refused',
    test: [['src/workspace/class_page.test.ts', 'of another form is refused with a sentence']],
  },
  {
    tried: 'messages to the embedded page of another window, of another origin after its first call, and of a sandbox; to `open.html` while it packs another',
    outcome: 'held',
    seen: 'not heard; the newest question is the one that a press answers',
    test: [['e2e/addresses.spec.ts', 'a page of another origin frames the embedded page'], ['scripts/open_page.test.ts', 'opens the graph of the newest message']],
  },
  {
    tried: 'a host of `?from=` that sends nothing, is slow, or sends a byte now and then',
    outcome: 'mended',
    seen: 'the page said “The loader did not start” of a host that answers after 30 s; it waits 5 min now',
    test: [['src/app/features/open_files/loader.test.ts', 'a host that %s']],
  },
  {
    tried: 'a host that has another version of one file while the service worker installs',
    outcome: 'held',
    seen: 'the version before stays whole',
    test: [['scripts/offline.test.ts', 'keeps no version of which the host has a file in another one']],
  },
  {
    tried: 'a pass whose `apply` or `__call__` is overridden and returns 999, in a file, on the object or on PyTorch’s class',
    outcome: 'mended',
    seen: 'its code runs, its result counts nothing, and the stage, `match` and an export say so',
    test: [['src/engine/pipeline/override.test.ts', 'reports %s that does not call the matcher'], ['src/engine/pipeline/override.test.ts', 'may be set on the object']],
  },
  {
    tried: 'a recorded program of which eight threads apply passes at once; one that closes all files, as daemons do',
    outcome: 'mended',
    seen: 'whole lines, once each; the recording ends with a sentence: it had gone on in the program’s own file of that number',
    test: [['python/tests/test_recorder.py', 'test_threads_write_whole_lines'], ['python/tests/test_recorder.py', 'test_a_program_that_closes_all_files']],
  },
  {
    tried: 'the recorder told to write over another file, or a link to one',
    outcome: 'held',
    seen: 'it replaces recordings only, and says so',
    test: [['python/tests/test_recorder.py', 'test_the_same_name_again']],
  },
  {
    tried: '6,000 mutated recordings through `report`, `baseline`, `check --junit --markdown` and `show --html` of the Python package',
    outcome: 'mended',
    seen: 'no traceback, no tag, no hidden character; two lines began with `::`, and a text with U+2028 made a recording unreadable',
    test: [['python/tests/test_package.py', 'test_each_command_answers_a_bad_recording'], ['python/tests/test_package.py', 'test_a_file_that_is_no_recording_is_a_sentence']],
  },
  {
    tried: 'a checkout with links where `check --junit`, `check --markdown`, `show --html` or `--resume` writes',
    outcome: 'mended',
    seen: 'refused with a sentence; a file outside of the checkout was overwritten or made, with text that a shell which reads the file runs',
    test: [['python/tests/test_package.py', 'test_no_file_is_written_through_a_link'], ['src/cli/threads/batch.test.ts', 'writes through no link'], ['src/cli/baseline/baseline.test.ts', 'link.xml: this is a link']],
  },
  {
    tried: 'the same with a link of a folder before the file: `--junit reports/junit.xml`',
    outcome: 'mended',
    seen: 'refused with a sentence; the file was made where the link led',
    test: [['python/tests/test_package.py', 'its folder is a link'], ['src/cli/baseline/baseline.test.ts', 'its folder is a link']],
  },
  {
    tried: 'a link without code, or with harmless code whose run fails, that carries a fix: the fix is pressed',
    outcome: 'mended',
    seen: 'the code that it makes asks; its edits counted as the user’s and ran in the box',
    test: [['src/app/features/whynot/apply.test.ts', 'a fix that a link carries is code of its sender']],
  },
  {
    tried: 'a graph that calls an operator on files, of PyTorch or torchvision (`image.write_file`), with a path: fixes, a pattern from a selection, an export, on PyTorch 2.14.1',
    outcome: 'mended',
    seen: 'the call is named and never made; the fix was offered as verified, and the file that it made, or the script, overwrote the path',
    test: [['src/explain/fixes/withheld.test.ts', 'explains the others'], ['src/engine/from_selection/hostile.test.ts', 'names an operator that %s, and never calls it'], ['python/tests/test_exported.py', 'test_a_graph_holds_and_computes_operators_on_values']],
  },
  {
    tried: 'the same call as the argument of a higher-order operator (`with_effects`); assembly (`inline_asm_elementwise`), views without bounds, and addresses for operators of vLLM that take them (`_C_custom_ar.dispose`)',
    outcome: 'mended',
    seen: 'none is called, and an exported graph has a placeholder for each that would run over fake tensors; the file was overwritten, and a number of the graph was used as an address',
    test: [['src/ops/calls/computes.test.ts', 'looks into calls of other operators'], ['src/engine/from_selection/hostile.test.ts', 'names an operator that %s, and never calls it'], ['python/tests/test_exported.py', 'test_a_graph_holds_and_computes_operators_on_values']],
  },
  {
    tried: 'what a list of refused operators leaves: `resize_storage_bytes_`, `_print`, `_reshape_alias` and the derivative of a maximum, which check no bounds, objects of scripts, methods such as `__getattribute__`, addresses below 2^31 and those that other nodes make',
    outcome: 'mended',
    seen: 'calls are made of operators that are known to compute tensors from tensors and numbers, or that the user’s own files name; a fix with another says so and has no code',
    test: [['src/ops/calls/computes.test.ts', 'refuses %s'], ['src/explain/fixes/withheld.test.ts', 'explains the others'], ['src/engine/from_selection/hostile.test.ts', 'names an operator that %s, and never calls it']],
  },
  {
    tried: 'the action with recordings named `--junit`, and with a JUnit file in a folder that is a link out of the checkout',
    outcome: 'mended',
    seen: 'refused with a sentence; the file was read as an option, the link was followed',
    test: [['scripts/security/action.test.ts', 'takes no file’s name for an option']],
  },
  {
    tried: 'the action with a `package` that is a name or an address, beside a folder of that name; the recipe of docs/cli.md, whose `npx` read the `.npmrc` of the checkout',
    outcome: 'mended',
    seen: 'a package is the path of a file, and both install outside of the checkout',
    test: [['scripts/security/action.test.ts', 'takes no name, address or folder for a package']],
  },
  {
    tried: 'marks of direction in the name of a graph that another page sends to `open.html`, pressed at once and later, also by hand in Firefox 140 and Chromium 150; or of a workspace in titles, notices and dialogs',
    outcome: 'mended',
    seen: 'escaped; the rest of the question read mirrored. No press counts within a second, and the opener is cut off',
    test: [['scripts/open_page.test.ts', 'escapes what a terminal’s line does'], ['scripts/open_page.test.ts', 'opens the graph of the newest message']],
  },
  {
    tried: 'markup, styles, scripts and addresses in each text of eight recordings and of a graph: `show --html`, what a notebook shows, and the SVG of a graph, also opened by hand in Chromium 150 and Firefox 140 beside a server that counts requests',
    outcome: 'held',
    seen: 'no request, no element; the control asked',
    test: [['src/app/canvas/picture/picture.test.ts', 'escapes what a graph holds'], ['python/tests/test_package.py', 'test_each_command_answers_a_bad_recording']],
  },
  {
    tried: 'the command line started in a folder with a `node_modules`, `package.json` (`imports`), `tsconfig.json` (`paths`), `.npmrc`, `.env` and Python modules of a stranger',
    outcome: 'held',
    seen: 'none is read; `npx` itself runs the shell of the `.npmrc` and the `node` of the folder, so README says where to install',
    test: [['scripts/security/cwd.test.ts', 'reads no module and no setting of the folder in which it starts']],
  },
  {
    tried: 'a zip of a lesson whose entries name the same bytes again and again',
    outcome: 'mended',
    seen: 'refused at 64 MiB; 2,000 entries of 60 MB were read',
    test: [['src/app/features/lessons/files/lesson_files.test.ts', 'name the same bytes again and again']],
  },
  {
    tried: '66 pieces of text, repeated to 40 kB behind three beginnings of graphs, pasted or read',
    outcome: 'mended',
    seen: 'each is read at once; 40,000 line breaks after an open call held the page for 24 s, four times as long for twice as many',
    test: [['src/fx/readers/hostile.test.ts', 'an open call before 100,000'], ['src/gpu/user_kernels/user_kernel.test.ts', 'is read in time linear']],
  },
  {
    tried: '`?file=` whose name is `..%2f…`, on a host that decodes it',
    outcome: 'mended',
    seen: 'not asked for; another file of that host opened as the user’s own',
    test: [['src/app/features/open_files/given.test.ts', 'asks no host for %s']],
  },
  {
    tried: 'a graph alone, in a link, whose shapes are computed: `torch.fx.graph.builtins.exec("…")` as a function of torch',
    outcome: 'mended',
    seen: 'Python computes what is known to compute tensors; any Python of the graph ran in the box, before anybody was asked',
    test: [['src/engine/session/hostile_targets.test.ts', 'runs nothing of %s'], ['src/engine/session/hostile_targets.test.ts', 'calls what computes tensors, by its name']],
  },
  {
    tried: 'an environment whose layers are calls of what is installed, `Popen(args=[…])` of a module of PyTorch, in an exported script',
    outcome: 'mended',
    seen: 'layers are made of classes of the files and of the library; the script started the process, on PyTorch 2.14.1',
    test: [['python/tests/test_exported.py', 'test_a_layer_of_the_environment_is_of_the_files_or_of_no_class']],
  },
  {
    tried: 'graphs in an exported script and a live process, on PyTorch 2.14.1: the method `new(cdata=ADDRESS)`, operators on constants, a view without bounds of one, `max(key=OPERATOR)`',
    outcome: 'mended',
    seen: 'no kernel runs, and known methods alone are called; the interpreter crashed, a number was written beside a tensor, and operators got numbers of the graph as addresses',
    test: [['python/tests/test_exported.py', 'test_runs_no_kernel_and_no_method_on_an_address']],
  },
  {
    tried: 'the same graphs in a built-in pass that a workspace lists, `inductor:decompose_auto_functionalized`, which calls what the graph wraps; a graph’s name that a terminal obeys',
    outcome: 'mended',
    seen: 'no kernel runs and no named operator is called; the interpreter crashed by the lengths of `_ctc_loss_backward`, and `dispose` got a number of the graph, on PyTorch 2.14.1; the name is escaped',
    test: [['python/tests/test_exported.py', 'test_runs_no_kernel_in_a_built_in_pass']],
  },
  {
    tried: 'a fix or a pattern from a selection with `max(key=OPERATOR)`, `sort(key=OPERATOR)`, or a number without metadata that the graph makes, for an operator of a library',
    outcome: 'mended',
    seen: 'named and never called; the operator ran when the pattern matched, on PyTorch 2.14.1',
    test: [['src/ops/calls/computes.test.ts', 'looks into calls of functions and methods, which may call an argument'], ['src/ops/calls/computes.test.ts', 'takes a number for an address where an operator of a library gets it']],
  },
  {
    tried: 'passes of the user in an exported script and a live process, on PyTorch 2.14.1: an ordinary pattern that PyTorch traces again with the numbers of the match, and a pass that runs the graph (`Interpreter`, the module, its `forward`) with constants, `from_file(PATH)` of a storage, views without bounds, `max(key=OPERATOR)`',
    outcome: 'mended',
    seen: 'one mode around all that happens to a graph: constants become fake, operators, functions and methods that do more than compute are named and never called; an operator got a number of the graph as an address, a file was overwritten, and the interpreter crashed',
    test: [['python/tests/test_exported.py', 'test_runs_no_kernel_whatever_a_pass_of_the_user_does']],
  },
  {
    tried: 'every operator over fake tensors with hostile numbers, each in a process of its own (1,000 of 3,200 forms), on PyTorch 2.14.1: numbers for dtypes and memory formats, `clone(memory_format=-1)`, `sum(dtype=200)`, and internal operators, `_remove_batch_dim`',
    outcome: 'mended',
    seen: 'refused, and internal operators without a rule in Python are not computed; PyTorch looked the numbers up without a check, and a graph alone ended an exported script by a segmentation fault',
    test: [['python/tests/test_exported.py', 'test_runs_no_kernel_whatever_a_pass_of_the_user_does'], ['src/ops/calls/computes.test.ts', 'takes no number for a dtype, a layout or a memory format']],
  },
  {
    tried: 'a graph before consent whose arguments are names of operators: `{op: __getattr__.__builtins__.get}` of a link, `max(key=OPERATOR)`',
    outcome: 'mended',
    seen: 'a name leads to an operator or to an error, and no function of torch gets an operator; nothing was found that ran text',
    test: [['src/engine/session/hostile_targets.test.ts', 'reads the name of an operator as nothing else']],
  },
  {
    tried: 'an environment whose flags are paths (`debug_dump_path`), in an exported script whose files write to them',
    outcome: 'mended',
    seen: 'an exported script has no such flag',
    test: [['src/engine/export/export_workspace.test.ts', 'has no flag that names a folder: code of the files may write there']],
  },
  {
    tried: 'a recording that names files of other folders, of links and of other machines, in `fusescope report` and `check` of the Python package',
    outcome: 'mended',
    seen: 'only files of the process and those below the current folder are looked at; any other was asked for its size and read',
    test: [['python/tests/test_package.py', 'test_a_recording_makes_nobody_read_a_device']],
  },
  {
    tried: 'graphs named `::add-mask::x` and `##[group]`, printed by an exported script in a workflow',
    outcome: 'mended',
    seen: 'escaped; the name began a line of the log',
    test: [['python/tests/test_exported.py', 'test_a_graph_holds_and_computes_operators_on_values']],
  },
  {
    tried:
      'a user’s pass that runs a graph whose constant goes to `choose_qparams_optimized`, by operator or function, in an exported script, on PyTorch 2.14.1; internal operators that no list names',
    outcome: 'mended',
    seen: 'constants are fake for composite operators, functions and methods too; ATen’s operators compute by a tag or a rule in Python, and not where the text has the type; the kernel ran with the numbers of the graph',
    test: [['python/tests/test_exported.py', 'test_runs_no_kernel_whatever_a_pass_of_the_user_does']],
  },
  {
    tried: 'a page that asks to hold Ctrl+Enter, or to click fast, and then goes to a link or to `open.html`, in Chromium 150',
    outcome: 'mended',
    seen: 'a repeat is no press, and a press during the second begins it again; the code of the link ran in the box 3 s after the page came, and nobody had answered',
    test: [
      ['src/app/session/question/steady.test.ts', 'a key that is held, as another page asked, answers nothing however long'],
      ['e2e/consent.spec.ts', 'a key that another page asked to hold answers no question, nor do fast clicks'],
      ['scripts/open_page.test.ts', 'begins the second again at a press during it, and at what a held key repeats'],
    ],
  },
  {
    tried: 'a pattern from a selection of a link whose file names, in a comment, an operator on files that its graph calls with a path, on PyTorch 2.14.1',
    outcome: 'mended',
    seen: 'the files of a link do not count as the user’s; the pattern called the operator when it was registered, and overwrote the file',
    test: [['src/app/features/new_pattern/request.test.ts', 'lets the files of the user name the operators that a pattern calls, and those of a link or a recording name none']],
  },
  {
    tried: 'the same with a recording that is dropped: its source names the operator, and its graph calls it',
    outcome: 'mended',
    seen: 'the files of a recording count where a live process recorded them; the pattern overwrote the file when it was registered',
    test: [['src/app/features/new_pattern/request.test.ts', 'lets the files of the user name the operators that a pattern calls, and those of a link or a recording name none']],
  },
  {
    tried: 'a second `y` that was typed at live’s question and is left in the terminal, when a text from elsewhere asks later',
    outcome: 'mended',
    seen: 'what was typed before a second after the question is thrown away; it allowed the text that nobody had read',
    test: [['python/tests/test_live.py', 'test_takes_no_answer_that_was_typed_before_the_question']],
  },
  {
    tried: 'a recording that names `link/../file.py`, and a source that nests 900 attributes, in `fusescope report`',
    outcome: 'mended',
    seen: 'neither is read; the first was opened through the link, the second ended the command with a traceback',
    test: [['python/tests/test_package.py', 'test_a_recording_makes_nobody_read_a_device']],
  },
  {
    tried: 'a recording of 80,000 attempts that failed alike, in a frame',
    outcome: 'mended',
    seen: 'it is read in 0.5 s; its summary took 98 s',
    test: [['src/app/files/recorded_summary.test.ts', 'reads each attempt as often, however many there are']],
  },
  {
    tried:
      'a dropped folder, or a comment of any file beside the user’s, that names an operator of a library, and a graph that gives it `conftest.py`, `makefile`, `touch a`, or a number in Debian’s Python (at 4 MiB): a fix or a pattern from a selection',
    outcome: 'mended',
    seen: 'an operator of which only the name is known gets words of modes, dtypes and equations, numbers below 4 MiB and sizes of tensors; any other is named and never called, and a text without a slash went through',
    test: [
      ['src/ops/calls/computes.test.ts', 'to none of which only the name is known'],
      ['src/explain/fixes/withheld.test.ts', 'writes an operator that the user’s files name, without a path of the graph'],
    ],
  },
  {
    tried: 'workspaces named `json`, `torch`, `typing extensions`: the name of an exported script',
    outcome: 'mended',
    seen: '`json_fusescope.py`; `json.py` was imported in place of the module by each script of its folder',
    test: [['scripts/security/text_places.ts', 'the name of a downloaded script']],
  },
  {
    tried: 'a graph alone whose value takes without end, `combinations(x, 2**40)`, in an exported script; a pass of the user that redispatches a target of the graph below all modes, on PyTorch 2.14.1',
    outcome: 'mended',
    seen: 'it ends after a minute with its place, where Ctrl+C did nothing; an operator that does more than compute is refused there too, and its kernel ran with the graph’s number',
    test: [
      ['python/tests/test_exported.py', 'test_ends_at_a_value_that_takes_without_end'],
      ['python/tests/test_exported.py', 'test_runs_no_kernel_whatever_a_pass_of_the_user_does'],
    ],
  },
  {
    tried: '`fusescope show` of a file whose name is no UTF-8',
    outcome: 'mended',
    seen: 'shown with U+FFFD; it ended with a traceback',
    test: [['python/tests/test_package.py', 'test_gives_a_shown_file_at_the_address_that_it_printed']],
  },
  {
    tried: 'keys held and fast clicks before a link and before `?from=`, in Firefox 140 and WebKitGTK 2.50: 18 s of Ctrl+Enter, 120 clicks, Enter and Space on the question',
    outcome: 'held',
    seen: 'nothing ran and nothing was asked of the host; a calm press counted',
    test: [['src/app/session/question/steady.test.ts', 'a key that is held, as another page asked, answers nothing however long']],
  },
  {
    tried: 'a text of another page, dragged onto the editor of a live process that was allowed',
    outcome: 'mended',
    seen: 'the editor takes no dropped text; Chromium 150 inserted none, and a browser whose editor is a field would have inserted it as typed',
    test: [['src/app/features/open_files/DropZone.test.tsx', 'a text that is dropped']],
  },
  {
    tried: 'a lesson in a link with the files `../../.bashrc` and `.vscode/tasks.json` beside its own: the zip archive that the page saves of it',
    outcome: 'mended',
    seen: 'the files that the lesson names are kept and saved; the archive had the others too, under these paths, where an unpacker that trusts them would write',
    test: [
      ['src/app/features/lessons/own/open_files.test.ts', 'keeps the files that the lesson names, and no others of whoever sent it'],
      ['src/app/features/lessons/recorder/store.test.ts', 'saves no file of a received lesson that the lesson does not name'],
    ],
  },
  {
    tried: 'the browser’s cache while a version installs: a file of this page under its key in a cache of another page of the origin; a damaged file of the version before',
    outcome: 'mended',
    seen: 'only files of this page’s caches with the SHA-256 of the build are taken over; what lay under the key was, headers too',
    test: [['scripts/offline.test.ts', 'takes no file of another page of the origin, and none that is damaged, from an earlier version']],
  },
  {
    tried: 'functions of torch in a graph alone, 581 + 581 + 581 of a fuzz, in an exported script on PyTorch 2.14.1: `torch.quantized_lstm_cell(x, [x], …)`',
    outcome: 'mended',
    seen: 'a function whose operator is not called is not called either; its kernel took a tensor from behind a list of one, and the interpreter crashed',
    test: [['python/tests/test_exported.py', 'test_runs_no_kernel_whatever_a_pass_of_the_user_does']],
  },
  {
    tried: 'calls in chains of a graph alone, over what earlier calls gave, in an exported script on PyTorch 2.14.1: `aten._stack.default([], 0)`, and `squeeze_(x, 1)` where a size is symbolic',
    outcome: 'mended',
    seen: 'not called; the kernel of one asked the first of no tensors for its shape, that of the other read sizes that it had freed, and the interpreter crashed',
    test: [['python/tests/test_exported.py', 'test_runs_no_kernel_whatever_a_pass_of_the_user_does']],
  },
  {
    tried: 'a recording whose value is code, `__import__("os").system(…)`, where the user’s pattern has a number, in `fusescope report`',
    outcome: 'mended',
    seen: 'no advice; it said to write that in the pattern’s file',
    test: [['python/tests/test_package.py', 'test_names_the_line_that_has_the_other_value']],
  },
  {
    tried: 'any operator, function or method of PyTorch 2.14.1 that a graph alone names and Fusescope has no rule for, in an exported script, a built-in pass that computes again, and a user’s pass that runs the graph',
    outcome: 'mended',
    seen: 'named and never called: its value is the one that the graph’s text has; each crash of a kernel had been mended by its name',
    test: [
      ['src/ops/calls/ruled.test.ts', 'and names the rest'],
      ['src/engine/export/hostile.test.ts', 'computes no operator, function or method without a rule'],
      ['python/tests/test_exported.py', 'test_graphs_call_nothing_without_a_rule'],
    ],
  },
  {
    tried: 'a recording with `$…$` in its names in a notebook, whose MathJax would typeset it; `--config`, a workspace or cases that are a link of a checkout to a file that is no JSON',
    outcome: 'mended',
    seen: 'the text stays text; the message says the place and no longer ten characters of the other file',
    test: [
      ['python/tests/test_package.py', 'test_text_of_a_recording_cannot_act_in_a_terminal_or_a_page'],
      ['src/cli/args.test.ts', 'is parsed into a command'],
    ],
  },
  {
    tried: 'a stored database of another version of the page, with other tables; a version of the page that installs while two windows show the one before',
    outcome: 'held',
    seen: 'refused with a sentence and left as it is; each window keeps the files of its version until the others have closed',
    test: [
      ['src/workspace/library/library.test.ts', 'refuses one of a later version whose tables are others'],
      ['scripts/offline.test.ts', 'replaces a version whole when no other window shows it'],
    ],
  },
  {
    tried: 'each operator, function and method that an exported script computes (3,712), over sizes of symbols and of none, on 16 devices and 19 dtypes, with memory that is filled when it is freed, on PyTorch 2.14.1: `batch_norm` on a tensor of one symbolic size; a device that no release has, `vulkan`, and a terabyte, where a user’s pass runs the graph',
    outcome: 'mended',
    seen: 'not called; the kernel took what lay behind the size for another and called through memory that was freed, from a graph alone; the interpreter crashed at a null pointer, or took all memory',
    test: [
      ['python/tests/test_exported.py', 'test_runs_no_kernel_whatever_a_pass_of_the_user_does'],
      ['python/tests/test_exported.py', 'test_graphs_call_nothing_without_a_rule'],
    ],
  },
  {
    tried: 'a graph, a recording, names of files and of exceptions with `##vso[task.uploadfile]/etc/passwd`, which the agent of Azure Pipelines obeys anywhere in a line, and `##teamcity[…]`',
    outcome: 'mended',
    seen: 'escaped in each line, in JSON, in baselines and in the lines of an exported script, which a traceback prints; the log had the command',
    test: [
      ['src/cli/forged.test.ts', 'escapes each hidden character'],
      ['src/engine/export/hostile.test.ts', 'commands no runner of a workflow'],
      ['python/tests/test_package.py', 'test_a_name_commands_no_runner_of_a_workflow'],
      ['python/tests/test_exported.py', 'test_a_graph_holds_and_computes_operators_on_values'],
    ],
  },
  {
    tried: 'a text from elsewhere that reaches a live process while the terminal’s answer for another text arrives',
    outcome: 'mended',
    seen: 'asks; between two looks at one flag it ran',
    test: [['python/tests/test_live.py', 'test_runs_no_text_from_elsewhere_under_a_name_that_was_allowed']],
  },
  {
    tried: 'a graph with `##vso[…]`, `::set-output`, an escape character and the commands of seven other runners, which upload or attach a file (`<DartMeasurementFile>`, `[[ATTACHMENT|…]]`, `##octopus[…]`), printed by `print`, `lower`, `trace`, `pattern` and `export` in a workflow',
    outcome: 'mended',
    seen: 'escaped where the log has it, also where stdout and stderr are one file, as in Jenkins, and exact in a file of its own and for another program elsewhere; the log had the text byte for byte',
    test: [
      ['src/cli/forged.test.ts', 'is exact in a file and for another program, and visible in the log of a workflow'],
      ['src/cli/forged.test.ts', 'of user code, whose process has no environment'],
      ['scripts/python.test.ts', 'has the expression of the commands of runners'],
    ],
  },
  {
    tried: 'the same texts in what PyTorch’s exceptions, warnings and logs quote, in tracebacks of an exported script and of pytest, with its locals; in each line of 2,060 files that are written for mutated graphs, captures and selections',
    outcome: 'mended',
    seen: 'no line has a command; a traceback quoted the graph, and printed patterns and patterns from a selection had `[[ATTACHMENT|…]]` as it was',
    test: [
      ['python/tests/test_exported.py', 'test_what_is_raised_warned_of_and_logged_quotes_no_command'],
      ['scripts/security/exports/exports.test.ts', 'hold allowed forms only'],
    ],
  },
  {
    tried: 'what was left of that fuzz, 882 operators, and twice all 1,095 whose kernels call others, after the mends; a graph alone whose calls have ranks, lists and numbers that no rule of Fusescope takes, in an exported script',
    outcome: 'mended',
    seen: 'no crash; a call that the rule refuses is not made by the script, nor where a user’s pass runs the graph',
    test: [
      ['src/engine/export/hostile.test.ts', 'computes no call that the rule refuses'],
      ['python/tests/test_exported.py', 'test_graphs_call_nothing_without_a_rule'],
    ],
  },
  {
    tried: 'each of 2,055 operators that have a rule, 40 times with tensors of 13 shapes and hostile numbers, in the analysis of a graph',
    outcome: 'mended',
    seen: 'each has a shape or a sentence; 130 ended the analysis of a stranger’s graph with an error of JavaScript, and `diff(x, 2**40)` took without end',
    test: [['src/engine/shapes/shaped_graph.test.ts', 'says of a call with sizes that no rule expects']],
  },
  {
    tried: 'code on the graph that patches what is sent of its conditions: 100,000 rows, a million names of nodes, texts of 99,000 characters, commands of a runner; values whose repr, attributes or items raise, lists in themselves, 5,000 operands, 2,400,000 turns of a loop, tool 5 of sys.monitoring',
    outcome: 'mended',
    seen: '40 rows reach the page, which answers; the pass runs as without its conditions noted; the page stood still for 2.6 s, and the pass was said to raise what its values raised',
    test: [
      ['src/engine/pipeline/conditions.test.ts', 'takes no more from code that patches what is sent'],
      ['src/engine/pipeline/conditions.test.ts', 'is no fault of the pass'],
      ['src/engine/pipeline/conditions.test.ts', 'counts a loop without an end in sight to 100,000'],
    ],
  },
  {
    tried: 'code on the graph that asks for `mylib.save` and calls it elsewhere, and a graph that calls `image.save`: the fix that asks for what the graph calls',
    outcome: 'mended',
    seen: 'the operator is named and the fix has no code; the fix changed the name that the code calls, too',
    test: [['src/engine/session/code_fixes.test.ts', 'writes no call that a graph names']],
  },
  {
    tried: 'a function whose `__name__` is `$(touch${IFS}x)`, in the sentence of the command line that names the option which runs it',
    outcome: 'mended',
    seen: '`--pass NAME`; a shell ran the name when the option was copied',
    test: [['src/engine/pipeline/graph_call.test.ts', 'is proposed, and runs if it is listed']],
  },
] // prettier-ignore
