import { labelsOf, refusalsOf, sentencesOf, type Catalogue } from '@/lib/base/catalogue'

/** The playground, without the part that reads a reply: a tool run by hand, the prompt, the tools. */
export const playSentence = sentencesOf({
  'play.title': 'Playground',
  'play.panels': 'Panels',
  'play.read-as': 'Read as',
  'play.format': 'Call format',
  'play.offer': 'Tools offered',
  'play.offered': '{count, plural, one {# tool} other {# tools}} offered',
  'play.offer-reading': 'only those that read',
  'play.offer-none': 'no tools offered',

  'play.call': 'Call',
  'play.run-title': 'Run a tool',
  'play.tool': 'Tool',
  'play.arguments': 'Arguments (JSON)',
  'play.arguments-of': 'Arguments of {name}',
  'play.arguments-how': 'How the arguments are written',
  'play.form': 'Form',
  'play.form-waits': '{problem} The form shows it once the JSON is mended.',
  'play.extra': 'The JSON also holds {names, list}, which this tool does not know.',
  'play.as-told': 'As the model is told:',
  'play.misfits': '{all, sentences}',
  'play.fits': 'Fits the tool’s schema.',
  'play.nothing-ran': '{problem} Nothing ran.',
  'play.run-tool': 'Run tool',
  'play.stop': 'Stop',
  'play.own-files': 'files: a space of its own',

  'play.reason': 'Reason for a denial, told to a model',
  'play.run': 'Run',
  'play.deny': 'Deny',
  'play.not-now': 'not now',
  'play.may-send': 'May this result be sent? There is no model here: you see what one would be told.',
  'play.send': 'Send result',
  'play.keep': 'Don’t send',

  'play.came-back': 'What came back',
  'play.outcome': 'Outcome',
  'play.running': 'running',
  'play.status':
    '{status, select, completed {completed} error {error} cancelled {cancelled} interrupted {interrupted} not_found {not_found} other {{status}}}{ms, select, null {} other { · {ms, span}}}',
  'play.nothing-sent': 'Nothing is sent.',
  'play.clear': 'clear',
  'play.nothing-yet': 'Nothing has run yet.',
  'play.not-started': 'The tools could not be started: {why} Reload the page to try again.',
  'play.told': 'What a model would be told',
  'play.told-under': 'A model would be told, under {strategy}',
  'play.copy-told': 'Copy for the model',

  'play.reach':
    'files: {files, select, none {none} read {read} write {write} other {{files}}} · network: {network, select, off {off} other {{network}}}{command, select, empty {} other { · in VCP also {command}}}',
  'play.parameters': 'Parameters',

  'play.model-told': 'What the model is told',
  'play.prompt': 'Prompt',
  'play.prompt-facts':
    '{strategy}, {offered, plural, one {# tool} other {# tools}} offered, about {tokens, number} tokens',
  'play.prompt-copy': 'Copy the whole',
  'play.prompt-no-tool': 'Nothing is added to the system prompt: no tool is offered.',
  'play.prompt-otherwise': 'Nothing is added to the system prompt: {strategy} tells it otherwise.',
  'play.about-tokens': 'about {tokens, number} tokens',
  'play.prompt-part': 'Prompt part: {title}',
  'play.costs': 'What each call format costs',
  'play.costs-of': 'for these tools, in the prompt of every turn',
  'play.tokens': '{tokens, number} tokens',
  'play.estimated':
    'Tokens are estimated, about four characters each; real counts differ from model to model by about a fifth.',

  'play.found': 'Tools found',
  'play.tools': 'Tools',
  'play.found-count': '{found, number} found, {offered, number} offered',
  'play.group': '{title} tools',
  'play.here-only':
    'The choice counts for this page only: for how a reply is read, and for the prompt. Conversations have their own.',
  'play.in-vcp': 'in VCP also {name}',
  'play.counts-as': '{name} counts as',
})

const noArguments = {
  'play.not-json':
    'This is not JSON: {isEarly, select, true {it ends too early, in line {line}, column {column}} other {line {line}, column {column}}}.',
  'play.no-object': `The arguments must be one JSON object, such as '{"path": "/"}'.`,
} as const satisfies Catalogue

/** Why typed text is no arguments of a call. */
export const argumentsRefusal = refusalsOf(noArguments)

/** The panels, by their addresses. */
export const panelWords = labelsOf('play.panel', {
  read: 'Read a reply',
  run: 'Run a tool',
  prompt: 'Prompt',
  tools: 'Tools',
} as const)

/** The parts of a prompt that tells of tools. */
export const promptPartWords = labelsOf('play.part', {
  protocol: 'Protocol',
  tools: 'Tools',
  behaviour: 'Behaviour',
} as const)

/** What a tool counts as here. */
export const availabilityWords = labelsOf('play.counts', {
  offered: 'offered',
  off: 'known, not offered',
  unknown: 'not known',
} as const)

/** Whether a model is told of a tool, and why. */
export const offerWords = labelsOf('play.is', {
  never: 'never offered',
  offered: 'offered',
  off: 'not offered',
  unknown: 'not known',
} as const)

export const whyOfferWords = labelsOf('play.why', {
  never: 'The tool itself says that models may not call it.',
  offered: 'Models may call it, and it is switched on here.',
  off: 'It is switched off here: the model is not told of it, and a call to it is named but can’t run.',
  unknown: 'It is left out here: a call to it is a call to a tool that does not exist.',
} as const)
