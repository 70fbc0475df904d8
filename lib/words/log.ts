import { labelsOf, sentencesOf } from '@/lib/base/catalogue'

/** The log of a chat: what stands around it, and each of its entries as a sentence. */
export const logSays = sentencesOf({
  'log.title': 'Log of this conversation',
  'log.again': 'Load again',
  'log.close': 'Close log',
  'log.not-loaded': 'The log could not be loaded. {why}',
  'log.retry': 'Try again',
  'log.show': 'Show',
  'log.everything': 'everything',
  'log.only': 'only {tool}',
  'log.count': '{count, plural, one {# entry} other {# entries}}',
  'log.download': 'Download log',
  'log.export': 'Export chat',
  'log.export-all': 'Export everything',
  'log.none': 'Nothing was decided, run or changed in this chat yet.',
  'log.earlier': 'show earlier entries, {count, number} more',
  'log.entries': 'Entries, newest last',
  'log.entry': 'Entry {number}',

  /** In place of the name of a tool, where the log has none. */
  'log.a-call': 'a call',
  'log.a-tool': 'a tool',

  'log.read-as': 'The call was taken as it is read',
  'log.amended': 'The call was changed; it is now one to {name}',
  'log.amendment-undone': 'The change of {name} was taken back',
  'log.tool-changed': 'What this chat knows of its own tool {name} was changed',
  'log.tool-removed': 'Removed the tool {name} from this chat',
  'log.tool-new': 'This chat got a tool of its own: {name}',
  'log.imported': 'This chat was imported; what follows was logged where it came from',

  'log.allowed':
    '{name} was allowed{by, select, click { by a click} auto { by the rule for its tool} grant { by a remembered answer} unknown {; by whom is not known} other {}}{changed, select, true {, with changed arguments} other {}}{attempt, plural, =1 {} other {, attempt #}}',
  'log.denied': '{name} was denied{reason, select, empty {} other {: “{reason}”}}',
  'log.why-denied': 'Why {name} was denied{reason, select, empty {} other {: “{reason}”}}',
  'log.left-out': '{name} was left out{by, select, unknown {; by whom is not known} other {}}',
  'log.nobody': '{name} was decided by nobody: you wrote something else',
  'log.nobody-limit':
    '{name} was decided by nobody: {limit, select, null {no more calls} other {{limit, plural, one {one call} other {# calls}}}} of one reply may run',

  'log.stopped': '{name} was stopped by you{attempt, plural, =1 {} other {, attempt #}}',
  'log.stopped-before': '{name} was cancelled before it began: you stopped the calls before it',
  'log.never-began': '{name} ended as cancelled: nothing of it ran',
  'log.finished':
    '{name}{status, select, completed { ran} error { failed} cancelled { was stopped} interrupted { was interrupted} not_found { is no tool that exists} other { ended}}{ms, select, null {} other {, {ms, span}}}{size, select, null {} other {, a result of {size, bytes}}}{gated, select, true {, its result waits for a look} other {}}',

  'log.released': 'The result of {name} may go as it is{note, select, empty {} other {: “{note}”}}',
  'log.released-changed':
    'The result of {name} may go, {changes, select, empty {changed} other {{changes}}}{note, select, empty {} other {: “{note}”}}',
  'log.changes': '{first} and {second}',
  'log.kept-back':
    'The result of {name} was kept back{by, select, overtaken {: you wrote something else instead} imported {: it came along when this chat was imported} unknown {; by whom is not known} other {}}{note, select, empty {} other {: “{note}”}}',

  'log.sent-some': 'Results went to the model',
  'log.sent': '{count, plural, one {One result} other {# results}} went to the model: {names, list}',
  'log.told-open':
    'The model was told that {open, list} {openCount, plural, one {is unfinished} other {are unfinished}}',
  'log.sent-and-open':
    '{count, plural, one {One result} other {# results}} went to the model: {names, list}. The model was told that {open, list} {openCount, plural, one {is unfinished} other {are unfinished}}',

  'log.grant': 'Allowed from now on{span, select, empty {} other {, for {span}}}: {scope}',
  'log.grant-ended': 'Not allowed any more: {scope}',
  'log.scope-folder': '{name} in {folder} and all below it',
  'log.scope-arguments': '{name} with the same arguments{label, select, empty {} other {, {label}}}',
  'log.scope-tool': 'every call of {name}',

  'log.settings': 'The settings were changed',
  'log.settings-to': 'Settings changed: {changes, list}',
  'log.setting-to': '{setting}: {value}',
  'log.on': 'on',
  'log.off': 'off',
  'log.as-long': 'as long as the chat',
})

/** What was done to a result before it went. */
export const logChanges = labelsOf('log.change', {
  trimmed: 'trimmed',
  redacted: 'redacted',
  edited: 'edited',
  'file-reference': 'replaced by a file’s name',
} as const)

/** Settings of a chat by their paths, with hyphens for points. */
export const logSettings = labelsOf('log.setting', {
  model: 'model',
  strategy: 'call format',
  exact: 'exact calls',
  systemPrompt: 'system prompt',
  'tools-enabled': 'tools on or off',
  'tools-mode': 'approval',
  'tools-requireConfirmation': 'every call waits for a click',
  'tools-grantLifetimeMs': 'how long a remembered yes stands',
  'tools-toolToggles': 'offered tools',
  'tools-defaultToolEnabled': 'new tools',
  'tools-toolRules': 'rules of tools',
  'tools-resultGate': 'results that are shown first',
  'tools-maxIterations': 'rounds',
  'tools-maxCallsPerReply': 'calls of one reply',
  'tools-timeoutMs': 'time limit',
  'tools-parallelExecution': 'side by side',
  'tools-approvalUi': 'where it asks',
} as const)
